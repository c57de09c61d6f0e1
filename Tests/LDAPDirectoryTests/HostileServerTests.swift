import Foundation
import SharedMaterial
import Testing

@testable import LDAPDirectory

/// Servers that break the protocol, whether libldap passes the violation on or ends the search.
@Suite(.enabled(if: HostileServer.isInstalled, "python3 is not installed")) struct HostileServerTests {
  private func search(_ mode: String, limit: Int = 0) throws -> (
    found: [DirectoryContact], cut: Bool, error: DirectoryError?
  ) {
    let server = try HostileServer(mode)
    var access = DirectoryAccess(try DirectoryURL("ldap://127.0.0.1:\(server.port)/dc=example"))
    access.timeout = 2
    var found: [DirectoryContact] = []
    do throws(DirectoryError) {
      let answer = try DirectoryConnection(access).search("x", limit: limit, isCancelled: { false }) { found += $0 }
      return (found, answer.isCut, nil)
    } catch {
      return (found, false, error)
    }
  }

  @Test(arguments: ["garbage", "huge", "close", "broken"])
  func brokenServersAreUnreachable(mode: String) throws {
    #expect(try search(mode).error?.reason == .unreachable)
  }

  @Test(arguments: ["silent", "http"])
  func silentServersAndWebServersTimeOut(mode: String) throws { #expect(try search(mode).error?.reason == .timedOut) }

  @Test func aRefusalKeepsTheServersMessage() throws {
    let error = try #require(try search("diagnostic").error)
    #expect(error.reason == .refused && error.detail.hasPrefix("\u{1B}[2J") && error.detail.hasSuffix("\u{FFFD}"))
  }

  @Test func endlessResultsAreCut() throws {
    let few = try search("endless", limit: 200)
    #expect(few.found.count == 200 && few.cut && few.error == nil)
    let all = try search("endless")
    #expect(all.found.count == DirectoryConnection.largestAnswer && all.cut && all.error == nil)
  }

  @Test func incompleteEntriesAreReadAsFarAsPossible() throws {
    let odd = try search("odd")
    #expect(odd.error == nil)
    #expect(odd.found.map { $0.contact.emails.map(\.value) } == [["x@example.com"], ["z@example.com"]])
    #expect(odd.found.first?.contact.displayName == "XY")
  }
}

/// The program of `Fixtures/LDAP`, as a process of the test.
private final class HostileServer {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
  let port: Int
  private let process = Process()
  private let input = Pipe()

  init(_ mode: String) throws {
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/LDAP/hostile-server.py")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [program.path, mode]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit {
    // A test thread may block the signals that end a process, and the process inherits the mask.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
