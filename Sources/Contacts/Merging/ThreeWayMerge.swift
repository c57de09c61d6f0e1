/// Merges three states of one contact, field by field.
public struct ThreeWayMerge {
  private let base: Contact
  private let mine: Contact
  private let theirs: Contact
  private let fields: ContactFields
  /// True if the other side wins when both changed a field.
  public var theirsWin = false
  /// Names of the fields that both changed.
  public private(set) var clashes: [String] = []
  /// The state that undoing the merge leads to: `theirs`, with `base` where this side won.
  public private(set) var reverse: Contact

  /// A merge of this side's and the other side's changes to one contact.
  public init(base: Contact, mine: Contact, theirs: Contact, fields: ContactFields = .standard) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.fields = fields
    reverse = theirs
  }

  /// The merged contact.
  public mutating func run() -> Contact {
    var merged = theirs
    for field in fields.all {
      switch field {
      case .text(let text): pick(text.name, \.[text], &merged)
      case .values(let values): pick(values.name, values.property, &merged)
      case .special(.kind): pick(field.name, \.kind, &merged)
      case .special(.birthday): pick(field.name, \.birthday, &merged)
      case .special(.addresses): pick(field.name, \.addresses, &merged)
      case .special(.cardLines): pick(field.name, \.cardLines, &merged)
      case .special(.photo): pick(field.name, \.photo, &merged)
      case .special(.groups):
        let removed = Set(base.groups).subtracting(mine.groups)
        let added = Set(mine.groups).subtracting(base.groups)
        merged.groups = Set(theirs.groups).subtracting(removed).union(added).sorted()
      }
    }
    return merged
  }

  private mutating func pick<Value: Equatable>(
    _ name: String, _ property: WritableKeyPath<Contact, Value>, _ merged: inout Contact
  ) {
    let (base, mine, theirs) = (base[keyPath: property], mine[keyPath: property], theirs[keyPath: property])
    if mine == base || mine == theirs { return }
    if theirs == base {
      merged[keyPath: property] = mine
      return
    }
    clashes.append(name)
    if theirsWin { return }
    reverse[keyPath: property] = base
    merged[keyPath: property] = mine
  }
}
