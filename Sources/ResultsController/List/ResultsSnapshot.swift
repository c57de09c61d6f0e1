import IDSets
import Synchronization

/// A list at one point in time: sections, ids and paths. Immutable and cheap to copy; the snapshots before and after a
/// change share the chunks of rows that did not change.
public struct ResultsSnapshot: Sendable {
  /// The sections in order. An unsectioned list has one, with an empty title unless `titles` gives one.
  public let sections: [SectionInfo]
  /// The number of rows.
  public let count: Int
  /// False before the first fetch, and while a staged opening has read only the first rows and the section counts: then
  /// only the first rows have ids.
  public var isComplete: Bool { index != nil }
  /// The request that this list answers; nil before the first fetch, and for the empty list before an initial update.
  public var request: ResultsRequest? { plan?.request }
  /// Increases with each snapshot of a controller.
  let generation: Int
  let index: OrderedIndex?
  /// The plan for reading rows of this list; nil before the first fetch, and for ``empty``.
  let plan: FetchPlan?
  private let firstIDs: [Int64]
  private let sectionStarts: [Int]

  /// The list before the first fetch: no sections, no rows.
  static let unfetched = ResultsSnapshot(generation: 0, plan: nil, sections: [], firstIDs: [])

  /// A list without sections and rows.
  static let empty = ResultsSnapshot(
    generation: 0, plan: nil, index: OrderedIndex(chunks: [], sections: [], isSectioned: true), titles: { _ in "" })

  init(generation: Int, plan: FetchPlan?, index: OrderedIndex, titles: (SectionValue) -> String) {
    self.generation = generation
    self.plan = plan
    self.index = index
    count = index.count
    firstIDs = []
    sectionStarts = index.sectionStarts
    sections = index.sectionValues.indices.map { ordinal in
      SectionInfo(
        title: titles(index.sectionValues[ordinal]), value: index.sectionValues[ordinal],
        count: index.sectionStarts[ordinal + 1] - index.sectionStarts[ordinal])
    }
  }

  init(generation: Int, plan: FetchPlan?, sections: [SectionInfo], firstIDs: [Int64]) {
    self.generation = generation
    self.plan = plan
    self.sections = sections
    self.firstIDs = firstIDs
    index = nil
    var starts = [0]
    for section in sections { starts.append((starts.last ?? 0) + section.count) }
    sectionStarts = starts
    count = starts.last ?? 0
  }

  /// The titles of the sections, for an index bar; empty titles are left out.
  public var sectionIndexTitles: [String] { sections.map(\.title).filter { !$0.isEmpty } }

  /// The section for a title of an index bar: the section with that title. If there is none, the section of the nearest
  /// following title of the bar; if no following title has a section, the last section.
  ///
  /// - Parameters:
  ///   - title: A title of the bar, whether or not there is a section for it.
  ///   - bar: The whole bar in order, such as A…Z and #. Without it, the nearest following title by code points is
  ///     used, and titles that do not begin with a letter come last.
  /// - Returns: A section's ordinal; nil only if the list has no sections.
  public func section(forIndexTitle title: String, in bar: [String]? = nil) -> Int? {
    if let exact = sections.firstIndex(where: { $0.title == title }) { return exact }
    guard let last = sections.indices.last else { return nil }
    if let bar, let start = bar.firstIndex(of: title) {
      for following in bar[start...] {
        if let found = sections.firstIndex(where: { $0.title == following }) { return found }
      }
      return last
    }
    func rank(_ text: String) -> (Int, String) { (text.first?.isLetter == true ? 0 : 1, text) }
    return sections.firstIndex { rank($0.title) > rank(title) } ?? last
  }

  /// The id of a row; nil for a path that does not exist, or that a staged opening has not read yet.
  public func id(at path: RowPath) -> Int64? { flatRow(of: path).flatMap { id(atFlatRow: $0) } }

  /// The id of the row at a flat index, counted across all sections; nil if there is no such row, or if a staged
  /// opening has not read it yet.
  public func id(atFlatRow row: Int) -> Int64? {
    if let index { return index.id(atFlatRow: row) }
    return firstIDs.indices.contains(row) ? firstIDs[row] : nil
  }

  /// The ids of a range of flat rows, clipped to the rows that exist and are known.
  public func ids(inFlatRows rows: Range<Int>) -> [Int64] {
    guard let index else { return Array(firstIDs[rows.clamped(to: 0..<firstIDs.count)]) }
    let rows = rows.clamped(to: 0..<count)
    var result: [Int64] = []
    result.reserveCapacity(rows.count)
    index.forEachID(in: rows) { result.append($0) }
    return result
  }

  /// The ids of a range of flat rows as a set, clipped to the rows that exist and are known. Takes a few milliseconds
  /// for a million rows.
  public func idSet(inFlatRows rows: Range<Int>) -> IDSet {
    guard let index else { return IDSet(firstIDs[rows.clamped(to: 0..<firstIDs.count)]) }
    return index.idSet(inFlatRows: rows)
  }

