import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import Messages

/// `addressbook undo`: undoes the most recent change to the book or a given one, or lists the history.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "undo", abstract: strings("Help/undo"))

  /// What follows the command: `list`, or the number of a step.
  enum Target: ExpressibleByArgument {
    case list
    case step(Int64)

    init?(argument: String) {
      if argument == "list" {
        self = .list
      } else if let step = Int64(argument) {
        self = .step(step)
      } else {
        return nil
      }
    }
  }

  @OptionGroup var book: BookOptions

  /// The old spelling of `undo list`.
  @Flag(name: .customLong("list"), help: .hidden)
  var lists = false

  @Option(name: .long, help: help("historyFormat"))
  var format: ListFormat = .table

  @OptionGroup var conflict: ConflictOptions

  @Argument(help: help("step", valueName: "step"), completion: .list(["list"]))
  var target: Target?

  func run() throws {
    if lists { return try list() }
    switch target {
    case .list: try list()
    case .step(let step): try undo(step)
    case nil: try undo(nil)
    }
  }

  private func undo(_ step: Int64?) throws {
    try ReversalCommand.run(book, conflict, done: "Undo/done", empty: "Undo/empty", nothing: "Undo/nothing") { book in
      guard let step else { return try book.stepToUndo() }
      guard let found = try book.step(step), !found.isReversed, found.kind != .undo else {
        throw CommandFailure(.nothingFound, strings("Undo/noStep", step))
      }
      return found
    }
  }

  /// Lists the history, the latest step first.
  private func list() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let listing = Listing<EditStep>(
      columns: [
        Column("step", 20), Column("when", 16), Column("who", 24), Column("change", 40), Column("contacts", 12),
        Column("", 20),
      ],
      rows: { step in
        let note = step.isReversed ? strings("Undo/reversed") : ""
        return [[String(step.id), step.localTime, step.author, Self.name(of: step), String(step.count), note]]
      }, json: { .object($0.json) })
    try listing.print(format, try book.history(), empty: strings("Undo/noHistory"))
  }

  private static func name(of step: EditStep) -> String {
    let text = step.text(in: .shared)
    return switch step.kind {
    case .change: text
    case .undo: strings("Undo/undo", text)
    case .redo: strings("Undo/redo", text)
    }
  }
}

/// `addressbook redo`: reverses the most recent undo, unless something was changed since.
struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "redo", abstract: strings("Help/redo"))

  @OptionGroup var book: BookOptions

  @OptionGroup var conflict: ConflictOptions

  func run() throws {
    try ReversalCommand.run(book, conflict, done: "Redo/done", empty: "Redo/empty", nothing: "Redo/nothing") { book in
      try book.stepToRedo()
    }
  }
}

/// `addressbook log`: who changed what in a contact, and when.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "log", abstract: strings("Help/log"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  @Argument(help: help("logReference", valueName: "id"))
  var reference: String

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    // A deleted contact has a history too.
    let id = try ContactReference.find(reference, in: book)?.id ?? DeletedReference.findAll([reference], in: book)[0].id
    let changes = try book.changes(ofContact: id)
    // Lines instead of a table: values would be truncated.
    let listing = Listing<ContactChange>(
      columns: [],
      rows: { change in
        let step = change.step
        let differences = change.differences(in: .shared).map { $0.line(in: .shared) }
        return (differences.isEmpty ? [""] : differences).map {
          [String(step.id), step.moment, step.author, change.kind.rawValue, $0]
        }
      }, lines: Self.lines, json: Self.json)
    try listing.print(format, changes, empty: strings("Log/none"))
  }

  private static func lines(_ change: ContactChange) -> [String] {
    let step = change.step
    return ["\(step.localTime)  \(change.heading(in: .shared))  \(step.author)"]
      + change.differences(in: .shared).map { "    " + $0.line(in: .shared) }
  }

  private static func json(_ change: ContactChange) -> JSON {
    let fields = change.fields.map { field in
      JSON.object([
        ("field", .text(field.jsonKey)), ("before", .encoded(ContactJSON.encode(field, of: change.before))),
        ("after", .encoded(ContactJSON.encode(field, of: change.after))),
      ])
    }
    let folders = change.folders.map { move in
      JSON.object([("field", .text("folders")), ("before", .texts(move.before)), ("after", .texts(move.after))])
    }
    return .object(
      change.step.json + [
        ("change", .text(change.kind.rawValue)), ("fields", .list(fields + [folders].compactMap(\.self))),
      ])
  }
}

extension EditStep {
  /// Who made the step, and whether on the screen or with a command.
  fileprivate var author: String {
    Localization.shared.noted(user, strings("Log/program." + (program == "screen" ? program : "command")))
  }

  /// The members of its JSON.
  fileprivate var json: [(String, JSON)] {
    let kind =
      switch kind {
      case .change: "change"
      case .undo: "undo"
      case .redo: "redo"
      }
    return [
      ("step", .number(Int(id))), ("kind", .text(kind)), ("action", .text(name.action.rawValue)),
      ("subject", .text(name.subject)), ("contacts", .number(count)), ("moment", .text(moment)), ("user", .text(user)),
      ("program", .text(program)), ("undone", .boolean(isReversed)),
    ]
  }
}

/// What to do with fields that were changed again since the step.
struct ConflictOptions: ParsableArguments {
  @Flag(name: .customLong("force"), help: help("undoForce"))
  var isForced = false

  @Flag(name: .customLong("keep-theirs"), help: help("undoKeepTheirs"))
  var keepsTheirs = false

  func validate() throws {
    if isForced, keepsTheirs { throw ValidationError(strings("Misuse/forceAndKeep")) }
  }

  var policy: ContactMergePolicy { isForced ? .objectWins : keepsTheirs ? .storeWins : .byField }
}

/// The common part of undo and redo.
enum ReversalCommand {
  static func run(
    _ options: BookOptions, _ conflict: ConflictOptions, done: String, empty: String, nothing: String,
    find: (AddressBook) throws -> EditStep?
  ) throws {
    Interruption.watch()
    let book = try options.openToEdit()
    defer { book.closeAfterWriting() }
    guard let step = try find(book) else { throw CommandFailure(.nothingFound, strings(nothing)) }
    do throws(EditError) {
      let reversal = try book.reverse(step, policy: conflict.policy, isCancelled: { Interruption.wasRequested })
      StandardError.line(
        reversal.isEmpty
          ? strings(empty, step.text(in: .shared)) : strings(done, reversal.step.text(in: .shared)))
    } catch {
      switch error {
      case .missing: throw CommandFailure(.failed, strings("Undo/gone"))
      case .writtenSince(let conflict): throw CommandFailure(.conflict, try message(conflict, book))
      default: throw error
      }
    }
  }

  private static func message(_ conflict: RevertConflict, _ book: AddressBook) throws -> String {
    let names = try conflict.ids.prefix(3).map { id in
      let contact = try book.contactOrDeleted(id: id)
      return PlainText.cell(contact?.displayName ?? String(id))
    }
    let fields = Set(conflict.fields.map { Localization.shared.propertyPath($0, entity: "Person") }).sorted()
    let shown = Localization.shared.list(names) + (conflict.count > 3 ? " …" : "")
    return strings("Undo/conflict", Localization.shared.noted(shown, Localization.shared.list(fields)))
  }
}
