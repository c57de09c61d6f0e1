/// The searchable content of one contact: its texts as displayed, not folded.
public struct SearchDocument: Hashable, Sendable {
  /// The contact's id.
  public var id: Int64
  /// The display name.
  public var name: String
  /// The family name; searched on its own only if the display name does not contain it.
  public var family = ""
  /// The given name; searched on its own only if the display name does not contain it.
  public var given = ""
  /// The phonetic family name.
  public var phoneticFamily = ""
  /// The phonetic given name.
  public var phoneticGiven = ""
  /// The nickname.
  public var nickname = ""
  /// The organization.
  public var organization = ""
  /// The department.
  public var department = ""
  /// The job title.
  public var title = ""
  /// The note.
  public var note = ""
  /// Texts that are searched like the note: accounts, related people, and texts that only the contact's card has.
  public var more: [String] = []
  /// Telephone numbers.
  public var phones: [String] = []
  /// Email addresses.
  public var emails: [String] = []
  /// Postal addresses, each as one string.
  public var addresses: [String] = []
  /// Websites.
  public var urls: [String] = []
  /// Names of the groups that the contact belongs to.
  public var groups: [String] = []
  /// Whether the contact has a photo (`has:photo`).
  public var hasPhoto = false
  /// Whether the contact has a birthday (`has:birthday`).
  public var hasBirthday = false
  /// Whether a Han name begins with a surname; some surnames have special readings.
  public var isPerson = true

  /// Creates a contact with only a name.
  public init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }
}

extension SearchDocument {
  /// Returns the text of a field; empty if the contact does not have it.
  public func text(of field: SearchField) -> String {
    func item(_ texts: [String]) -> String {
      field.index.flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
    }
    return switch field.kind {
    case .name: name
    case .phonetic: phonetic
    case .nickname: nickname
    case .family: family
    case .given: given
    case .phone: item(phones)
    case .email: item(emails)
    case .organization: organization
    case .title: title
    case .department: department
    case .group: item(groups)
    case .url: item(urls)
    case .address: item(addresses)
    case .note: field.index == nil ? note : item(more)
    }
  }

  /// Both phonetic names, which are matched as one text.
  private var phonetic: String {
    let isJoined = !phoneticFamily.isEmpty && !phoneticGiven.isEmpty
    return isJoined ? phoneticFamily + " " + phoneticGiven : phoneticFamily + phoneticGiven
  }

  /// Calls the body with every text that is split into words and characters: first the name, even if empty. Other empty
  /// texts, and a family or given name that the display name contains, are left out.
  func forEachText(_ body: (SearchField, String) -> Void) {
    body(.name, name)
    func add(_ field: SearchField, _ text: String) {
      if !text.isEmpty { body(field, text) }
    }
    add(SearchField(.phonetic), phonetic)
    add(.nickname, nickname)
    if !family.isEmpty, !name.hasWhole(family) { add(SearchField(.family), family) }
    if !given.isEmpty, !name.hasWhole(given) { add(SearchField(.given), given) }
    add(.organization, organization)
    add(.title, title)
    add(.department, department)
    for (index, text) in groups.enumerated() { add(.group(index), text) }
    for (index, text) in addresses.enumerated() { add(.address(index), text) }
    add(.note, note)
    for (index, text) in more.enumerated() { add(SearchField(.note, index: index), text) }
  }

  /// Calls the body with every email address and website that is not empty; they are compared letter by letter.
  func forEachLiteral(_ body: (SearchField, String) -> Void) {
    for (index, text) in emails.enumerated() where !text.isEmpty { body(.email(index), text) }
    for (index, text) in urls.enumerated() where !text.isEmpty { body(.url(index), text) }
  }

  var presence: Presence {
    var presence = Presence()
    if hasPhoto { presence.insert(.photo) }
    if hasBirthday { presence.insert(.birthday) }
    if !phones.isEmpty { presence.insert(.phone) }
    if !emails.isEmpty { presence.insert(.email) }
    if !addresses.isEmpty { presence.insert(.address) }
    if !urls.isEmpty { presence.insert(.url) }
    if !groups.isEmpty { presence.insert(.group) }
    if !note.isEmpty { presence.insert(.note) }
    if !nickname.isEmpty { presence.insert(.nickname) }
    if !organization.isEmpty { presence.insert(.organization) }
    if !department.isEmpty { presence.insert(.department) }
    if !title.isEmpty { presence.insert(.title) }
    return presence
  }
}

/// The fields that a contact has, for `has:`.
struct Presence: OptionSet, Hashable, Sendable {
  let rawValue: UInt16
  static let photo = Presence(rawValue: 1 << 0)
  static let birthday = Presence(rawValue: 1 << 1)
  static let phone = Presence(rawValue: 1 << 2)
  static let email = Presence(rawValue: 1 << 3)
  static let address = Presence(rawValue: 1 << 4)
  static let url = Presence(rawValue: 1 << 5)
  static let group = Presence(rawValue: 1 << 6)
  static let note = Presence(rawValue: 1 << 7)
  static let nickname = Presence(rawValue: 1 << 8)
  static let organization = Presence(rawValue: 1 << 9)
  static let department = Presence(rawValue: 1 << 10)
  static let title = Presence(rawValue: 1 << 11)
}

extension String {
  /// Returns whether a part that is not empty occurs in this string, see ``UnsafeBufferPointer/hasWhole(_:)``.
  fileprivate func hasWhole(_ part: String) -> Bool {
    var whole = self
    var part = part
    return whole.withUTF8 { whole in part.withUTF8 { whole.hasWhole($0) } }
  }
}