  /// The rows that are in a set of ids.
  /// - Parameters:
  ///   - ids: the set.
  ///   - limit: the maximum number of rows to return.
  /// - Returns: the ids of the first rows, in the order of the list, and how many there are in all.
  public func rows(in ids: IDSet, first limit: Int) -> (ids: [Int64], count: Int) {
    guard let index else {
      let found = firstIDs.filter(ids.contains)
      return (Array(found.prefix(limit)), found.count)
    }
    return (index.firstIDs(in: ids, limit: limit), index.idSet(inFlatRows: 0..<count).intersection(ids).count)
  }

  /// The id of the first row, in the order of the list, that is in a set of ids; nil if there is none, or if a staged
  /// opening has not read it yet.
  public func firstID(in ids: IDSet) -> Int64? {
    guard let index else { return firstIDs.first(where: ids.contains) }
    return index.firstIDs(in: ids, limit: 1).first
  }

  /// The path of a row; nil if it is not in the list, or if a staged opening has not read its id yet.
  public func indexPath(of id: Int64) -> RowPath? { flatRow(ofID: id).flatMap { indexPath(atFlatRow: $0) } }

  /// The flat index of a row, counted across all sections; nil if it is not in the list, or if a staged opening has not
  /// read its id yet.
  public func flatRow(ofID id: Int64) -> Int? {
    if let index { return index.flatRow(of: id) }
    return firstIDs.firstIndex(of: id)
  }

  /// The path of a flat row; nil if it is out of range.
  public func indexPath(atFlatRow row: Int) -> RowPath? {
    guard row >= 0, row < count else { return nil }
    var low = 0
    var high = sections.count
    while low < high {
      let middle = (low + high) / 2
      if sectionStarts[middle] <= row { low = middle + 1 } else { high = middle }
    }
    return RowPath(section: low - 1, row: row - sectionStarts[low - 1])
  }

  /// The flat index of a path, counted across all sections; nil if it does not exist.
  public func flatRow(of path: RowPath) -> Int? {
    guard sections.indices.contains(path.section), path.row >= 0, path.row < sections[path.section].count else {
      return nil
    }
    return sectionStarts[path.section] + path.row
  }

  /// The flat row where a section begins; nil if there is no such section.
  public func firstFlatRow(ofSection section: Int) -> Int? {
    sections.indices.contains(section) ? sectionStarts[section] : nil
  }

  /// Whether a row is in the list; false for a row whose id a staged opening has not read yet.
  public func contains(_ id: Int64) -> Bool { flatRow(ofID: id) != nil }
}

/// A row's position in a sectioned list: the ordinal of its section and its index inside, both from 0.
public struct RowPath: Hashable, Sendable, Comparable {
  /// The section's ordinal, from 0.
  public var section: Int
  /// The row's index inside the section, from 0.
  public var row: Int

  /// A path; it is only checked when it is used.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// The order of the list: by section, then by row.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// `[section, row]`.
  public var description: String { "[\(section), \(row)]" }
}

/// The value of a request's section key, which is a section's identity.
public enum SectionValue: Hashable, Sendable {
  /// SQL NULL, and the one section of an unsectioned list.
  case null
  /// An integer; a real number without a fraction counts as one too.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// Text, compared byte for byte.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SectionValue {
  /// Compares texts byte for byte: Swift considers canonically equivalent strings equal even if their bytes differ.
  public static func == (left: SectionValue, right: SectionValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value): hasher.combine(value)
    }
  }
}

/// One section of a list.
public struct SectionInfo: Hashable, Sendable {
  /// The title that the controller's `titles` closure made from the value.
  public let title: String
  /// The section's identity.
  public let value: SectionValue
  /// The number of rows, at least 1 except in the one section of an empty unsectioned list.
  public let count: Int
}

extension SectionValue {
  /// The value as text; empty for NULL and blobs.
  public var plainTitle: String {
    switch self {
    case .null, .blob: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    }
  }
}

/// Keeps one spelling for all strings that a section column's collation considers equal (NOCASE, RTRIM): the first one
/// seen. It is the section's value for the lifetime of the controller, whichever of its rows comes first.
final class SectionSpelling: Sendable {
  private let spellings = Mutex<[[UInt8]: SectionValue]>([:])

  /// The section of a string, for a column with a collation other than BINARY.
  func section(_ text: UnsafeBufferPointer<UInt8>, _ collation: FetchPlan.Collation) -> SectionValue {
    let key: [UInt8] =
      switch collation {
      case .binary: Array(text)
      case .noCase: text.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
      case .rightTrim: Array(text[..<((text.lastIndex { $0 != 0x20 } ?? -1) + 1)])
      }
    return spellings.withLock { spellings in
      if let known = spellings[key] { return known }
      let new = SectionValue.text(String(decoding: text, as: UTF8.self))
      spellings[key] = new
      return new
    }
  }
}
