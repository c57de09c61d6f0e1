import TerminalKit
import TerminalKitTesting
import Testing

@MainActor private final class TimerBox {
  var timer: TimerID?
}

@MainActor @Suite struct ManualLoopTests {
  @Test func aTimerThatAnEarlierOneCancelsDoesNotFire() {
    let loop = ManualLoop()
    var fired: [String] = []
    let canceled = TimerBox()
    loop.schedule(after: 5) {
      fired.append("first")
      canceled.timer.map(loop.cancel)
      loop.schedule(after: 5) { fired.append("later") }
    }
    canceled.timer = loop.schedule(after: 5) { fired.append("never") }
    loop.schedule(after: 5) { fired.append("second") }
    loop.advanceTime()
    #expect(fired == ["first", "second"])
    loop.advanceTime()
    #expect(fired == ["first", "second", "later"] && loop.timerCount == 0)
  }
}
