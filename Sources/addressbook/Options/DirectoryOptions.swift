import AddressBookModel
import AddressBookTUI
import ArgumentParser
import LDAPDirectory

/// The user on a server. All commands share this type: the program itself has these options too, and if a command
/// declared its own, the parser would assign them to the program.
struct LoginOptions: ParsableArguments {
  @Option(name: .long, help: help("loginUser"))
  var user: String?

  @Option(name: .customLong("password-command"), help: help("passwordCommand", valueName: "command"))
  var passwordCommand: String?
}

/// How to connect to a directory that `--book` names.
struct DirectoryOptions: ParsableArguments {
  @Flag(name: .customLong("no-tls"), help: help("noTLS"))
  var allowsClearText = false

  /// The access to a directory at an address. If there is a user, runs the program that prints the password.
  /// - Throws: `CommandFailure`.
  func access(to address: String, as login: LoginOptions) throws -> DirectoryAccess {
    let url: DirectoryURL
    do {
      url = try DirectoryURL(address)
    } catch {
      throw CommandFailure(.misuse, DirectoryMessage.text(of: error, address: address, in: .shared))
    }
    var access = DirectoryAccess(url)
    if let user = login.user { access.user = user }
    access.allowsClearText = allowsClearText
    guard access.user != nil else {
      if login.passwordCommand != nil { throw CommandFailure(.misuse, strings("Misuse/account.withoutUser")) }
      return access
    }
    guard let program = try Self.passwordProgram(login.passwordCommand, host: url.host) else {
      throw CommandFailure(.misuse, strings("Misuse/userWithoutPassword"))
    }
    do {
      access.password = try program.run(usesTerminal: true)
    } catch {
      let reason = DirectoryMessage.text(of: error, in: .shared)
      throw CommandFailure(.failed, strings("Failed/password", program.words[0], reason))
    }
    return access
  }

  /// The program from the command line, or else from config.toml.
  private static func passwordProgram(_ text: String?, host: String) throws -> PasswordProgram? {
    guard let text else { return PersonalSettings.directoryPassword?.with(host) }
    guard let program = PasswordProgram(text) else {
      throw CommandFailure(.misuse, strings("Misuse/passwordCommand", text))
    }
    return program
  }
}

extension CommandFailure {
  /// A directory could not be searched.
  init(_ error: DirectoryError, host: String) {
    self.init(.failed, DirectoryMessage.text(of: error, host: host, in: .shared))
  }
}
