/// A merge of three states of a contact, for undo, saves, imports and sync.
///
/// Each field is merged by itself. A change by one side is kept; different changes by both are a conflict. Groups are a
/// set, lists are multisets of labeled values, notes are merged by lines. Differences in spelling, such as the kind of
/// line ends, blanks at the ends and separators in a phone number, are not changes.
///
/// If theirs is unchanged, the result is mine, and vice versa, without conflict. Except in a conflict, nothing is lost
/// that one side has and the other did not remove. Merging again, with what each side then has and ``nextBase``,
/// changes nothing and reports the open conflicts; merging mine with ``counterpart``, as after an interruption, also
/// gives the same result.
public struct ThreeWayMerge {
  /// One of the two sides that changed the contact.
  public enum Side: Hashable, Sendable {
    /// This side, whose state is kept while a conflict is open.
    case mine
    /// The other side.
    case theirs
  }

  /// The side that wins conflicts; nil leaves them open, and each side keeps its own.
  public var prefers: Side?
  /// The fields that both sides changed in different ways.
  public private(set) var conflicts: [MergeConflict] = []
  /// The other side's result: the merged contact, with theirs where a conflict is open.
  public private(set) var counterpart: Contact
  /// The common base of the next merge: the merged contact, with the fields of the old base where a conflict is open.
  public private(set) var nextBase: Contact
  /// The state that reversing the result leads to: theirs, with the base where mine is kept in a conflict.
  public private(set) var reverse: Contact
  /// The names of the fields in ``conflicts``, each once.
  public var conflictingFields: [String] {
    conflicts.reduce(into: []) { names, conflict in
      if case .field(let field) = conflict.subject, !names.contains(field.name) { names.append(field.name) }
    }
  }

  private let base: Contact
  private let mine: Contact
  private let theirs: Contact
  private var merged: Contact

