import AddressBookModel
import Contacts
import Foundation
import Synchronization
import SystemCalls
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

/// Which drafts are written, in which order, and on which thread.
@MainActor
struct DraftAutosaveTests {
  /// Records requests; each write waits until the test releases it.
  private final class Recorder: DraftStore {
    enum Event: Equatable { case wrote(String), failed(String), removed }

    let path = "/x"
    let mayEnd = DispatchSemaphore(value: 0)
    let isFull = Mutex(false)
    let events = Mutex<[Event]>([])
    let wroteOnMainThread = Mutex(false)

    func write(_ draft: Draft) throws(FileFailure) {
      if Thread.isMainThread { wroteOnMainThread.withLock { $0 = true } }
      mayEnd.wait()
      let family = draft.applied(to: Contact()).family
      let isFull = isFull.withLock { $0 }
      events.withLock { $0.append(isFull ? .failed(family) : .wrote(family)) }
      if isFull { throw FileFailure(path, ENOSPC) }
    }

    func remove() throws(FileFailure) { events.withLock { $0.append(.removed) } }
  }

  private let recorder = Recorder()
  private let loop = ManualLoop()
  private let autosave: DraftAutosave

  init() { autosave = DraftAutosave(store: recorder, loop: loop) }

  private func note(_ family: String) {
    var contact = Contact()
    contact.family = family
    autosave.update(Draft(original: Contact(), changed: contact))
  }

  private func waitUntilIdle() throws {
    loop.drain()
    while !autosave.isIdle {
      try #require(loop.waitForPost(until: .now() + .seconds(20)))
      loop.drain()
    }
  }

  private var events: [Recorder.Event] { recorder.events.withLock { $0 } }

  @Test func theMainThreadNeitherWritesNorWaits() throws {
    note("1")
    loop.advanceTime()
    #expect(!autosave.isIdle, "it is being written, and takes its time")
    for family in ["2", "3", "4"] {
      note(family)
      loop.advanceTime()
    }
    #expect(events == [])
    for _ in 0..<2 { recorder.mayEnd.signal() }
    try waitUntilIdle()
    #expect(events == [.wrote("1"), .wrote("4")], "the newest of those that waited")
    #expect(!recorder.wroteOnMainThread.withLock { $0 })
    #expect(autosave.flush() == nil)
    #expect(events.count == 2, "nothing is left to be written")
  }

  @Test func aDraftIsWrittenAtTheFirstPauseAndEverySecond() throws {
    for _ in 0..<9 { recorder.mayEnd.signal() }
    for key in 1...15 {
      note(String(key))
      loop.advanceTime(by: 200)
      try waitUntilIdle()
    }
    #expect(events == [.wrote("5"), .wrote("10"), .wrote("15")], "while keys are typed without a pause")
    note("16")
    loop.advanceTime(by: 299)
    try waitUntilIdle()
    #expect(events.count == 3)
    loop.advanceTime(by: 1)
    try waitUntilIdle()
    #expect(events.last == .wrote("16"))
    note("17")
    autosave.discard()
    loop.advanceTime(by: 2000)
    try waitUntilIdle()
    #expect(events.last == .removed)
  }

  @Test func theNewestDraftIsWrittenAtExit() {
    note("1")
    loop.advanceTime()
    note("2")
    for _ in 0..<2 { recorder.mayEnd.signal() }
    #expect(autosave.flush() == nil)
    #expect(events == [.wrote("1"), .wrote("2")])
    loop.drain()
    #expect(autosave.isIdle && autosave.flush() == nil)
    #expect(events.count == 2)
  }

  @Test func aDraftDiscardedDuringItsWriteIsRemovedAfterIt() throws {
    note("1")
    loop.advanceTime()
    autosave.discard()
    note("next form")
    loop.advanceTime()
    for _ in 0..<2 { recorder.mayEnd.signal() }
    try waitUntilIdle()
    #expect(autosave.flush() == nil)
    #expect(events == [.wrote("1"), .removed, .wrote("next form")])
  }

  @Test func aFailedDraftWriteIsRetriedAtExit() {
    var told: [String] = []
    autosave.onFailure = { told.append($0) }
    recorder.isFull.withLock { $0 = true }
    note("1")
    loop.advanceTime()
    for _ in 0..<2 { recorder.mayEnd.signal() }
    #expect(autosave.flush() != nil)
    #expect(told.count == 1)
    recorder.isFull.withLock { $0 = false }
    recorder.mayEnd.signal()
    #expect(autosave.flush() == nil)
    #expect(events == [.failed("1"), .failed("1"), .wrote("1")])
  }
}
