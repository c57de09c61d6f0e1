import AddressBookModel
import AddressBookTUI
import ArgumentParser
import LDAPDirectory

/// How to get into a directory that `--book` names.
struct DirectoryOptions: ParsableArguments {
  @Option(name: .long, help: help("directoryUser", valueName: "dn"))
  var user: String?

  @Option(name: .customLong("password-command"), help: help("passwordCommand", valueName: "command"))
  var passwordCommand: String?

  @Flag(name: .customLong("no-tls"), help: help("noTLS"))
  var allowsClearText = false

  /// The access to a directory at an address. Asks for the password.
  /// - Throws: `CommandFailure`.
  func access(to address: String) throws -> DirectoryAccess {
    let url: DirectoryURL
    do {
      url = try DirectoryURL(address)
    } catch {
      throw CommandFailure(.misuse, DirectoryMessage.text(of: error, address: address, in: .shared))
    }
    var access = DirectoryAccess(url)
    if let user { access.user = user }
    access.allowsClearText = allowsClearText
    switch (access.user, passwordCommand) {
    case (nil, nil): break
    case (nil, _?): throw CommandFailure(.misuse, strings("Misuse/passwordWithoutUser"))
    case (_?, nil): throw CommandFailure(.misuse, strings("Misuse/userWithoutPassword"))
    case (_?, let command?): access.password = try PasswordCommand(command).run()
    }
    return access
  }
}

extension CommandFailure {
  /// A directory could not be searched.
  init(_ error: DirectoryError, host: String) {
    self.init(.failed, DirectoryMessage.text(of: error, host: host, in: .shared))
  }
}
