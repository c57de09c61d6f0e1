import AddressBookModel
import Dispatch
import Synchronization
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

/// Work in the background waits while keys are pressed.
@MainActor
struct KeyPauseTests {
  /// A clock that a test moves, and that also advances by `step` at each reading.
  private final class Moment: Sendable {
    private let time = Atomic<UInt64>(1)
    private let step: UInt64
    init(step: UInt64 = 0) { self.step = step }
    var now: UInt64 { time.add(step, ordering: .relaxed).newValue }
    func pass(_ nanoseconds: UInt64) { time.add(nanoseconds, ordering: .relaxed) }
  }

  @Test func thePauseEndsSomeTimeAfterTheLastKey() {
    let moment = Moment()
    let pause = KeyPause(rest: 100, longest: 1000) { moment.now }
    #expect(pause.remaining == 0)
    pause.recordEvent()
    #expect(pause.remaining == 100)
    moment.pass(60)
    #expect(pause.remaining == 40)
    pause.recordEvent()
    #expect(pause.remaining == 100)
    moment.pass(100)
    #expect(pause.remaining == 0 && !pause.waitOrStop())
  }

  @Test func workDoesNotWaitForever() {
    let moment = Moment(step: 1)
    let pause = KeyPause(rest: 1_000, longest: 3) { moment.now }
    pause.recordEvent()
    #expect(pause.remaining > 0)
    #expect(!pause.waitOrStop())
    // The wait ended because it reached its maximum, not because no key had been pressed.
    pause.recordEvent()
    #expect(pause.remaining == 0)
    // The next work waits again.
    pause.begin()
    pause.recordEvent()
    #expect(pause.remaining > 0)
  }

  @Test(.timeLimit(.minutes(5))) func workThatWaitsCanBeEnded() {
    let pause = KeyPause(rest: 3_600_000_000_000)
    pause.recordEvent()
    let group = DispatchGroup()
    let isEnded = CancellationFlag()
    DispatchQueue.global().async(group: group) { if pause.waitOrStop() { isEnded.set() } }
    pause.cancel()
    group.wait()
    #expect(isEnded.isSet)
  }

  @Test func maintenanceWaits() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    let (book, loop) = (harness.book, harness.loop)
    let ids = try book.listRows().map(\.id)
    _ = try book.bulkEdit(Array(ids.prefix(1)), .delete, as: StepName(.delete), isCancelled: { false })
    try book.database.write { db in
      try db.execute(sql: "UPDATE contact SET deleted_at = '2020-01-01T00:00:00Z' WHERE id = \(ids[0])")
    }
    let moment = Moment()
    let readings = Atomic(0)
    let rest: UInt64 = 1_000_000
    let pause = KeyPause(rest: rest, longest: .max) {
      readings.add(1, ordering: .relaxed)
      loop.post {}
      return moment.now
    }
    let keeper = DailyMaintenance(
      book: book, count: 0, trashDays: 30, status: harness.browser.parts.status,
      strings: harness.environment.strings, loop: loop, pause: pause)
    keeper.recordEvent()
    keeper.schedule()
    loop.advanceTime()
    // Work that waits reads the clock again and again.
    try harness.wait("the maintenance to wait") { readings.load(ordering: .relaxed) > 20 }
    #expect(try book.deletedCount() == 1)
    moment.pass(rest)
    try harness.wait("the maintenance to end") { (try? book.deletedCount()) == 0 }
    keeper.stop()
  }
}
