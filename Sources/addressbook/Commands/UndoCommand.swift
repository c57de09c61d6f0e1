import AddressBookModel
import ArgumentParser
import Messages

/// `addressbook undo`: undoes the most recent change to the book or a given one, or lists the history.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "undo", abstract: strings("Help/undo"))

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("list"), help: help("undoList"))
  var lists = false

  @Option(name: .long, help: help("historyFormat"))
  var format: HistoryFormat = .table

  @OptionGroup var conflict: ConflictOptions

  @Argument(help: help("step", valueName: "step"))
  var step: Int64?

  func run() throws {
    if lists { return try list() }
    try ReversalCommand.run(book, conflict, done: "Undo/done", empty: "Undo/empty", nothing: "Undo/nothing") { book in
      guard let step else { return try book.stepToUndo() }
      guard let found = try book.step(step), !found.isReversed, found.kind != .undo else {
        throw CommandFailure(.nothingFound, strings("Undo/noStep", step))
      }
      return found
    }
  }

  private func list() throws {
    let book = try book.openToRead()
    defer { book.close() }
    let steps = try book.history()
    let output = StandardOutput()
    switch format {
    case .json: output.write(JSONHistory.text(steps))
    case .table:
      var table = TextTable(
        titles: ["step", "when", "who", "change", "contacts", ""].map { $0.isEmpty ? "" : strings("Column/" + $0) },
        limits: [20, 16, 24, 40, 12, 20])
      let rows = steps.map { step in
        [
          String(step.id), step.localTime, step.author, Self.name(of: step),
          String(step.count), step.isReversed ? strings("Undo/reversed") : "",
        ]
      }
      for row in rows { table.measure(row) }
      if !table.isEmpty { output.line(table.header) }
      for row in rows { output.line(table.line(row)) }
    }
    try output.flush()
    if steps.isEmpty { throw CommandFailure(.nothingFound, strings("Undo/noHistory")) }
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

/// What to do with fields that were changed again since the step.
struct ConflictOptions: ParsableArguments {
  @Flag(name: .customLong("force"), help: help("undoForce"))
  var isForced = false

  @Flag(name: .customLong("keep-theirs"), help: help("undoKeepTheirs"))
  var keepsTheirs = false

  func validate() throws {
    if isForced, keepsTheirs { throw ValidationError(strings("Misuse/forceAndKeep")) }
  }

  var policy: MergePolicy { isForced ? .objectWins : keepsTheirs ? .storeWins : .byField }
}

/// How the history is printed.
enum HistoryFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
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
