import Foundation
import SharedMaterial
import Testing

/// Encrypted connections to a real LDAP server on this machine.
@Suite(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed")) struct DirectoryEncryptionTests {
  private let program: Program
  private let found = ["ann@example.com\tAnn Archer\tExample"]

  init() throws { program = try Program() }

  private func query(_ url: String, _ arguments: String..., trusting file: String? = nil) throws -> Program.Result {
    var program = program
    program.environment["LDAPTLS_CACERT"] = file
    // The user's settings for the LDAP library do not turn verification off.
    program.environment["LDAPTLS_REQCERT"] = "never"
    program.environment["LDAPTLS_REQSAN"] = "never"
    return try program.run(["--book", url, "query", "--no-header", "ann"] + arguments)
  }

  @Test(.enabled(if: DirectoryServer.hasOpenSSL, "openssl is not installed"))
  func certificatesAreVerified() throws {
    let certificate = try DirectoryServer.certificate(in: program.folder.path)
    var settings = DirectoryServer.Settings()
    settings.certificate = certificate
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    let url = "ldaps://127.0.0.1:\(server.port + 1)"
    let unknown = try query(url)
    #expect(unknown.status == 3 && unknown.errors.contains("cannot be trusted"), "\(unknown.errors)")
    let known = try query(url, trusting: certificate.file)
    #expect(known.lines == found, "\(known.errors)")
    let other = try query("ldaps://localhost:\(server.port + 1)", trusting: certificate.file)
    #expect(other.status == 3 && other.errors.contains("cannot be trusted"), "\(other.errors)")
    #expect(try query("ldaps://127.0.0.1:\(server.port)", trusting: certificate.file).status == 3)
  }

  /// The name of the subject does not count beside the other names in the certificate.
  @Test(.enabled(if: DirectoryServer.hasOpenSSL, "openssl is not installed"))
  func theNameOfTheSubjectIsNotThatOfTheServer() throws {
    var settings = DirectoryServer.Settings()
    let certificate = try DirectoryServer.certificate(in: program.folder.path, subject: "localhost")
    settings.certificate = certificate
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    let other = try query("ldaps://localhost:\(server.port + 1)", trusting: certificate.file)
    #expect(other.status == 3 && other.errors.contains("cannot be trusted"), "\(other.errors)")
    #expect(try query("ldaps://127.0.0.1:\(server.port + 1)", trusting: certificate.file).lines == found)
  }

  /// The current folder may be anyone's; the home folder is the user's own.
  @Test(.enabled(if: DirectoryServer.hasOpenSSL, "openssl is not installed"))
  func theConfigurationInTheCurrentFolderIsNotRead() throws {
    var settings = DirectoryServer.Settings()
    let certificate = try DirectoryServer.certificate(in: program.folder.path)
    settings.certificate = certificate
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    _ = try program.file("ldaprc", "TLS_CACERT \(certificate.file)\n")
    let arguments = ["--book", "ldaps://127.0.0.1:\(server.port + 1)", "query", "--no-header", "ann"]
    #expect(try program.run(arguments).lines == found, "the home folder")
    var elsewhere = program
    elsewhere.environment["HOME"] = try Program.Folder().path
    let refused = try elsewhere.run(arguments)
    #expect(refused.status == 3 && refused.errors.contains("cannot be trusted"), "\(refused.errors)")
  }

  /// `127.1` is this machine, but not an address that the program recognizes as local.
  @Test(.enabled(if: DirectoryServer.hasOpenSSL, "openssl is not installed"))
  func otherMachinesAreContactedWithStartTLS() throws {
    let certificate = try DirectoryServer.certificate(in: program.folder.path)
    var settings = DirectoryServer.Settings()
    settings.certificate = certificate
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    let url = "ldap://127.1:\(server.port)"
    let unknown = try query(url)
    #expect(unknown.status == 3 && unknown.errors.contains("cannot be trusted"), "\(unknown.errors)")
    let known = try query(url, trusting: certificate.file)
    #expect(known.lines == found, "\(known.errors)")
    let user = ["--user", DirectoryServer.user.name, "--password-command", "echo 's3cret w0rd'"]
    #expect(try query(url, user[0], user[1], user[2], user[3], trusting: certificate.file).lines == found)
  }

  @Test func nothingIsSentInTheClearUnlessAskedFor() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let url = "ldap://127.1:\(server.port)"
    let refused = try query(url)
    #expect(refused.status == 3 && refused.errors.contains("is not encrypted"), "\(refused.errors)")
    #expect(try query(url, "--no-tls").lines == found)
    let password = try query(
      url, "--no-tls", "--user", DirectoryServer.user.name, "--password-command", "echo 's3cret w0rd'")
    #expect(password.status == 3 && password.errors.contains("No password is sent"), "\(password.errors)")
  }
}
