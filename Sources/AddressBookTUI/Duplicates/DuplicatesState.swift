import AddressBookModel
import Contacts
import ResultsController
import TerminalKit

/// The state of the duplicates screen: the candidates, the selection, and the user's decisions.
struct DuplicatesState {
  /// Contacts that may be the same, or that the user chose.
  typealias Candidate = DuplicateGroup

  private struct Pair: Hashable {
    let first: Int64
    let second: Int64
  }

  /// The candidates, without contacts that are gone and pairs marked as not the same.
  private(set) var shown: [Candidate] = []
  var selection = ListSelection(count: 0)
  private var found: [Candidate] = []
  private var gone: Set<Int64> = []
  private var notSamePairs: Set<Pair> = []
  private var drafts: [[Int64]: MergeDraft] = [:]

  var selected: Candidate? { shown.indices.contains(selection.selected) ? shown[selection.selected] : nil }

  private(set) var certainCount = 0
  private(set) var namesakeCount = 0

  /// The user's decisions about the selected candidate.
  var draft: MergeDraft? {
    get { selected.map { drafts[$0.ids] ?? MergeDraft($0.ids) } }
    set { if let selected { drafts[selected.ids] = newValue } }
  }

  // MARK: Changes

  /// Shows the candidates found so far; the selection stays on its candidate.
  mutating func show(_ candidates: [Candidate]) {
    found = candidates
    update()
  }

  /// Returns the candidates in the order in which they are shown: the certain ones first, those with only the same name
  /// last.
  static func ordered(_ candidates: [Candidate]) -> [Candidate] {
    candidates.filter(\.isCertain) + candidates.filter { !$0.isCertain && !$0.isOnlyNamesakes }
      + candidates.filter(\.isOnlyNamesakes)
  }

  /// Hides contacts that were deleted, and shows those that came back.
  /// - Parameter selectsReturned: whether a candidate that comes back is selected, because the user has just undone or
  ///   redone something.
  mutating func follow(_ writes: ResultsWrites, selectsReturned: Bool) {
    let back = gone.intersection(writes.inserted.union(writes.updated))
    if back.isEmpty, writes.deleted.isEmpty { return }
    gone.subtract(back)
    gone.formUnion(writes.deleted)
    update()
    if selectsReturned { select(back) }
  }

  /// Hides the pairs of contacts that the user marked as not the same, or shows them again and selects their candidate.
  mutating func setNotSame(_ ids: [Int64], _ isNotSame: Bool) {
    let ids = ids.sorted()
    for (index, first) in ids.enumerated() {
      for second in ids.dropFirst(index + 1) {
        if isNotSame {
          notSamePairs.insert(Pair(first: first, second: second))
        } else {
          notSamePairs.remove(Pair(first: first, second: second))
        }
      }
    }
    update()
    if !isNotSame { select(Set(ids)) }
  }

  private mutating func select(_ ids: Set<Int64>) {
    if let line = shown.firstIndex(where: { !ids.isDisjoint(with: $0.ids) }) { selection.select(line) }
  }

  private mutating func update() {
    let before = selected?.ids.first
    let line = selection.selected
    shown = gone.isEmpty && notSamePairs.isEmpty ? found : found.flatMap(remaining)
    certainCount = shown.count(where: \.isCertain)
    namesakeCount = shown.count(where: \.isOnlyNamesakes)
    selection.count = shown.count
    selection.select(before.flatMap { id in shown.firstIndex { $0.ids.first == id } } ?? line)
  }

  private func remaining(of candidate: Candidate) -> [Candidate] {
    guard !candidate.pairs.isEmpty else {
      let ids = candidate.ids.filter { !gone.contains($0) }
      return ids.count > 1 ? [Candidate(ids: ids)] : []
    }
    let pairs = candidate.pairs.filter {
      !gone.contains($0.first) && !gone.contains($0.second)
        && !notSamePairs.contains(Pair(first: $0.first, second: $0.second))
    }
    return pairs.count == candidate.pairs.count ? [candidate] : Candidate.groups(of: pairs)
  }
}

extension DuplicateGroup {
  /// Returns why the contacts are probably the same: `certain: name, phone`; empty for contacts that the user chose.
  func reason(_ strings: Strings) -> String {
    guard !pairs.isEmpty else { return "" }
    if isOnlyNamesakes { return strings("duplicates.namesakes") }
    let reasons = Set(pairs.flatMap(\.reasons)).sorted()
    let words = (reasons.filter { $0 == .name } + reasons.filter { $0 != .name }).map { reason in
      switch reason {
      case .name: strings("search.field.name")
      case .link: strings("field.url")
      default: strings("field." + reason.rawValue)
      }
    }
    return strings(isCertain ? "duplicates.certain" : "duplicates.likely", strings.list(words))
  }
}

/// The user's decisions about contacts to be merged.
struct MergeDraft: Equatable {
  /// The maximum number of contacts merged at once; the rest of a larger group is left for the next merge.
  static let limit = 50

  /// The contacts, in the order of their columns: at most ``limit``.
  let ids: [Int64]
  /// The main contact, into which the others are merged.
  private(set) var main: Int64
  /// The contacts that are left out of the merge.
  private(set) var leftOut: Set<Int64> = []
  private var chosen: [DuplicateMerge.Part: Int64] = [:]

  /// - Parameter ids: two or more, in order.
  init(_ ids: [Int64]) {
    self.ids = Array(ids.prefix(Self.limit))
    main = ids.first ?? 0
  }

  /// The contacts that are merged, the main one first.
  var merged: [Int64] { [main] + ids.filter { $0 != main && !leftOut.contains($0) } }

  /// The contacts whose values the user chose, keyed by part, except for contacts that are left out.
  var choices: [DuplicateMerge.Part: Int64] { chosen.filter { !leftOut.contains($0.value) } }

  mutating func choose(_ part: DuplicateMerge.Part, from id: Int64) { chosen[part] = id }

  /// Makes a contact the main one, even if it was left out; its values win where the user chose no others.
  mutating func setMain(_ id: Int64) {
    leftOut.remove(id)
    main = id
  }

  /// Leaves a contact out, or includes it again.
  /// - Returns: false if it cannot be left out, because two must remain.
  mutating func toggle(_ id: Int64) -> Bool {
    if leftOut.remove(id) != nil { return true }
    guard merged.count > 2 else { return false }
    leftOut.insert(id)
    if main == id { main = ids.first { !leftOut.contains($0) } ?? main }
    return true
  }
}

/// The names of the contacts on the screen, read when they become visible.
@MainActor
final class ContactNames {
  private let environment: AppEnvironment
  private var names: [Int64: String] = [:]
  /// With more names than this, all are dropped before others are read.
  private static let limit = 2000

  init(environment: AppEnvironment) { self.environment = environment }

  /// Returns the name of a contact, as it is displayed; nil if it has not been read.
  func name(_ id: Int64) -> String? { names[id] }

  /// Reads the names that are not known yet.
  func prepare(_ ids: [Int64], _ status: StatusLine) {
    let unknown = ids.filter { names[$0] == nil }
    guard !unknown.isEmpty else { return }
    if names.count > Self.limit { names = [:] }
    do {
      for contact in try environment.book.contacts(ids: unknown) {
        let name = environment.names.name(of: contact)
        names[contact.id] = name.isEmpty ? environment.strings("contact.nameless") : name
      }
    } catch {
      status.show(reading: error)
    }
  }

  /// Drops the names of contacts that were written.
  func invalidate(_ writes: ResultsWrites) {
    if writes.mayLackUpdates { return names = [:] }
    for id in writes.updated.union(writes.deleted) { names[id] = nil }
  }
}
