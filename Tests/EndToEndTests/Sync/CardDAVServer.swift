import Foundation
import Glibc
import Testing

/// A server on the loopback interface, with two address books of the user `tester`.
final class CardDAVServer {
  enum Kind: String, CaseIterable {
    case radicale, xandikos, sabre

    /// The path of the address books.
    var home: String {
      switch self {
      case .radicale: "tester/"
      case .xandikos: "tester/contacts/"
      case .sabre: "addressbooks/tester/"
      }
    }

    /// True if the programs that the tests with this server need are installed.
    var isInstalled: Bool {
      let program = self == .sabre ? "php" : rawValue
      let areThere = [program, "vdirsyncer", "curl"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 }
      return areThere && (self != .sabre || access("/usr/share/php/Sabre/autoload.php", R_OK) == 0)
    }
  }

  let url: String
  private let kind: Kind
  private let folder: Program.Folder
  private let port: UInt16
  private var process: Process?

  /// True if the programs that the tests with Radicale need are installed.
  static let isInstalled = Kind.radicale.isInstalled

  init(_ kind: Kind = .radicale) throws {
    self.kind = kind
    folder = try Program.Folder()
    port = try Self.freePort()
    url = "http://127.0.0.1:\(port)/"
    let configuration = """
      [server]
      hosts = 127.0.0.1:\(port)
      [auth]
      type = none
      [rights]
      type = owner_only
      [storage]
      type = multifilesystem
      filesystem_folder = \(folder.path)/store
      [web]
      type = none
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder.path + "/radicale.conf"))
    try start()
    for book in kind == .sabre ? [] : ["private", "work"] {
      let body = """
        <?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop><resourcetype>\
        <collection/><C:addressbook/></resourcetype><displayname>\(book)</displayname></prop></set></mkcol>
        """
      #expect(try curl(["-X", "MKCOL", "-H", "Content-Type: application/xml"], book + "/", body).status == 201)
    }
  }

  deinit { stop() }

  /// Starts the server and waits until it answers.
  func start() throws {
    let process = Process()
    let program: [String]
    switch kind {
    case .radicale: program = ["radicale", "--config", folder.path + "/radicale.conf"]
    case .xandikos:
      program = [
        "xandikos", "--defaults", "-d", folder.path + "/store", "-l", "127.0.0.1", "-p", String(port),
        "--current-user-principal", "/tester/",
      ]
    case .sabre:
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/CardDAV/sabredav.php").path
      program = ["php", "-S", "127.0.0.1:\(port)", script]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["DATABASE": folder.path + "/cards.db"], uniquingKeysWith: { $1 })
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program[0])
    process.arguments = Array(program.dropFirst())
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    self.process = process
    let end = Date().addingTimeInterval(20)
    while try curl([], nil).status == 0, Date() < end { usleep(50_000) }
  }

  func stop() {
    guard let process else { return }
    // After SIGTERM, it would wait until its connections are closed.
    kill(process.processIdentifier, SIGKILL)
    let end = Date().addingTimeInterval(10)
    while process.isRunning, Date() < end { usleep(5000) }
    self.process = nil
  }

  func put(_ card: String, _ path: String) throws {
    let status = try curl(["-X", "PUT", "-H", "Content-Type: text/vcard"], path, card).status
    #expect(status == 201 || status == 204, "\(path): \(status)")
  }

  /// Returns the card on the server; empty if there is none.
  func get(_ path: String) throws -> String {
    let (status, text) = try curl([], path)
    return status == 200 ? text : ""
  }

  func delete(_ path: String) throws {
    #expect(try curl(["-X", "DELETE"], path).status / 100 == 2)
  }

  /// Returns the names of the cards of an address book with their versions, which change with each upload.
  func versions(_ book: String) throws -> [String: String] {
    let text = try curl(["-X", "PROPFIND", "-H", "Depth: 1"], book + "/").text
      .replacingOccurrences(of: "<(/?)[a-z0-9]+:", with: "<$1", options: .regularExpression)
    var result: [String: String] = [:]
    for part in text.components(separatedBy: "<response>").dropFirst() {
      guard let href = part.components(separatedBy: "<href>").dropFirst().first?.components(separatedBy: "<").first,
        let tag = part.components(separatedBy: "getetag>").dropFirst().first?.components(separatedBy: "<").first,
        href.hasSuffix(".vcf")
      else { continue }
      result[String(href.split(separator: "/").last ?? "")] = tag
    }
    return result
  }

  func displayName(_ book: String) throws -> String {
    let text = try curl(["-X", "PROPFIND", "-H", "Depth: 0"], book + "/").text
    return text.components(separatedBy: "<displayname>").dropFirst().first?.components(separatedBy: "<").first ?? ""
  }

  /// Sends a request about an address book or a card, or to the root. Returns the HTTP status, 0 if there was no answer,
  /// and the body.
  private func curl(
    _ arguments: [String], _ path: String?, _ body: String? = nil
  ) throws -> (status: Int, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments =
      ["-s", "--noproxy", "*", "-u", "tester:x", "-w", "\n%{http_code}"] + arguments
      + (body == nil ? [] : ["--data-binary", "@-"])
      + [url + (path.map { kind.home + $0 } ?? "")]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data((body ?? "").utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.lastIndex(of: "\n") ?? text.startIndex
    return (Int(text[line...].trimmingCharacters(in: .newlines)) ?? 0, String(text[..<line]))
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return UInt16(bigEndian: address.sin_port)
  }
}
