import Contacts

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
