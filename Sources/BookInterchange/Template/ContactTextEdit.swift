import AddressBookModel
import ContactInterchange
import Contacts
import Messages
import SystemCalls

/// Contacts that the user edits as text. What is wrong in the text is written into it, above its line.
public struct ContactTextEdit {
  /// The text to edit.
  private(set) var text: String
  private let bases: [Contact]
  private let words: Localization
  /// Begins the lines that say what is wrong.
  private static let mark = "# ! "

  /// - Parameters:
  ///   - contacts: the contacts; the id of a new one is 0.
  ///   - words: the language of the explanations at the beginning of the text.
  public init(_ contacts: [Contact], in words: Localization) {
    bases = contacts
    self.words = words
    text = words.text("Template/guide", table: "Command").split(separator: "\n").map { "# \($0)\n" }.joined()
    for contact in contacts {
      if contacts.count > 1 { text += ContactTemplate.separator + "\n" }
      ContactTemplate.append(contact, hasID: contact.id != 0, to: &text)
    }
  }

  /// Opens the user's editor until the text can be saved. A text that stays as it is, or is emptied, changes nothing.
  /// - Parameters:
  ///   - open: runs the editor of a file.
  ///   - save: saves what was changed.
  /// - Returns: what `save` returns; nil if nothing was changed.
  /// - Throws: `ContactTextFailure`; the file with the text stays.
  public mutating func run<Saved>(
    _ open: (EditedFile) throws(EditedFile.Failure) -> String = { (file) throws(EditedFile.Failure) in try file.edit()
    },
    save: ([ContactEdit]) throws(EditError) -> Saved
  ) throws(ContactTextFailure) -> Saved? {
    let file = try Self.file(nil) { () throws(EditedFile.Failure) in try EditedFile(text, name: "contacts.yaml") }
    while true {
      // Lines are counted below, and an editor may end them as Windows does.
      let edited = try Self.file(file.path) { () throws(EditedFile.Failure) in
        try open(file).replacing("\r\n", with: "\n")
      }
      if edited == text, isRefused { throw .refused(path: file.path) }
      if let edits = edited == text ? [] : take(edited) {
        do throws(EditError) {
          let saved = edits.isEmpty ? nil : try save(edits)
          file.remove()
          return saved
        } catch {
          switch error {
          case .invalid, .exists: write([(1, error.message(in: words))], into: edited)
          default: throw .notSaved(error, path: file.path)
          }
        }
      }
      try Self.file(file.path) { () throws(EditedFile.Failure) in try file.write(text) }
    }
  }

  private static func file<Value>(
    _ path: String?, _ body: () throws(EditedFile.Failure) -> Value
  ) throws(ContactTextFailure) -> Value {
    do { return try body() } catch { throw .editor(error, path: path) }
  }

  /// Takes the edited text.
  /// - Returns: the edits of the contacts that it changes, and those of new ones; nil if something is wrong, which
  ///   ``text`` says then.
  mutating func take(_ edited: String) -> [ContactEdit]? {
    var problems: [(line: Int, text: String)] = []
    var edits: [ContactEdit] = []
    for found in TemplateReader.contacts(in: edited) {
      problems += found.problems.map { ($0.line, $0.problem.message(in: words)) }
      let id = found.contact.id
      guard let base = id == 0 ? Contact() : bases.first(where: { $0.id == id }) else {
        problems.append((found.line, words.text("Template/otherID", String(id), table: "Command")))
        continue
      }
      let mine = found.applied(to: base)
      guard mine != base else { continue }
      let errors = ContactRules.issues(in: mine).filter { $0.severity == .error }
      problems += errors.map { (found.line(of: $0.property), $0.message(in: words)) }
      edits.append(ContactEdit(of: base, to: mine))
    }
    guard !problems.isEmpty else { return edits }
    write(problems, into: edited)
    return nil
  }

  /// Whether the text says what is wrong in it.
  private var isRefused: Bool { text.hasPrefix(Self.mark) || text.contains("\n" + Self.mark) }

  private mutating func write(_ problems: [(line: Int, text: String)], into edited: String) {
    text = ""
    for (index, line) in edited.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for problem in problems where problem.line == index + 1 {
        text += problem.text.split(separator: "\n").map { Self.mark + $0 + "\n" }.joined()
      }
      if !line.hasPrefix(Self.mark) { text += line + "\n" }
    }
    // The last line of a text ends with a line end, too.
    text.removeLast()
  }
}

/// Why a text was not saved. Its file stays.
public enum ContactTextFailure: Error {
  /// There is no edited text. The path is nil if the file could not be written.
  case editor(EditedFile.Failure, path: String?)
  /// The user left what is wrong in it as it is.
  case refused(path: String)
  /// The edits could not be saved.
  case notSaved(EditError, path: String)

  /// The reason, for the user.
  public func message(in words: Localization) -> String {
    func text(_ key: String, _ arguments: String...) -> String {
      words.text("Template/" + key, arguments: arguments, table: "Command")
    }
    switch self {
    case .editor(.file(let failure), _): return "\(failure.path): \(failure.message)"
    case .editor(.editor(let name, let failure), let path): return text("noEditor", name, failure.message, path ?? "")
    case .editor(.status(let name, let status), let path): return text("editorFailed", name, String(status), path ?? "")
    case .refused(let path): return text("notRead", path)
    case .notSaved(let error, let path): return text("notSaved", error.message(in: words), path)
    }
  }
}
