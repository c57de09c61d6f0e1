/// Three states of one contact made one, field by field.
struct ThreeWayMerge {
  let base: Contact
  let mine: Contact
  let theirs: Contact
  /// True where the other side wins what both changed.
  var theirsWin = false
  /// Names of the properties that both changed.
  private(set) var clashes: [String] = []
  /// What a later change back leads to: `theirs`, with `base` where this side won what both changed.
  private(set) var reverse: Contact

  init(base: Contact, mine: Contact, theirs: Contact) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    reverse = theirs
  }

  mutating func run() -> Contact {
    var merged = theirs
    merged.kind = pick("kind", \.kind)
    merged.birthday = pick("birthday", \.birthday)
    for (name, property) in Person.texts { merged[keyPath: property] = pick(name, property) }
    for (name, property) in Person.labelledLists { merged[keyPath: property] = pick(name, property) }
    merged.addresses = pick("addresses", \.addresses)
    merged.cardLines = pick("cardLines", \.cardLines)
    merged.photo = pick("photo", \.photo)
    let removed = Set(base.groups).subtracting(mine.groups)
    merged.groups = Set(theirs.groups).subtracting(removed).union(Set(mine.groups).subtracting(base.groups)).sorted()
    return merged
  }

  private mutating func pick<Value: Equatable>(_ name: String, _ property: WritableKeyPath<Contact, Value>) -> Value {
    let (base, mine, theirs) = (base[keyPath: property], mine[keyPath: property], theirs[keyPath: property])
    if mine == base || mine == theirs { return theirs }
    if theirs == base { return mine }
    clashes.append(name)
    if !theirsWin { reverse[keyPath: property] = base }
    return theirsWin ? theirs : mine
  }
}
