/// The difference between two lists, row by row: every row that was deleted, inserted, moved or changed is listed with
/// its id. A delete has a path in the old list and an insert one in the new list; moves and updates have both.
///
/// Rows that are neither deleted nor moved keep their order. A moved row is never also an update. Rows of inserted and
/// deleted sections are listed like all others; `batch()` leaves out what the sections imply.
public struct ChangeSet: Sendable, Equatable {
  /// A section that was inserted or deleted.
  public struct Section: Sendable, Hashable {
    /// Its ordinal: in the old list if deleted, in the new one if inserted.
    public let ordinal: Int
    /// The section.
    public let info: SectionInfo

    /// A section at an ordinal.
    public init(ordinal: Int, info: SectionInfo) {
      self.ordinal = ordinal
      self.info = info
    }
  }

  /// A row that was inserted or deleted.
  public struct Row: Sendable, Hashable {
    /// The row's id.
    public let id: Int64
    /// Its path: in the old list if deleted, in the new one if inserted.
    public let path: RowPath

    /// A row at a path.
    public init(id: Int64, path: RowPath) {
      self.id = id
      self.path = path
    }
  }

  /// A row that changed its position relative to others, or its section.
  public struct Move: Sendable, Hashable {
    /// The row's id.
    public let id: Int64
    /// The path in the old list.
    public let from: RowPath
    /// The path in the new list.
    public let to: RowPath
    /// Whether the row's content changed too, and not only the order of the list.
    public let contentChanged: Bool

    /// A move of a row.
    public init(id: Int64, from: RowPath, to: RowPath, contentChanged: Bool) {
      self.id = id
      self.from = from
      self.to = to
      self.contentChanged = contentChanged
    }
  }

  /// A row whose content changed while its position relative to the rows that stayed did not.
  public struct Update: Sendable, Hashable {
    /// The row's id.
    public let id: Int64
    /// The path in the old list.
    public let from: RowPath
    /// The path in the new list.
    public let to: RowPath

    /// An update of a row.
    public init(id: Int64, from: RowPath, to: RowPath) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The deleted sections, in the order of the old list.
  public let deletedSections: [Section]
  /// The inserted sections, in the order of the new list.
  public let insertedSections: [Section]
  /// The deleted rows, in the order of the old list.
  public let deletes: [Row]
  /// The inserted rows, in the order of the new list.
  public let inserts: [Row]
  /// The moved rows, in the order of the new list.
  public let moves: [Move]
  /// The rows that changed in place, in the order of the new list.
  public let updates: [Update]
  /// Old paths of deletes and moves, sorted.
  let vacated: [RowPath]
  /// New paths of inserts and moves, sorted.
  let occupied: [RowPath]

  /// Indexes into `moves`, sorted by old path.
  private let movesBySource: [Int]

  /// No change.
  public static let empty = ChangeSet()

  init(
    deletedSections: [Section] = [], insertedSections: [Section] = [], deletes: [Row] = [], inserts: [Row] = [],
    moves: [Move] = [], updates: [Update] = []
  ) {
    self.deletedSections = deletedSections.sorted { $0.ordinal < $1.ordinal }
    self.insertedSections = insertedSections.sorted { $0.ordinal < $1.ordinal }
    self.deletes = deletes.inOrder { $0.path < $1.path }
    self.inserts = inserts.inOrder { $0.path < $1.path }
    self.moves = moves.sorted { $0.to < $1.to }
    self.updates = updates.sorted { $0.to < $1.to }
    let sorted = self.moves
    movesBySource = sorted.indices.sorted { sorted[$0].from < sorted[$1].from }
    if moves.isEmpty {
      vacated = self.deletes.map(\.path)
      occupied = self.inserts.map(\.path)
    } else {
      vacated = (deletes.map(\.path) + moves.map(\.from)).sorted()
      occupied = (inserts.map(\.path) + moves.map(\.to)).sorted()
    }
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty
      && updates.isEmpty
  }

  /// The path in the new list of a row of the old one; nil if it was deleted. The path must exist in the old list.
  public func newPath(ofOld path: RowPath) -> RowPath? {
    if let index = vacated.firstIndex(notBefore: path), vacated[index] == path {
      return move(from: path)?.to
    }
    guard let section = newSection(ofOld: path.section) else { return nil }
    let row = path.row - vacated.count(inSection: path.section, before: path.row)
    return RowPath(section: section, row: occupied.free(row, inSection: section))
  }

  /// The path in the old list of a row of the new one; nil if it was inserted. The path must exist in the new list.
  public func oldPath(ofNew path: RowPath) -> RowPath? {
    if let index = occupied.firstIndex(notBefore: path), occupied[index] == path {
      return move(to: path)?.from
    }
    guard let section = oldSection(ofNew: path.section) else { return nil }
    let row = path.row - occupied.count(inSection: path.section, before: path.row)
    return RowPath(section: section, row: vacated.free(row, inSection: section))
  }

  /// The ordinal of a section in the new list; nil if it was deleted.
  public func newSection(ofOld ordinal: Int) -> Int? {
    Self.shifted(ordinal, deleted: deletedSections.map(\.ordinal), inserted: insertedSections.map(\.ordinal))
  }

  /// The ordinal of a section in the old list; nil if it was inserted.
  public func oldSection(ofNew ordinal: Int) -> Int? {
    Self.shifted(ordinal, deleted: insertedSections.map(\.ordinal), inserted: deletedSections.map(\.ordinal))
  }

  private func move(from path: RowPath) -> Move? {
    let index = movesBySource.partition { moves[$0].from < path }
    guard index < movesBySource.count, moves[movesBySource[index]].from == path else { return nil }
    return moves[movesBySource[index]]
  }

  private func move(to path: RowPath) -> Move? {
    let index = moves.partition { $0.to < path }
    guard index < moves.count, moves[index].to == path else { return nil }
    return moves[index]
  }

  private static func shifted(_ ordinal: Int, deleted: [Int], inserted: [Int]) -> Int? {
    if deleted.contains(ordinal) { return nil }
    var result = ordinal - deleted.count { $0 < ordinal }
    for section in inserted where section <= result { result += 1 }
    return result
  }
}

extension [RowPath] {
  /// The first index whose path is not before the given one; the paths are sorted.
  func firstIndex(notBefore path: RowPath) -> Int? {
    let index = lowerBound(path)
    return index < count ? index : nil
  }

  /// The number of paths of a section that are before a row.
  func count(inSection section: Int, before row: Int) -> Int {
    lowerBound(RowPath(section: section, row: row)) - lowerBound(RowPath(section: section, row: 0))
  }

  /// The row of a section that is not among these paths and has `rank` such rows before it.
  func free(_ rank: Int, inSection section: Int) -> Int {
    let start = lowerBound(RowPath(section: section, row: 0))
    var low = start
    var high = lowerBound(RowPath(section: section + 1, row: 0))
    // The k-th path of the section, counted from 0, has `row - k` free rows before it.
    while low < high {
      let middle = (low + high) / 2
      if self[middle].row - (middle - start) <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low - start
  }

  private func lowerBound(_ path: RowPath) -> Int { partition { $0 < path } }
}

extension Array {
  /// The array itself if it is already sorted, as large arrays usually are; otherwise a sorted copy.
  func inOrder(_ isBefore: (Element, Element) -> Bool) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !isBefore(self[$0], self[$0 - 1]) }
    return isSorted ? self : sorted(by: isBefore)
  }

  /// The index of the first element that does not satisfy the test. All elements that do must come before the others.
  func partition(isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
