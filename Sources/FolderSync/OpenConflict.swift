import AddressBookModel
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
      let isMine = try nowMine.differs(in: field, from: mine)
      guard try isMine != nowTheirs.differs(in: field, from: theirs) else { continue }
      let (winner, other) = isMine ? (nowMine, nowTheirs) : (nowTheirs, nowMine)
      guard try winner.differs(in: field, from: base) else { continue }
      result = try result.adopting(field, of: other)
    }
    return result
  }
}

extension Contact {
  /// Returns this base of a merge with the fields of a side that are as in a version that both sides had: the side has
  /// not edited them since.
  func adopting(_ side: Contact, where version: Contact) throws -> Contact {
    try ContactDelta(from: self, to: side).changes.map(\.name).reduce(self) { base, field in
      try side.differs(in: field, from: version) ? base : base.adopting(field, of: side)
    }
  }

  /// Returns this base of a merge with the texts that one side has as in a version that both had, and the other side does
  /// not: the other side has edited them since. A list is not adopted, because the other side may be older than its items.
  func adopting(textsOf side: Contact, unlike other: Contact, in versions: [Contact]) -> Contact {
    ContactFields.standard.texts.reduce(into: self) { base, text in
      let isKnown = versions.contains { $0[text] == side[text] }
      if isKnown, !versions.contains(where: { $0[text] == other[text] }) { base[text] = side[text] }
    }
  }

  fileprivate func adopting(_ field: String, of other: Contact) throws -> Contact {
    try ContactDelta(from: self, to: other).only(field).after(in: self)
  }

  fileprivate func differs(in field: String, from other: Contact) throws -> Bool {
    try !other.adopting(field, of: self).hasSameContent(as: other)
  }
}
