import AddressBookModel
import BookInterchange
import Contacts
import Glibc
import LDAPDirectory
import Messages

/// The actions of a directory's screen: copying entries to the user's book, undo and redo, and opening and copying
/// values.
@MainActor
final class DirectoryActions: BrowserAction {
  let parts: BrowserParts
  let source: any DirectorySource
  let links: LinkActions
  let undoing: UndoActions

  init(_ parts: BrowserParts, source: any DirectorySource) {
    self.parts = parts
    self.source = source
    links = LinkActions(parts)
    undoing = UndoActions(parts)
  }

  func text(of error: DirectoryError) -> String {
    DirectoryMessage.text(of: error, host: source.host, in: strings.localization)
  }

  /// Reads the entries again, with their photos, and copies them to the book as one undo step.
  /// - Parameter done: called when the copying has ended without an error.
  func add(_ entries: [DirectoryContact], done: @escaping @MainActor () -> Void) {
    guard !entries.isEmpty else { return }
    let (strings, book, session, source) = (strings, environment.book, editor.session, source)
    let names = entries.map { parts.name(of: $0.contact) }
    work.write(strings("directory.adding"), stopped: "status.writeStopped") { report in
      var copied: [CopiedContact] = []
      var missing = 0
      for (index, entry) in entries.enumerated() {
        if report.isCancelled() { throw CancellationError() }
        if entries.count > 1 { report.progress(strings("directory.adding") + " \(index + 1)/\(entries.count)") }
        if let now = try source.contact(entry.id, isCancelled: report.isCancelled) {
          copied.append(CopiedContact(contact: now.contact, picture: now.picture))
        } else {
          missing += 1
        }
      }
      let result = try book.copy(copied, from: source.host, in: session, isCancelled: report.isCancelled)
      return BackgroundWork.Outcome(
        message: Self.message(result.cards, missing, names, strings), count: result.recordedCount)
    } failed: { [self] error in
      guard !work.isStop(error) else { return false }
      switch error {
      case let error as DirectoryError where error.reason == .cancelled: status.say(strings("status.writeStopped"))
      case let error as DirectoryError: status.fail(text(of: error))
      case let error as StoreError:
        parts.show(error, isRequested: false) { [self] in add(entries, done: done) }
      default: return false
      }
      return true
    } done: { _ in
      done()
    }
  }

  /// Returns the message about the result, with the name of a single entry or the numbers of several.
  private nonisolated static func message(
    _ report: ImportReport, _ missing: Int, _ names: [String], _ strings: Strings
  ) -> String {
    guard names.count > 1 else {
      let key =
        missing > 0
        ? "gone"
        : report.imported > 0 ? "added" : report.updated > 0 ? "updated" : report.unchanged > 0 ? "same" : "refused"
      return strings("directory." + key, names.first ?? "")
    }
    let text = strings(
      "directory.addedMany", strings.number(report.imported), strings.number(report.updated),
      strings.number(report.unchanged))
    let lost = missing + report.unreadable
    return lost == 0 ? text : text + " " + strings.count("directory.notAdded", lost)
  }
}

/// Opens the configured directory, or lets the user choose one of several.
@MainActor
final class DirectoryOpening: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  func open() {
    let directories = environment.directories
    guard let first = directories.first else { return status.say(strings("directory.none")) }
    guard directories.count > 1 else { return open(first) }
    environment.choose(title: strings("directory.choose"), items: directories.map(\.host)) { [self] choice in
      if case .item(let index) = choice { open(directories[index]) }
    }
  }

  private func open(_ directory: any DirectorySource) {
    environment.screens.push(
      DirectoryScreen(
        environment: environment, actions: DirectoryActions(parts, source: directory), isWholeProgram: false))
  }
}

/// User-visible messages about a directory.
public enum DirectoryMessage {
  /// The package with the library in Debian 13 and in Debian 12.
  private static let packages = ("libldap2", "libldap-2.5-0")

  /// Returns why a directory could not be searched.
  /// - Parameters:
  ///   - host: the host of the directory.
  ///   - localization: the language.
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
