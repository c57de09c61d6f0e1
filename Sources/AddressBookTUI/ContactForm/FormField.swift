import AddressBookModel

/// The single fields of the form: each stands once, in this order.
enum SingleField: String, CaseIterable {
  case prefix, family, given, middle, suffix, formattedName
  case phoneticFamily, phoneticMiddle, phoneticGiven
  case nickname, organization, department, title
  case birthday, groups, note

  /// The parts of a name that few people have: the form shows them where they are filled in, or when they are asked for.
  static let rare: [SingleField] = [
    .prefix, .middle, .suffix, .formattedName, .phoneticFamily, .phoneticMiddle, .phoneticGiven,
  ]

  /// Where the field's text lives in a contact; nil for those that are not plain text there.
  var keyPath: WritableKeyPath<Contact, String>? {
    switch self {
    case .prefix: \.prefix
    case .family: \.family
    case .given: \.given
    case .middle: \.middle
    case .suffix: \.suffix
    case .formattedName: \.formattedName
    case .phoneticFamily: \.phoneticFamily
    case .phoneticMiddle: \.phoneticMiddle
    case .phoneticGiven: \.phoneticGiven
    case .nickname: \.nickname
    case .organization: \.organization
    case .department: \.department
    case .title: \.title
    case .note: \.note
    case .birthday, .groups: nil
    }
  }
}

/// The fields of which a contact has any number, each value with a label.
enum MultiField: String, CaseIterable {
  case phone, email, address, url, date, handle, related

  /// Where the values live in a contact; nil for addresses, which have parts.
  var keyPath: WritableKeyPath<Contact, [LabelledValue]>? {
    switch self {
    case .phone: \.phones
    case .email: \.emails
    case .url: \.urls
    case .date: \.dates
    case .handle: \.handles
    case .related: \.related
    case .address: nil
    }
  }

  /// The name of the values in a contact's JSON and in the key paths of validation issues.
  var collectionName: String {
    switch self {
    case .phone: "phones"
    case .email: "emails"
    case .address: "addresses"
    case .url: "urls"
    case .date: "dates"
    case .handle: "handles"
    case .related: "related"
    }
  }

  /// The labels that the chooser offers; the first is a new value's.
  var labels: [String] {
    switch self {
    case .phone: ["mobile", "home", "work", "main", "iphone", "home fax", "work fax", "pager", "other"]
    case .email: ["home", "work", "school", "other"]
    case .address: ["home", "work", "school", "other"]
    case .url: ["homepage", "home", "work", "blog", "profile", "other"]
    case .date: ["anniversary", "other"]
    case .handle: ["home", "work", "other"]
    case .related:
      [
        "spouse", "partner", "child", "parent", "mother", "father", "brother", "sister", "friend", "assistant",
        "manager",
        "other",
      ]
    }
  }
}
