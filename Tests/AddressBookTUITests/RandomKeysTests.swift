import AddressBookModel
import Foundation
import SeededRandom
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Random keys, pastes, clicks, resizes and writes of others: whatever is typed, what must hold holds.
///
/// `RANDOM_KEYS` says how many events (2,000 by default), `RANDOM_SEED` which.
@MainActor
struct RandomKeysTests {
  @Test func whateverIsTypedTheScreenStaysTrue() throws {
    let environment = ProcessInfo.processInfo.environment
    let events = environment["RANDOM_KEYS"].flatMap(Int.init) ?? 2_000
    let seed = environment["RANDOM_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...1_000_000)
    print("RANDOM_SEED=\(seed) RANDOM_KEYS=\(events)")
    var chance = SeededGenerator(seed: seed)
    let harness = try ScreenHarness(Array(DemoPeople(count: 60, seed: seed)))
    let context = harness.book.newContext()
    for number in 0..<events {
      switch chance.next(100) {
      case 0: harness.resize(rows: 1 + chance.next(45), columns: 1 + chance.next(140))
      case 1: harness.resize(rows: 24, columns: 80)
      case 2: harness.send(.paste(Self.texts[chance.next(Self.texts.count)]))
      case 3, 4:
        let point = Point(row: chance.next(24), column: chance.next(80))
        harness.send(
          .mouse(Mouse([.press, .drag, .wheelUp, .wheelDown][chance.next(4)], at: point, clicks: 1 + chance.next(2))))
      case 5:
        // Somebody else writes.
        let rows = try harness.book.listRows()
        if let row = rows.isEmpty ? nil : rows[chance.next(rows.count)], let person = try context.person(row.id) {
          person.family = Self.texts[chance.next(Self.texts.count)] + "x"
          context.mergePolicy = .objectWins
          try context.save()
        }
      default:
        // The files of the machine are not for random keys: no import, no other program.
        let key = Self.keys[chance.next(Self.keys.count)]
        harness.send(.key(key))
        if harness.environment.screens.top is PathPrompt { harness.send(.key(Key(.escape))) }
        if let chooser = harness.environment.screens.top as? PhotoChooserScreen,
          chooser.folder != Array(TestPhoto.folder.utf8)
        {
          harness.environment.screens.pop(chooser)
          harness.environment.pictureFolder = Array(TestPhoto.folder.utf8)
        }
      }
      check(harness, "event \(number) of seed \(seed)")
    }
    // Out of every dialog and form, back to everybody.
    harness.resize(rows: 24, columns: 80)
    for _ in 0..<12 where harness.environment.screens.screens.count > 1 {
      harness.press("Esc")
      if harness.environment.screens.top is Question { harness.press("y") }
    }
    harness.press("Esc Esc Esc")
    let count = try harness.book.contactCount()
    try harness.wait("everybody to be listed") { harness.browser.list.rowCount == count }
    let titles = harness.browser.list.snapshot.sections.map(\.title)
    #expect(Set(titles).count == titles.count)
  }

  private func check(_ harness: ScreenHarness, _ what: @autoclosure () -> String) {
    guard let canvas = harness.terminal.canvas else { return }
    #expect(canvas.size == harness.terminal.size, "\(what())")
    if let cursor = canvas.cursor { #expect(Rect(canvas.size).contains(cursor), "\(what()): cursor outside") }
    for row in 0..<canvas.size.rows {
      var column = 0
      while column < canvas.size.columns {
        let cell = canvas[row, column]
        let isClean = cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        if !isClean || cell.width == 0 || cell.width == 2 && column + 1 >= canvas.size.columns {
          Issue.record("\(what()): bad cell \(row) \(column): \(cell)")
          return
        }
        column += cell.width
      }
    }
    let list = harness.browser.list
    if list.rowCount == 0 {
      #expect(list.selectedRow == nil || list.selectedID == nil || list.rowCount == 0)
    } else if let row = list.selectedRow {
      #expect(row < list.rowCount, "\(what())")
      #expect(list.snapshot.id(atFlatRow: row) == list.selectedID, "\(what()): the selection is by id")
    } else {
      Issue.record("\(what()): nobody is selected")
    }
  }

  private static let texts = ["王小明", "O'Brien", "e\u{301}", "👨‍👩‍👧‍👦", "\u{1b}[31m", "a\nb", "", "%@%d", "مرحبا", "ก็"]

  private static let keys: [Key] = {
    let plain = "jkgGlhaeduyf?'/ \u{20}xqZm1王é".map { Key(.character($0)) }
    let named: [Key] = [
      Key(.enter), Key(.tab), Key(.backTab), Key(.escape), Key(.escape), Key(.backspace), Key(.delete), Key(.up),
      Key(.down),
      Key(.left), Key(.right), Key(.home), Key(.end), Key(.pageUp), Key(.pageDown), Key(.function(1)), Key(.insert),
    ]
    let control = "nprfbduskotxlgaew".map { Key.control($0) }
    return plain + named + control
  }()
}

extension SeededGenerator {
  fileprivate mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
