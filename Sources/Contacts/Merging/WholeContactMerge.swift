/// A merge in which either side may have deleted the contact. An edit beats a deletion.
public struct WholeContactMerge {
  /// This side's result; nil if the contact is deleted.
  public let merged: Contact?
  /// The other side's result, see ``ThreeWayMerge/counterpart``.
  public let counterpart: Contact?
  /// The common base of the next merge, see ``ThreeWayMerge/nextBase``.
  public let nextBase: Contact?
  /// The fields that both sides changed in different ways.
  public let conflicts: [MergeConflict]

  /// Merges three states of a contact, each nil if the contact is deleted there. A nil base means that the two sides
  /// were never merged.
  public init(
    base: Contact?, mine: Contact?, theirs: Contact?, prefers: ThreeWayMerge.Side? = nil
  ) {
    switch (mine, theirs) {
    case (let mine?, let theirs?):
      var merge = ThreeWayMerge(
        base: base ?? Contact(), mine: mine, theirs: theirs, prefers: prefers)
      merged = merge.run()
      counterpart = merge.counterpart
      nextBase = merge.nextBase
      conflicts = merge.conflicts
    case (let left?, nil), (nil, let left?):
      let isMine = mine != nil
      let isChanged = base.map { !left.hasSameContent(as: $0) } ?? true
      merged = isChanged ? left : nil
      (counterpart, nextBase) = (merged, merged)
      conflicts =
        isChanged && base != nil
        ? [
          MergeConflict(
            subject: .contact, base: .present, mine: isMine ? .changed : .deleted,
            theirs: isMine ? .deleted : .changed, kept: isMine ? .mine : .theirs)
        ] : []
    case (nil, nil):
      (merged, counterpart, nextBase, conflicts) = (nil, nil, nil, [])
    }
  }
}

extension Contact {
  /// Returns whether the contacts differ at most in the spelling and order of values and lines, in lines about the
  /// card, and in the kind of line ends and the outer blanks of texts.
  public func hasSameContent(as other: Contact) -> Bool {
    func multiset<Value>(_ values: [Value], _ kind: MergedItem<Value>.Kind) -> [MergedValue: Int] {
      values.reduce(into: [:]) { counts, value in
        let item = MergedItem(value, kind)
        counts[MergedValue(key: item.key, label: item.label), default: 0] += 1
      }
    }
    func units(_ contact: Contact) -> [CardLineUnit] {
      CardLineUnit.units(of: contact.cardLines.filter { !CardLineUnit.isAboutCard($0) })
    }
    return ContactFields.standard.all.allSatisfy { field in
      switch field {
      case .text(let text): SameText.isSame(self[text], other[text])
      case .values(let list):
        multiset(self[keyPath: list.property], .values(of: list))
          == multiset(other[keyPath: list.property], .values(of: list))
      case .special(.kind): kind == other.kind
      case .special(.addresses): multiset(addresses, .addresses) == multiset(other.addresses, .addresses)
      case .special(.birthday): birthday == other.birthday
      case .special(.groups): Set(groups) == Set(other.groups)
      case .special(.photo): photo?.sha256 == other.photo?.sha256
      case .special(.cardLines): multiset(units(self), .units) == multiset(units(other), .units)
      }
    }
  }
}

/// A value of a list and its label, regardless of spelling.
private struct MergedValue: Hashable {
  let key: ValueKey
  let label: String
}
