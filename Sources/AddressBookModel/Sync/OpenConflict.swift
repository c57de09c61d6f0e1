import Contacts

/// What both sides had when a sync left a conflict open. Whoever edits such a field afterwards has seen the conflict or
/// decides it without: the edit wins.
struct OpenConflict {
  let mine: Contact
  let theirs: Contact

  /// Returns the base of the next merge: in a field that only one side has edited since, that side wins. If it went back
  /// to the base, the other side wins, as in any merge.
  func decided(_ base: Contact, mine nowMine: Contact, theirs nowTheirs: Contact) throws -> Contact {
    var result = base
    for field in ContactDelta(from: mine, to: theirs).changes.map(\.name) {
      let isMine = try Self.isChanged(field, mine, nowMine)
      guard try isMine != Self.isChanged(field, theirs, nowTheirs) else { continue }
      let (winner, other) = isMine ? (nowMine, nowTheirs) : (nowTheirs, nowMine)
      guard try Self.isChanged(field, base, winner) else { continue }
      result = try ContactDelta(from: result, to: other).only(field).after(in: result)
    }
    return result
  }

  private static func isChanged(_ field: String, _ old: Contact, _ new: Contact) throws -> Bool {
    try !ContactDelta(from: old, to: new).only(field).after(in: old).hasSameContent(as: old)
  }
}
