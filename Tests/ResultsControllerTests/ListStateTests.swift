import Testing

@testable import ResultsController

/// Cases of the view's state that the case file does not cover.
@Suite
struct ListStateTests {
  private func update(_ before: [Int64], _ after: [Int64], moved: Set<Int64> = []) throws -> ResultsUpdate {
    func snapshot(_ ids: [Int64]) throws -> ResultsSnapshot {
      let rows = ids.enumerated().map { FoundRow(id: $0.element, section: .null, key: [UInt8($0.offset)], digest: 0) }
      let index = try OrderedIndex(chunks: [], sections: [], isSectioned: false).applying(removed: [], inserted: rows)
      return ResultsSnapshot(generation: 1, plan: nil, index: index, titles: { _ in "" })
    }
    let moves = moved.map { id in
      ChangeSet.Move(
        id: id, from: RowPath(section: 0, row: before.firstIndex(of: id) ?? -1),
        to: RowPath(section: 0, row: after.firstIndex(of: id) ?? -1), contentChanged: true)
    }
    let deletes = before.filter { !after.contains($0) }.map { id in
      ChangeSet.Row(id: id, path: RowPath(section: 0, row: before.firstIndex(of: id) ?? -1))
    }
    return try ResultsUpdate(
      before: snapshot(before), after: snapshot(after), changes: ChangeSet(deletes: deletes, moves: moves),
      completesOpening: false)
  }

  @Test func aMovedTopRowIsNotFollowed() throws {
    var state = ListState(top: 1, height: 2, focus: 2)
    #expect(state.apply(try update([1, 2, 3, 4], [1, 3, 4, 2], moved: [2])) == 3)
    #expect(state.top == 0)
    #expect(state.focus == 2)
  }

  /// A window that was restored before the list was read stays where it is.
  @Test func anInitialListChangesOnlyWhatItDoesNotHave() throws {
    let list = try update([], [1, 2, 3, 4]).after
    var state = ListState(top: 2, height: 2, selection: [3, 9], focus: 4)
    state.apply(ResultsUpdate(initial: list))
    #expect(state == ListState(top: 2, height: 2, selection: [3], focus: 4))
    state = ListState(top: 3, height: 2, focus: 9)
    state.apply(ResultsUpdate(initial: list))
    #expect(state == ListState(top: 2, height: 2))
  }

  @Test func nothingLeft() throws {
    var state = ListState(top: 1, height: 2, selection: [1], focus: 2)
    #expect(state.apply(try update([1, 2, 3], [])) == nil)
    #expect(state == ListState(top: 0, height: 2))
  }

  @Test func emptyListFills() throws {
    var state = ListState(top: 0, height: 2)
    #expect(state.apply(try update([], [1, 2])) == nil)
    #expect(state == ListState(top: 0, height: 2))
  }

  @Test func topBeyondTheEnd() throws {
    var state = ListState(top: 9, height: 2, focus: 77)
    #expect(state.apply(try update([1, 2, 3, 4, 5], [1, 2, 3])) == 3)
    #expect(state.top == 2)
    #expect(state.focus == 3)
  }

  @Test func aHeightAndARangeBeyondTheEndAreClipped() throws {
    var state = ListState(top: 1, height: .max)
    let update = try update([1, 2, 3], [1, 3])
    #expect(state.apply(update) == 3)
    #expect(state.top == 0)
    #expect(update.before.ids(inFlatRows: 1..<Int.max) == [2, 3])
    #expect(update.before.ids(inFlatRows: Int.min..<2) == [1, 2])
    #expect(update.before.idSet(inFlatRows: Int.min..<Int.max) == [1, 2, 3])
  }

  /// Empty lines at the bottom, while earlier rows are hidden above, would look like the end of a shorter list.
  @Test func aListThatFitsItsViewShowsFromItsFirstRow() throws {
    var state = ListState(top: 3, height: 4, focus: 5)
    #expect(state.apply(try update([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 5])) == 5)
    #expect(state.top == 0)
    #expect(state.focus == 5)
    state = ListState(top: 3, height: 4)
    state.apply(try update([1, 2, 3, 4, 5, 6, 7], [1, 2, 4, 5, 6]))
    #expect(state.top == 2, "a longer list keeps its row on its line")
  }
}
