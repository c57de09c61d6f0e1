/// Where each field stands in a contact.
extension CardField {
  /// Which field it is, whatever its value.
  enum Identity: Hashable {
    case uid, kind, formattedName, name, phoneticGiven, phoneticMiddle, phoneticFamily, nickname, organization, title
    case birthday, note, phone, email, address, url, date, handle, related, groups, photo
  }

  var identity: Identity {
    switch self {
    case .uid: return .uid
    case .kind: return .kind
    case .formattedName: return .formattedName
    case .name: return .name
    case .phoneticGiven: return .phoneticGiven
    case .phoneticMiddle: return .phoneticMiddle
    case .phoneticFamily: return .phoneticFamily
    case .nickname: return .nickname
    case .organization: return .organization
    case .title: return .title
    case .birthday: return .birthday
    case .note: return .note
    case .phone: return .phone
    case .email: return .email
    case .address: return .address
    case .url: return .url
    case .date: return .date
    case .handle: return .handle
    case .related: return .related
    case .groups: return .groups
    case .photo: return .photo
    }
  }

  /// True for fields that some programs write in several properties of a card: their value counts once.
  var isOftenRepeated: Bool {
    switch self {
    case .date, .handle, .related: return true
    default: return false
    }
  }

  /// The same field with an empty label.
  var withoutLabel: CardField {
    func bare(_ value: LabelledValue) -> LabelledValue { LabelledValue(value: value.value) }
    switch self {
    case .phone(let value): return .phone(bare(value))
    case .email(let value): return .email(bare(value))
    case .url(let value): return .url(bare(value))
    case .date(let value): return .date(bare(value))
    case .handle(let value): return .handle(bare(value))
    case .related(let value): return .related(bare(value))
    case .address(var address):
      address.label = ""
      return .address(address)
    default: return self
    }
  }

  /// Puts the field into the contact; values are added to those that are there.
  func store(in contact: inout Contact) {
    switch self {
    case .uid(let text): contact.uid = text.trimmedBlanks
    case .kind(let kind): contact.kind = kind
    case .formattedName(let text): contact.formattedName = text
    case .name(let name):
      contact.family = name.family
      contact.given = name.given
      contact.middle = name.middle
      contact.prefix = name.prefix
      contact.suffix = name.suffix
    case .phoneticGiven(let text): contact.phoneticGiven = text.trimmedBlanks
    case .phoneticMiddle(let text): contact.phoneticMiddle = text.trimmedBlanks
    case .phoneticFamily(let text): contact.phoneticFamily = text.trimmedBlanks
    case .nickname(let text): contact.nickname = text
    case .organization(let name, let department):
      contact.organization = name
      contact.department = department
    case .title(let text): contact.title = text.trimmedBlanks
    case .birthday(let day): contact.birthday = day
    case .note(let text): contact.note = text
    case .phone(let value): contact.phones.append(value)
    case .email(let value): contact.emails.append(value)
    case .address(let address): contact.addresses.append(address)
    case .url(let value): contact.urls.append(value)
    case .date(let value): contact.dates.append(value)
    case .handle(let value): contact.handles.append(value)
    case .related(let value): contact.related.append(value)
    case .groups(let names): contact.groups += names
    case .photo: break
    }
  }

  /// True when the contact holds this single field with this very value.
  func isHeld(by contact: Contact) -> Bool {
    switch self {
    case .formattedName(let text): return text.trimmedBlanks == contact.cardFormattedName
    case .note(let text): return text == contact.note
    default:
      var other = contact
      store(in: &other)
      return other == contact
    }
  }
}

extension Contact {
  /// What stands in FN, which every card must have (RFC 6350, 6.2.1).
  var cardFormattedName: String {
    if !formattedName.isEmpty { return formattedName }
    let composed = composedName
    return composed.isEmpty ? displayName : composed
  }
}
