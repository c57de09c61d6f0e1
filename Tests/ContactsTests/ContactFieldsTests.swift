import Contacts
import Testing

/// The table describes every stored property of a contact exactly once, except ids, the version and times.
struct ContactFieldsTests {
  private let fields = ContactFields.standard

  /// A contact in which every text names its field.
  private var labeled: Contact {
    var contact = Contact()
    for field in fields.texts { contact[field] = "<\(field.name)>" }
    for field in fields.values { contact[keyPath: field.property] = [LabeledValue(value: "<\(field.name)>")] }
    return contact
  }

  @Test func everyStoredPropertyHasOneRowInTheTable() {
    let bookkeeping: Set = ["id", "uid", "version", "created", "modified", "contacted", "trial"]
    var special: Set<String> = []
    for child in Mirror(reflecting: labeled).children {
      let name = child.label ?? ""
      if bookkeeping.contains(name) { continue }
      if let text = child.value as? String {
        #expect(text == "<\(name)>")
      } else if type(of: child.value) == [LabeledValue].self, let values = child.value as? [LabeledValue] {
        #expect(values.map(\.value) == ["<\(name)>"])
      } else {
        special.insert(name)
      }
    }
    #expect(special == Set(ContactField.Special.allCases.map(\.rawValue)))
  }

  @Test func whatIsWrittenIsReadBack() {
    let contact = labeled
    for field in fields.texts { #expect(contact[field] == "<\(field.name)>") }
  }

  @Test func rowsAreUnique() {
    func isUnique(_ names: [String]) -> Bool { Set(names).count == names.count }
    #expect(isUnique(fields.all.map(\.name)) && isUnique(fields.all.map(\.jsonKey)))
    #expect(isUnique(fields.texts.map(\.column)) && isUnique(fields.texts.map(\.title)))
    #expect(isUnique(fields.values.map(\.table)) && isUnique(fields.values.map(\.singular)))
    #expect(isUnique(fields.values.map(\.entity)))
    #expect(isUnique(fields.all.compactMap { $0.formRank.map(String.init) }))
    let parts = fields.texts.compactMap { text -> String? in
      if case .part(let index) = text.card.form { "\(text.card.name) \(index)" } else { nil }
    }
    #expect(isUnique(parts))
    for name in Set(parts.map { $0.prefix { $0 != " " } }) {
      let count = parts.filter { $0.hasPrefix(name + " ") }.count
      #expect((0..<count).allSatisfy { parts.contains("\(name) \($0)") }, "\(name) has a gap")
    }
  }

  @Test func everySpecialFieldIsInTheTable() {
    let special = fields.all.compactMap { if case .special(let special) = $0 { special } else { nil } }
    #expect(Set(special) == Set(ContactField.Special.allCases) && special.count == ContactField.Special.allCases.count)
    for field in fields.all { #expect(fields.field(jsonKey: field.jsonKey) == field) }
  }

  @Test func addressesHaveTheirPartsByNameToo() {
    let address = PostalAddress { $0.rawValue }
    for child in Mirror(reflecting: address).children where child.label != "label" {
      #expect(child.value as? String == child.label)
    }
    #expect(Set(AddressPart.inCardOrder) == Set(AddressPart.allCases))
    #expect(AddressPart.inCardOrder.count == AddressPart.allCases.count)
    #expect(address.joined(by: ",") == "poBox,extended,street,city,region,postalCode,country")
  }

  @Test func aMergeKeepsMyChangeOfEachField() {
    let base = Contact()
    let filled = labeled
    for field in fields.texts {
      var mine = base
      mine[field] = filled[field]
      var merge = ThreeWayMerge(base: base, mine: mine, theirs: base)
      #expect(merge.run() == mine && merge.conflictingFields.isEmpty)
      var theirs = base
      theirs[field] = "other"
      var conflict = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
      #expect(conflict.run() == mine && conflict.conflictingFields == [field.name] && conflict.reverse == base)
    }
    var merge = ThreeWayMerge(base: base, mine: filled, theirs: base)
    #expect(merge.run() == filled)
  }
}
