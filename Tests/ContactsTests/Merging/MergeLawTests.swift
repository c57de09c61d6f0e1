import Contacts
import SeededRandom
import Testing

/// The laws of a merge on random contacts of few letters, so that values, lines and labels often coincide.
@Suite struct MergeLawTests {
  @Test func everyLawHoldsForRandomContacts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var makers = RandomContacts(seed: seed)
    for round in 0..<500 {
      let base = makers.contact()
      let (mine, theirs) = (makers.changed(base), makers.changed(base))
      for broken in MergeLaws.broken(base: base, mine: mine, theirs: theirs) {
        Issue.record("seed \(seed), round \(round): \(broken)")
        return
      }
    }
  }
}

/// Makes small contacts, and changes them as a person or a program would.
struct RandomContacts {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func contact() -> Contact {
    var contact = Contact()
    for _ in 0..<Int.random(in: 0...6, using: &generator) { change(&contact) }
    return contact
  }

  /// Returns a changed contact, or sometimes nil for a deleted one.
  mutating func changed(_ contact: Contact) -> Contact? {
    if Int.random(in: 0..<20, using: &generator) == 0 { return nil }
    var contact = contact
    for _ in 0..<Int.random(in: 0...5, using: &generator) { change(&contact) }
    return contact
  }

  private mutating func change(_ contact: inout Contact) {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: contact.title = pick(["", "a", "b", "a ", "\u{E9}", "e\u{301}"])
    case 1: contact.formattedName = pick(["", "A B", "A  B"])
    case 2: contact.birthday = PartialDate(pick(["", "--02-03", "1980-02-03"]))
    case 3: contact.kind = pick(Contact.Kind.allCases)
    case 4: contact.photo = pick([nil, PhotoSummary(mediaType: "image/png", bytes: 1, sha256: pick(["1", "2"]))])
    case 5:
      var groups = contact.groups
      edit(&groups, ["a", "b", "c"]) { $0 }
      contact.groups = Set(groups).sorted()
    case 6:
      let end = pick(["\n", "\n", "\r\n", "\u{2028}"])
      var lines = contact.note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
      edit(&lines, ["", "a", "b", "c", "d", "e"]) { $0 + " " }
      contact.note = lines.joined(separator: end)
    case 7:
      edit(&contact.cardLines, ["X-A:1", "x-a:1", "X-B;P=x:2", "item1.X-S:a", "item1.X-L:b", "item2.X-S:a", "REV:1"]) {
        $0.uppercased()
      }
    case 8:
      let addresses = ["s", "S", "t"].map { PostalAddress(street: $0, city: "c") }
      let label = pick(["", "home", "Home", "work"])
      edit(&contact.addresses, addresses) { PostalAddress(label: label, street: $0.street, city: $0.city) }
    case 9: edit(&contact.emails, values(["a@x", "a@X", "A@x", "b@x"]), relabeled())
    case 10: edit(&contact.handles, values(["a", "A", "b"]), relabeled())
    default: edit(&contact.phones, values(["1234567", "123 45 67", "7654321", "765-4321", "11", "22"]), relabeled())
    }
  }

  private mutating func values(_ texts: [String]) -> [LabeledValue] {
    texts.map { LabeledValue(label: pick(["", "home", "Home", "work", "x"]), value: $0) }
  }

  private mutating func relabeled() -> (LabeledValue) -> LabeledValue {
    let label = pick(["", "home", "Home", "work", "x"])
    return { LabeledValue(label: label, value: $0.value) }
  }

  private mutating func edit<Value>(_ list: inout [Value], _ values: [Value], _ changed: (Value) -> Value) {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = list.indices.randomElement(using: &generator)
      switch (Int.random(in: 0..<5, using: &generator), index) {
      case (0, let index?): list.remove(at: index)
      case (1, let index?): list[index] = changed(list[index])
      case (2, let index?): list.insert(list.remove(at: index), at: Int.random(in: 0...list.count, using: &generator))
      default: list.insert(pick(values), at: Int.random(in: 0...list.count, using: &generator))
      }
    }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
}