  /// Creates a merge of this side's and the other side's changes to a contact.
  public init(
    base: Contact, mine: Contact, theirs: Contact, prefers: Side? = nil
  ) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.prefers = prefers
    (merged, counterpart, nextBase, reverse) = (theirs, theirs, theirs, theirs)
  }

  /// Runs the merge and returns the merged contact. The values set by a save (id, uid, version, times) are theirs.
  public mutating func run() -> Contact {
    (merged, counterpart, nextBase, reverse, conflicts) = (theirs, theirs, theirs, theirs, [])
    for field in ContactFields.standard.all {
      switch field {
      case .text(let text): mergeText(text)
      case .values(let values): mergeList(field, values.property, .values(of: values), { .labeled($0) })
      case .special(.addresses): mergeList(field, \.addresses, .addresses, { .address($0) })
      case .special(.kind): mergeSingle(field, \.kind, ==) { .text($0.name) }
      case .special(.birthday): mergeSingle(field, \.birthday, ==) { $0.map { .day($0) } ?? .none }
      case .special(.photo):
        mergeSingle(field, \.photo, { $0?.sha256 == $1?.sha256 }, { $0.map { .photo($0) } ?? .none })
      case .special(.groups): mergeGroups()
      case .special(.cardLines): mergeCardLines()
      }
    }
    return merged
  }

  // MARK: Single fields

  private mutating func mergeText(_ field: ContactField.Text) {
    let (base, mine, theirs) = (base[field], mine[field], theirs[field])
    if SameText.isExact(mine, base) || SameText.isExact(theirs, base) || SameText.isSame(mine, theirs) {
      let isRespelled = SameText.isExact(mine, base)
      set(\.[field], isRespelled ? theirs : mine)
    } else if SameText.isSame(mine, base) {
      set(\.[field], theirs)
    } else if SameText.isSame(theirs, base) {
      set(\.[field], mine)
    } else if field.role == .prose, let text = LineMerge.merge(base: base, mine: mine, theirs: theirs) {
      set(\.[field], SameText.isSame(text, mine) ? mine : SameText.isSame(text, theirs) ? theirs : text)
    } else {
      addConflict(.text(field), \.[field]) { .text($0) }
    }
  }

  private mutating func mergeSingle<Value>(
    _ field: ContactField, _ property: WritableKeyPath<Contact, Value>, _ isSame: (Value, Value) -> Bool,
    _ value: (Value) -> MergeConflict.Value
  ) {
    let (base, mine, theirs) = (base[keyPath: property], mine[keyPath: property], theirs[keyPath: property])
    if isSame(mine, base) {
      set(property, theirs)
    } else if isSame(theirs, base) || isSame(mine, theirs) {
      set(property, mine)
    } else {
      addConflict(field, property, value)
    }
  }

  private mutating func addConflict<Value>(
    _ field: ContactField, _ property: WritableKeyPath<Contact, Value>, _ value: (Value) -> MergeConflict.Value
  ) {
    let (base, mine, theirs) = (base[keyPath: property], mine[keyPath: property], theirs[keyPath: property])
    set(property, prefers == .theirs ? theirs : mine)
    if prefers == nil {
      counterpart[keyPath: property] = theirs
      nextBase[keyPath: property] = base
    }
    if prefers != .theirs { reverse[keyPath: property] = base }
    conflicts.append(
      MergeConflict(
        subject: .field(field), base: value(base), mine: value(mine), theirs: value(theirs), kept: decided))
  }

  /// How an open conflict is resolved.
  private var decided: MergeConflict.Kept {
    switch prefers {
    case nil: .each
    case .mine: .mine
    case .theirs: .theirs
    }
  }

  private mutating func set<Value>(_ property: WritableKeyPath<Contact, Value>, _ value: Value) {
    merged[keyPath: property] = value
    counterpart[keyPath: property] = value
    nextBase[keyPath: property] = value
  }

  // MARK: Sets and lists

  private mutating func mergeGroups() {
    let (base, mine, theirs) = (Set(base.groups), Set(mine.groups), Set(theirs.groups))
    let kept = base.intersection(mine).intersection(theirs)
    set(\.groups, kept.union(mine.subtracting(base)).union(theirs.subtracting(base)).sorted())
  }

  private mutating func mergeList<Value>(
    _ field: ContactField, _ property: WritableKeyPath<Contact, [Value]>, _ kind: MergedItem<Value>.Kind,
    _ value: (Value) -> MergeConflict.Value
  ) {
    let (base, mine, theirs) = (base[keyPath: property], mine[keyPath: property], theirs[keyPath: property])
    let merge = ListMerge(base: base, mine: mine, theirs: theirs, kind: kind)
    set(property, prefers == .theirs ? merge.counterpart : merge.merged)
    let open = merge.conflicts.filter { $0.kept == .each }
    if prefers == nil, !open.isEmpty {
      counterpart[keyPath: property] = merge.counterpart
      nextBase[keyPath: property] = base
    }
    if prefers != .theirs {
      for conflict in open { revert(conflict, in: property, kind) }
    }
    conflicts += merge.conflicts.map { conflict in
      MergeConflict(
        subject: .field(field), base: conflict.base.map(value) ?? .none, mine: conflict.mine.map(value) ?? .none,
        theirs: conflict.theirs.map(value) ?? .none, kept: conflict.kept == .each ? decided : conflict.kept)
    }
  }

  private mutating func revert<Value>(
    _ conflict: ListMerge<Value>.Conflict, in property: WritableKeyPath<Contact, [Value]>,
    _ kind: MergedItem<Value>.Kind
  ) {
    guard let theirs = conflict.theirs.map(kind.key),
      let index = reverse[keyPath: property].firstIndex(where: { kind.key($0) == theirs })
    else { return }
    if let base = conflict.base {
      reverse[keyPath: property][index] = base
    } else {
      reverse[keyPath: property].remove(at: index)
    }
  }

  private mutating func mergeCardLines() {
    let (base, mine, theirs) = (base.cardLines, mine.cardLines, theirs.cardLines)
    let about = mine.filter(CardLineUnit.isAboutCard)
    func units(_ lines: [String]) -> [CardLineUnit] {
      CardLineUnit.units(of: lines.filter { !CardLineUnit.isAboutCard($0) })
    }
    let (old, my, their) = (units(base), units(mine), units(theirs))
    if ListMerge.isExact(my, old, .units) {
      set(\.cardLines, theirs)
    } else if ListMerge.isExact(their, old, .units) {
      set(\.cardLines, mine)
    } else {
      let merge = ListMerge(base: old, mine: my, theirs: their, kind: .units)
      let kept = mine.isEmpty ? theirs.filter(CardLineUnit.isAboutCard) : about
      let left = CardLineUnit.withoutSurplus(merge.merged, of: [my, their])
      set(\.cardLines, kept + CardLineUnit.lines(of: left))
    }
  }
}
