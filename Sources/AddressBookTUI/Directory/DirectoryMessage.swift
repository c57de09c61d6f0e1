import AddressBookModel
import Glibc
import LDAPDirectory
import Messages

/// User-visible messages about a directory.
public enum DirectoryMessage {
  /// The package with the library in Debian 13 and in Debian 12.
  private static let packages = ("libldap2", "libldap-2.5-0")

  /// Returns why a directory could not be searched.
  /// - Parameter host: the host of the directory.
  public static func text(of error: DirectoryError, host: String, in localization: Localization) -> String {
    let key = "directory.error." + error.reason.rawValue
    switch error.reason {
    case .noLibrary:
      return localization.text(key, arguments: [packages.0, packages.1], table: "Screen")
    case .noPassword where !error.detail.isEmpty:
      return localization.text(key + ".program", arguments: [host, error.detail], table: "Screen")
    default:
      // For most certificate errors the library only says “(unknown error code)”.
      let isKnown = !error.detail.hasPrefix("(unknown")
      let detail = isKnown ? error.detail.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(300) : ""
      let text = localization.text(key, arguments: [host, String(detail)], table: "Screen")
      return text.hasSuffix(" ") ? String(text.dropLast()) : text
    }
  }

  /// Returns why a text is not the address of a directory.
  public static func text(of problem: DirectoryURL.Problem, address: String, in localization: Localization) -> String {
    localization.text("directory.address." + problem.rawValue, arguments: [address], table: "Screen")
  }

  /// Returns why a program printed no password.
  public static func text(of failure: PasswordProgram.Failure, in localization: Localization) -> String {
    switch failure {
    case .notStarted(let code): String(cString: strerror(code))
    case .ended(let status): localization.text("directory.password.status", status, table: "Screen")
    case .noPassword: localization.text("directory.password.none", table: "Screen")
    }
  }
}
