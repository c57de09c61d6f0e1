@testable import Contacts

/// What holds for every merge, whatever the three states are.
enum MergeLaws {
  /// Returns descriptions of the laws that merges of these states break.
  static func broken(base: Contact?, mine: Contact?, theirs: Contact?) -> [String] {
    var broken: [String] = []
    func expect(_ one: Contact?, _ other: Contact?, _ law: String) {
      let (one, other) = (CaseContact.letters(one), CaseContact.letters(other))
      if one != other {
        broken.append(
          "\(law): \(one.filter { !other.contains($0) }) \(other.filter { !one.contains($0) }) \(one) \(other)")
      }
    }
    let merge = WholeContactMerge(base: base, mine: mine, theirs: theirs)

    for side in [base, mine, theirs] {
      let unchangedTheirs = WholeContactMerge(base: base, mine: side, theirs: base)
      expect(unchangedTheirs.merged, side, "theirs unchanged gives mine")
      let unchangedMine = WholeContactMerge(base: base, mine: base, theirs: side)
      expect(unchangedMine.merged, side, "mine unchanged gives theirs")
      let alike = WholeContactMerge(base: base, mine: side, theirs: side)
      expect(alike.merged, side, "the same on both sides gives that")
      if !(unchangedTheirs.conflicts + unchangedMine.conflicts + alike.conflicts).isEmpty {
        broken.append("a conflict where only one side changed")
      }
    }

    let exchanged = WholeContactMerge(base: base, mine: theirs, theirs: mine)
    if Set(exchanged.conflicts.map(turned)) != Set(merge.conflicts) {
      broken.append("exchanged sides, other conflicts")
    }

    let again = WholeContactMerge(base: merge.nextBase, mine: merge.merged, theirs: merge.counterpart)
    expect(again.merged, merge.merged, "merged again, mine")
    expect(again.counterpart, merge.counterpart, "merged again, theirs")
    if open(again) != open(merge) { broken.append("merged again, other conflicts") }

    let resumed = WholeContactMerge(base: base, mine: mine, theirs: merge.counterpart)
    expect(resumed.merged, merge.merged, "resumed after an interruption, mine")
    expect(resumed.counterpart, merge.counterpart, "resumed after an interruption, theirs")
    if open(resumed) != open(merge) { broken.append("resumed after an interruption, other conflicts") }

    return broken + missing(base: base, mine: mine, theirs: theirs, merge)
  }

  private static func turned(_ conflict: MergeConflict) -> MergeConflict {
    var conflict = conflict
    (conflict.mine, conflict.theirs) = (conflict.theirs, conflict.mine)
    if conflict.kept != .each { conflict.kept = conflict.kept == .mine ? .theirs : .mine }
    return conflict
  }

  private static func open(_ merge: WholeContactMerge) -> Set<MergeConflict> {
    Set(merge.conflicts.filter { $0.kept == .each })
  }

  /// Returns values of lists that one side has, that the other did not remove, and that the merged contact lacks.
  private static func missing(
    base: Contact?, mine: Contact?, theirs: Contact?, _ merge: WholeContactMerge
  ) -> [String] {
    guard let mine, let theirs, let merged = merge.merged else { return [] }
    func keys(_ contact: Contact?) -> Set<String> {
      guard let contact else { return [] }
      var keys = Set(contact.addresses.map { "address \($0.key)" })
      for field in ContactFields.standard.values {
        keys.formUnion(contact[keyPath: field.property].map { "\(field.name) \(field.key(of: $0))" })
      }
      keys.formUnion(CaseContact.units(contact.cardLines))
      return keys.union(contact.groups.map { "group \($0)" })
    }
    let (old, held) = (keys(base), keys(merged))
    return [(mine, theirs), (theirs, mine)].flatMap { side, other in
      keys(side).subtracting(held).filter { !old.contains($0) || keys(other).contains($0) }.map { "lost \($0)" }
    }
  }
}
