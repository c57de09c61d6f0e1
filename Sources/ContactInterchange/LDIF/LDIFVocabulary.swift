import Contacts

/// The attributes of people in directories (RFC 4519, RFC 2798) and in Thunderbird's address books.
enum LDIFVocabulary {
  enum Meaning {
    case slot(FieldSlot)
    case birthday(BirthdayParts.Part)
    case photo
    /// A URI, perhaps followed by a space and its label (RFC 2079).
    case link
    /// An address in lines separated by `$` (RFC 4517, 3.3.28).
    case postalAddress(label: String)
    /// Not imported, because it says nothing about the contact.
    case nothing
  }

  /// Returns the meaning of the attributes, keyed by name in lower case.
  static var meanings: [String: Meaning] {
    var meanings = special
    for (name, attributes) in texts {
      guard let field = ContactFields.standard.text(named: name) else { continue }
      for attribute in attributes { meanings[attribute] = .slot(.text(field)) }
    }
    for (name, label, attribute) in values {
      guard let field = ContactFields.standard.values(named: name) else { continue }
      meanings[attribute.lowercased()] = .slot(.value(field, label: label))
    }
    for (label, part, attributes) in addresses {
      for attribute in attributes { meanings[attribute.lowercased()] = .slot(.address(part, label: label)) }
    }
    for name in administrative { meanings[name] = .nothing }
    return meanings
  }

  /// The attributes of text fields; the first one for each field is the one that is written.
  static let texts: [(field: String, attributes: [String])] = [
    ("given", ["givenname", "gn"]), ("family", ["sn", "surname"]), ("prefix", ["personaltitle"]),
    ("suffix", ["generationqualifier"]),
    ("nickname", ["mozillanickname", "xmozillanickname", "nickname"]),
    ("organization", ["o", "company", "organizationname"]), ("department", ["ou", "department", "orgunit"]),
    ("title", ["title"]), ("note", ["description", "notes", "comment"]),
  ]

  /// The attributes of labeled values; the first one for each label is the one that is written.
  static let values: [(field: String, label: String, attribute: String)] = [
    ("phones", "work", "telephoneNumber"), ("phones", "home", "homePhone"), ("phones", "mobile", "mobile"),
    ("phones", "mobile", "mobileTelephoneNumber"), ("phones", "mobile", "cellphone"),
    ("phones", "home", "homeTelephoneNumber"), ("phones", "fax", "facsimileTelephoneNumber"), ("phones", "fax", "fax"),
    ("phones", "pager", "pager"), ("phones", "pager", "pagerTelephoneNumber"), ("phones", "pager", "pagerphone"),
    ("emails", "", "mail"), ("emails", "", "rfc822Mailbox"), ("emails", "", "mozillaSecondEmail"),
    ("emails", "", "xmozillasecondemail"), ("urls", "home", "mozillaHomeUrl"), ("urls", "work", "mozillaWorkUrl"),
    ("urls", "home", "homeurl"), ("urls", "work", "workurl"), ("handles", "aim", "nsAIMid"),
    ("handles", "aim", "_aimscreenname"), ("handles", "googletalk", "mozillaGoogleTalk"),
    ("handles", "jabber", "mozillaXmpp"), ("custom", "custom 1", "mozillaCustom1"),
    ("custom", "custom 2", "mozillaCustom2"), ("custom", "custom 3", "mozillaCustom3"),
    ("custom", "custom 4", "mozillaCustom4"),
  ]

  /// The attributes of the parts of addresses; the first one for each part is the one that is written.
  static let addresses: [(label: String, part: AddressPart, attributes: [String])] = [
    ("work", .street, ["street", "streetAddress"]), ("work", .extended, ["mozillaWorkStreet2"]),
    ("work", .city, ["l", "locality"]), ("work", .region, ["st", "region"]),
    ("work", .postalCode, ["postalCode", "zip"]), ("work", .country, ["c", "co", "countryName"]),
    ("work", .poBox, ["postOfficeBox"]), ("home", .street, ["mozillaHomeStreet"]),
    ("home", .extended, ["mozillaHomeStreet2"]), ("home", .city, ["mozillaHomeLocalityName"]),
    ("home", .region, ["mozillaHomeState"]), ("home", .postalCode, ["mozillaHomePostalCode"]),
    ("home", .country, ["mozillaHomeCountryName"]),
  ]

  private static let special: [String: Meaning] = [
    "cn": .slot(.name), "commonname": .slot(.name), "displayname": .slot(.name), "entryuuid": .slot(.uid),
    "businesscategory": .slot(.kind),
    "birthyear": .birthday(.year), "birthmonth": .birthday(.month), "birthday": .birthday(.day),
    "dateofbirth": .slot(.birthday), "jpegphoto": .photo, "thumbnailphoto": .photo, "labeleduri": .link,
    "labeledurl": .link, "postaladdress": .postalAddress(label: "work"),
    "homepostaladdress": .postalAddress(label: "home"),
  ]

  private static let administrative: Set<String> = [
    "dn", "objectclass", "structuralobjectclass", "creatorsname", "createtimestamp", "modifiersname",
    "modifytimestamp", "entrycsn", "contextcsn", "entrydn", "subschemasubentry", "hassubordinates", "userpassword",
    "changetype", "mozillausehtmlmail", "xmozillausehtmlmail", "lastmodifieddate", "popularityindex",
  ]

  /// Returns whether the classes of an entry are those of a person. An entry of no known class counts as a person if it
  /// has an email address, a phone number or a part of a name.
  static func isContact(_ classes: [String], attributes: Set<String>) -> Bool {
    if classes.contains(where: { $0.hasSuffix("person") || personal.contains($0) }) { return true }
    if classes.contains(where: structural.contains) { return false }
    return !attributes.isDisjoint(with: ["mail", "telephonenumber", "mobile", "homephone", "sn", "givenname"])
  }

  /// Returns whether an attribute of a group is imported, besides its members, or says nothing about it.
  static func isOfGroup(_ name: String, _ meanings: [String: Meaning]) -> Bool {
    switch meanings[name] {
    case .slot(.name), .slot(.uid), .nothing: true
    default: false
    }
  }

  static func isGroup(_ classes: [String]) -> Bool { classes.contains { groups.contains($0) } }

  private static let personal: Set<String> = ["mozillaabpersonalpha", "contact", "user", "posixaccount", "account"]
  private static let groups: Set<String> = ["groupofnames", "groupofuniquenames", "mailgroup", "group"]
  private static let structural: Set<String> = [
    "organization", "organizationalunit", "organizationalrole", "dcobject", "domain", "country", "locality", "alias",
    "posixgroup", "device", "olcglobal", "olcconfig",
  ]
}
