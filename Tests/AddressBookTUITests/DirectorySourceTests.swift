import Foundation
import LDAPDirectory
import SharedMaterial
import Testing

@testable import AddressBookTUI

/// The connection of the directory screen to a real server on this machine.
@Suite(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed")) struct DirectorySourceTests {
  private let folder: BookFolder
  private let server: DirectoryServer

  init() throws {
    folder = try BookFolder()
    var settings = DirectoryServer.Settings()
    settings.refusesStrangers = true
    server = try DirectoryServer(settings, entries: DirectoryPeople.company)
  }

  private func setPassword(_ password: String) throws {
    try password.write(toFile: folder.file("password"), atomically: true, encoding: .utf8)
  }

  /// The program that prints the password runs again after a wrong one.
  @Test(arguments: [true, false]) func aWrongPasswordIsNotKept(searches: Bool) throws {
    var access = DirectoryAccess(try DirectoryURL(server.url))
    access.user = DirectoryServer.user.name
    let program = try #require(PasswordProgram(words: ["cat", folder.file("password")]))
    let source = DirectoryServerSource(access, password: program)
    func request() throws(DirectoryError) {
      if searches {
        _ = try source.search("ann", limit: 0, isCancelled: { false }, onContacts: { _ in })
      } else {
        _ = try source.contact("uid=ann,ou=People,\(DirectoryServer.base)") { false }
      }
    }
    try setPassword("wrong")
    let error = #expect(throws: DirectoryError.self) { try request() }
    #expect(error?.reason == .wrongPassword)
    try setPassword(DirectoryServer.user.password)
    try request()
  }
}
