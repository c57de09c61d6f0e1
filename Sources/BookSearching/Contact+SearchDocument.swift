import AddressBookModel
import ContactInterchange
import ContactSearch
import Contacts

extension Contact {
  /// The searchable content of the contact.
  public var searchDocument: SearchDocument {
    var document = SearchDocument(id: id, name: displayName)
    for field in ContactFields.standard.texts {
      if let kind = field.search { document.add(self[field], as: kind) }
    }
    for field in ContactFields.standard.values {
      if let kind = field.search { document.add(field.read(self).map(\.value), as: kind) }
    }
    document.more += furtherTexts.map(\.text)
    document.addresses = addresses.map { $0.joined() }
    document.groups = groups
    document.hasPhoto = photo != nil
    document.hasBirthday = birthday != nil
    document.isPerson = kind == .person
    return document
  }
}

extension StoredContact {
  /// The searchable content of the contact, with the name that is stored.
  var searchDocument: SearchDocument {
    var document = contact.searchDocument
    document.name = derived.displayName
    return document
  }
}

extension Contact {
  /// The texts of its card that it has no field for, because a field has another one: a second job title or note.
  public var furtherTexts: [(field: ContactField.Text, text: String)] { FurtherTexts.texts(in: cardLines) }
}

extension SearchDocument {
  /// Adds a text of a contact. Texts of one kind are joined.
  mutating func add(_ text: String, as kind: ContactField.SearchKind) {
    switch kind {
    case .family: Self.join(&family, text)
    case .given: Self.join(&given, text)
    case .phoneticFamily: Self.join(&phoneticFamily, text)
    case .phoneticGiven: Self.join(&phoneticGiven, text)
    case .nickname: Self.join(&nickname, text)
    case .organization: Self.join(&organization, text)
    case .department: Self.join(&department, text)
    case .title: Self.join(&title, text)
    case .note: Self.join(&note, text)
    case .phone, .email, .url, .more: if !text.isEmpty { add([text], as: kind) }
    }
  }

  mutating func add(_ values: [String], as kind: ContactField.SearchKind) {
    switch kind {
    case .phone: Self.join(&phones, values)
    case .email: Self.join(&emails, values)
    case .url: Self.join(&urls, values)
    case .more: Self.join(&more, values)
    default: for value in values { add(value, as: kind) }
    }
  }

  private static func join(_ values: inout [String], _ more: [String]) {
    if values.isEmpty { values = more } else { values += more }
  }

  private static func join(_ text: inout String, _ more: String) {
    if text.isEmpty { text = more } else if !more.isEmpty { text += " " + more }
  }
}
