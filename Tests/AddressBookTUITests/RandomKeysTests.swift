import AddressBookModel
import Foundation
import Testing

@testable import AddressBookTUI
@testable import TerminalKit

/// Random keys, bytes, pastes, clicks, resizes and writes of others do not break the invariants of the screen.
///
/// `RANDOM_KEYS` is the number of steps (2,000 by default, more in `make soak`), and `RANDOM_SEED` the first seed. The
/// steps are divided into rounds, each with its own book and the next seed; `RANDOM_KEYS=5000 RANDOM_SEED=<seed of the
/// round>` repeats one round.
@MainActor
struct RandomKeysTests {
  private static let stepsInARound = 5_000

  @Test func theScreenStaysConsistentUnderRandomKeys() throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["RANDOM_KEYS"].flatMap(Int.init) ?? 2_000
    let first = environment["RANDOM_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...1_000_000)
    print("RANDOM_SEED=\(first) RANDOM_KEYS=\(steps)")
    for (round, start) in stride(from: 0, to: steps, by: Self.stepsInARound).enumerated() {
      try RandomRound(seed: first + UInt64(round)).run(steps: min(Self.stepsInARound, steps - start))
    }
  }
}

/// A few thousand random steps on one book.
@MainActor
private final class RandomRound {
  private let seed: UInt64
  private let harness: ScreenHarness
  private let others: BookContext
  private var events: RandomEvents
  private var decoder = InputDecoder()
  private var number = 0

  private struct Failed: Error {}

  init(seed: UInt64) throws {
    self.seed = seed
    harness = try ScreenHarness(Array(SampleContacts(count: 60, seed: seed)))
    harness.environment.opener = LinkOpener(command: ["true"], start: { _, _ in })
    others = harness.book.newContext()
    others.mergePolicy = .objectWins
    events = RandomEvents(seed: seed)
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      number = step
      switch events.next() {
      case .event(let event): try send(event)
      case .bytes(let bytes, let pauses):
        for event in decoder.feed(bytes) { try send(event) }
        if pauses { for event in decoder.flush() { try send(event) } }
      case .resize(let size):
        harness.resize(rows: size.rows, columns: size.columns)
        try check()
      case .write(let text): try write(RandomEvents.texts[text] + "x")
      }
      if step.isMultiple(of: 50) { try checkThatDrawingChangesNothing() }
      if step.isMultiple(of: 1_000) { try comeBack() }
    }
    try comeBack()
  }

  private func send(_ event: Event) throws {
    harness.send(event)
    try check()
    // Random keys must not touch the files of this machine: no import, no export, no other folder.
    let screens = harness.environment.screens
    if screens.top is TextPrompt { harness.send(.key(Key(.escape))) }
    if let chooser = screens.top as? PhotoChooserScreen, chooser.folder != Array(TestPhoto.folder.utf8) {
      screens.pop(chooser)
      harness.environment.photoFolder = Array(TestPhoto.folder.utf8)
    }
    if let chooser = screens.top as? ImportChooserScreen, chooser.folder != Array(TestPhoto.folder.utf8) {
      screens.pop(chooser)
      harness.environment.importFolder = Array(TestPhoto.folder.utf8)
    }
    if screens.top is ImportPreviewScreen { harness.send(.key(Key(.escape))) }
  }

  /// Changes, deletes or adds a contact in another context.
  private func write(_ text: String) throws {
    let rows = try harness.book.listRows()
    if rows.isEmpty || events.chance.next(4) == 0 {
      try others.insertPerson().set("family", to: .string(text))
    } else if let person = try others.person(rows[events.chance.next(rows.count)].id) {
      if events.chance.next(4) == 0 { try others.delete(person) } else { try person.set("family", to: .string(text)) }
    }
    try others.save()
  }

  /// Leaves every dialog and form, and checks that all contacts are listed, in the book's order.
  private func comeBack() throws {
    harness.resize(rows: 24, columns: 80)
    let screens = harness.environment.screens
    for _ in 0..<40 where screens.screens.count > 1 {
      harness.press("Esc")
      if screens.top is Question { harness.press("y") }
    }
    harness.press("Esc Esc Esc Esc")
    guard screens.screens.count == 1 else { throw fail("\(screens.screens) do not close") }
    let book = try harness.book.listRows().map(\.id)
    let list = harness.browser.list
    // A key may have chosen another order.
    if list.needsSorting(by: .name) { list.sort(by: .name) }
    try harness.wait("all contacts to be listed after step \(number) of seed \(seed)") {
      list.rowCount == book.count && (0..<list.rowCount).map { list.snapshot.id(atFlatRow: $0) } == book
    }
    harness.draw()
    let titles = list.snapshot.sections.map(\.title)
    guard Set(titles).count == titles.count else { throw fail("sections \(titles)") }
  }

  // MARK: Invariants

  private func check() throws {
    guard let canvas = harness.terminal.canvas else { return }
    guard canvas.size == harness.terminal.size else { throw fail("a canvas of \(canvas.size)") }
    if let cursor = canvas.cursor, !Rect(canvas.size).contains(cursor) { throw fail("the cursor at \(cursor)") }
    // The other lines were checked when they changed.
    for row in harness.terminal.changedLines { try check(canvas.cells(ofLine: row), row) }
    try checkSelection()
  }

  /// Checks that cells contain nothing but text, and that no half of a wide cluster is alone.
  private func check(_ cells: ArraySlice<Cell>, _ row: Int) throws {
    var isSecondHalf = false
    for cell in cells {
      let isClean = cell.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && !cell.text.hasC1Controls
      guard isClean, (cell.width == 0) == isSecondHalf, cell.text.isEmpty == isSecondHalf else {
        throw fail("line \(row) holds \(cell)")
      }
      isSecondHalf = cell.width == 2
    }
    if isSecondHalf { throw fail("line \(row) ends in half a cluster") }
  }

  private func checkSelection() throws {
    let list = harness.browser.list
    if let row = list.selectedRow {
      guard row < list.rowCount, list.snapshot.id(atFlatRow: row) == list.selectedID else {
        throw fail("row \(row) of \(list.rowCount) is not \(list.selectedID.debugDescription)")
      }
    } else if list.rowCount > 0 {
      throw fail("no row is selected")
    }
  }

  private func checkThatDrawingChangesNothing() throws {
    harness.draw()
    let canvas = harness.terminal.canvas
    harness.draw()
    guard harness.terminal.changedCells == 0, harness.terminal.canvas?.cursor == canvas?.cursor else {
      throw fail("drawn twice it differs")
    }
  }

  private func fail(_ what: String) -> any Error {
    Issue.record("\(what), at step \(number) of seed \(seed). The screen:\n\(harness.terminal.text)")
    return Failed()
  }
}

extension String {
  /// Whether the text contains U+0080 to U+009F, which are C2 80 to C2 9F in UTF-8.
  fileprivate var hasC1Controls: Bool {
    utf8.contains(0xC2) && unicodeScalars.contains { (0x80..<0xA0).contains($0.value) }
  }
}
