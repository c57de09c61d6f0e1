import Contacts

/// A change to the groups that contacts are in.
struct GroupChange: Sendable {
  /// The name of a group that the contacts leave.
  var left: String?
  /// The name of a group that the contacts join; the group is created if there is none.
  var joined: String?

  func apply(to contact: inout Contact) {
    if let left { contact.groups.removeAll { $0 == left } }
    if let joined, !contact.groups.contains(joined) { contact.groups = (contact.groups + [joined]).sorted() }
  }

  /// Returns the ranks of the groups that a contact is in afterwards; nil if a name does not say exactly which group is
  /// meant, or if a group must be created.
  func apply(to ranks: [Int], _ groups: GroupRanks) -> [Int]? {
    var ranks = ranks
    if let left, groups.contains(left) {
      guard let rank = groups.rank(of: left) else { return nil }
      ranks.removeAll { $0 == rank }
    }
    if let joined {
      guard let rank = groups.rank(of: joined) else { return nil }
      if !ranks.contains(rank) { ranks.insert(rank, at: ranks.firstIndex { $0 > rank } ?? ranks.endIndex) }
    }
    return ranks
  }
}

/// The change from one set of groups to another, computed once for all contacts that are in the same groups.
final class GroupTransition {
  /// The ids of the groups that the contacts join.
  let joined: [Int64]
  /// The ids of the groups that the contacts leave.
  let left: [Int64]
  /// The bytes of the new groups that checksums cover.
  let digest: [UInt8]
  /// The bytes of the ``ContactDelta``.
  let delta: [UInt8]

  /// - Parameters:
  ///   - old: the ranks of the groups before.
  ///   - new: their ranks afterwards.
  init(from old: [Int], to new: [Int], _ groups: GroupRanks) {
    joined = new.filter { !old.contains($0) }.map { groups.ids[$0] }
    left = old.filter { !new.contains($0) }.map { groups.ids[$0] }
    digest = ContactDigest.bytes(ofGroups: new.map { groups.bytes[$0] })
    delta = Array(ContactDelta(fromGroups: old.map { groups.names[$0] }, to: new.map { groups.names[$0] }).data)
  }

  var isEmpty: Bool { joined.isEmpty && left.isEmpty }
}
