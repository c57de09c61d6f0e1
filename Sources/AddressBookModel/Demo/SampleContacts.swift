import Contacts

/// Sample contacts for trying the program: about half of them Chinese, the others from many places, with phones,
/// emails, birthdays, notes and groups. The same seed gives the same contacts on every machine. Names, numbers and
/// addresses are random; a phone number may exist by coincidence.
public struct SampleContacts: Sequence, IteratorProtocol {
  private var chance: SplitMix64
  private var left: Int
  private var number = 0

  /// Creates a sequence of sample contacts.
  /// - Parameters:
  ///   - count: the number of contacts.
  ///   - seed: the seed of the random numbers.
  public init(count: Int, seed: UInt64) {
    left = Swift.max(0, count)
    chance = SplitMix64(seed: seed)
  }

  /// Returns the next contact; nil after the last.
  public mutating func next() -> Contact? {
    guard left > 0 else { return nil }
    left -= 1
    number += 1
    var contact = Contact()
    contact.uid = UniqueID.make(using: &chance)
    switch chance.below(100) {
    case 0..<4: fillOrganization(&contact)
    case 4..<52: fillChinese(&contact)
    case 52..<84: fillLatin(&contact)
    default: fillOther(&contact)
    }
    addDetails(&contact)
    return contact
  }

  // MARK: - Names

  private mutating func fillOrganization(_ contact: inout Contact) {
    contact.kind = .organization
    if chance.below(2) == 0 {
      contact.organization = chance.pick(DemoNames.cities) + chance.pick(DemoNames.chineseTrades) + "有限公司"
      contact.phones = [LabeledValue(label: "work", value: "010-5550 \(digits(4))")]
      contact.addresses = [chineseAddress("work")]
    } else {
      contact.organization = chance.pick(DemoNames.companies)
      contact.phones = [LabeledValue(label: "work", value: "+1 415 555 \(digits(4))")]
    }
    contact.emails = [LabeledValue(label: "work", value: "office\(number)@example.org")]
    contact.urls = [LabeledValue(value: "https://www.example.org/\(number)")]
  }

  private mutating func fillChinese(_ contact: inout Contact) {
    contact.family = chance.pick(DemoNames.chineseFamilies)
    contact.given = chance.pick(DemoNames.chineseGiven)
    if chance.below(3) > 0 { contact.given += chance.pick(DemoNames.chineseGiven) }
    contact.phones = [
      LabeledValue(label: "mobile", value: "1\(chance.pick(["38", "39", "50", "86", "99"])) \(digits(4)) \(digits(4))")
    ]
    if chance.below(4) == 0 { contact.phones.append(LabeledValue(label: "home", value: "010-5550 \(digits(4))")) }
    if chance.below(10) < 6 {
      contact.emails = [LabeledValue(label: "home", value: "user\(digits(5))@example.cn")]
    }
    if chance.below(10) < 5 {
      contact.organization = chance.pick(DemoNames.cities) + chance.pick(DemoNames.chineseTrades) + "有限公司"
      contact.title = chance.pick(DemoNames.chineseTitles)
    }
    if chance.below(3) == 0 { contact.addresses = [chineseAddress("home")] }
    if chance.below(5) == 0 { contact.note = chance.pick(DemoNames.chineseNotes) }
    addGroups(DemoNames.chineseGroups, to: &contact)
  }

  private mutating func fillLatin(_ contact: inout Contact) {
    contact.given = chance.pick(DemoNames.latinGiven)
    contact.family = chance.pick(DemoNames.latinFamilies)
    if chance.below(12) == 0 { contact.prefix = "Dr." }
    if chance.below(30) == 0 { contact.suffix = "Jr." }
    if chance.below(8) == 0 { contact.nickname = String(contact.given.prefix(3)) }
    let place = chance.pick(DemoNames.latinPlaces)
    contact.phones = [LabeledValue(label: "mobile", value: "\(place.dialing) 555 \(digits(4))")]
    if chance.below(4) == 0 {
      contact.phones.append(LabeledValue(label: "work", value: "\(place.dialing) 555 \(digits(4))"))
    }
    if chance.below(10) < 8 {
      contact.emails = [LabeledValue(label: "home", value: "mail\(digits(5))@example.com")]
    }
    if chance.below(10) < 5 {
      contact.organization = chance.pick(DemoNames.companies)
      contact.title = chance.pick(DemoNames.latinTitles)
    }
    if chance.below(3) == 0 {
      contact.addresses = [
        PostalAddress(
          label: "home", street: "\(chance.pick(DemoNames.latinStreets)) \(1 + chance.below(99))", city: place.city,
          postalCode: digits(5), country: place.country)
      ]
    }
    if chance.below(5) == 0 { contact.note = chance.pick(DemoNames.latinNotes) }
    addGroups(DemoNames.latinGroups, to: &contact)
  }

  private mutating func fillOther(_ contact: inout Contact) {
    let script = chance.pick(DemoNames.scripts)
    contact.family = chance.pick(script.families)
    contact.given = chance.pick(script.given)
    if let phonetic = script.phonetic[contact.family] { contact.phoneticFamily = phonetic }
    contact.phones = [LabeledValue(label: "mobile", value: "\(script.dialing) 555 \(digits(4))")]
    if chance.below(2) == 0 {
      contact.emails = [LabeledValue(label: "home", value: "post\(digits(5))@example.net")]
    }
    addGroups(DemoNames.latinGroups, to: &contact)
  }

  // MARK: - Details

  private mutating func addDetails(_ contact: inout Contact) {
    guard contact.kind == .person else { return }
    if chance.below(10) < 4 {
      let month = 1 + chance.below(12)
      let year = chance.below(3) == 0 ? nil : 1940 + chance.below(70)
      contact.birthday = PartialDate(year: year, month: month, day: 1 + chance.below(28))
    }
    if chance.below(25) == 0 {
      contact.urls = [LabeledValue(label: "homepage", value: "https://example.com/~\(number)")]
    }
    if chance.below(40) == 0 {
      contact.dates = [LabeledValue(label: "anniversary", value: "\(1980 + chance.below(40))-05-20")]
    }
  }

  private mutating func addGroups(_ names: [String], to contact: inout Contact) {
    guard chance.below(10) < 5 else { return }
    contact.groups = [chance.pick(names)]
    if chance.below(4) == 0 { contact.groups = Set(contact.groups + [chance.pick(names)]).sorted() }
  }

  private mutating func chineseAddress(_ label: String) -> PostalAddress {
    PostalAddress(
      label: label, street: "\(chance.pick(DemoNames.chineseStreets))\(1 + chance.below(300))号",
      city: chance.pick(DemoNames.cities) + "市", postalCode: "100\(digits(3))", country: "中国")
  }

  private mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text += String(chance.below(10)) }
    return text
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): a seed gives the same numbers everywhere. `SystemRandomNumberGenerator`
/// cannot be seeded.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// Returns a number from 0 to `limit` - 1.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
