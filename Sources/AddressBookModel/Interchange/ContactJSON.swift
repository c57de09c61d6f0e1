import Foundation

/// A contact as one line of JSON: what `list`, `show`, `query` and `export` print and what `add` and `import` read.
///
/// An export holds the whole contact: in `photo` also `data`, the picture in base64, and `vcardLines`, the lines of its card
/// that are kept to the letter, where there are any. The keys stand in a fixed order. An empty text is `""`; an absent birthday or photo is `null`; a birthday without a year
/// is `--11-26`. `phoneticMiddle` is there only where it is not empty.
public enum ContactJSON {
  /// The contact as JSON without a line end.
  /// - Parameters:
  ///   - name: what is shown as its name; by default ``Contact/displayName``.
  ///   - section: the title of its section, such as `Z` or `#`.
  ///   - additions: further keys at the end, each with a value that is JSON already.
  public static func encode(
    _ contact: Contact, name: String? = nil, section: String, additions: [(key: String, json: String)] = []
  ) -> String {
    var bytes: [UInt8] = []
    append(contact, name: name, section: section, additions: additions, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same in UTF-8.
  public static func append(
    _ contact: Contact, name: String? = nil, section: String, additions: [(key: String, json: String)] = [],
    to bytes: inout [UInt8]
  ) {
    append(contact, name: name, section: section, additions: additions, isWhole: false, photo: nil, to: &bytes)
  }

  /// The whole contact as JSON without a line end, for an export.
  /// - Parameter photo: its picture.
  public static func encodeWhole(_ contact: Contact, section: String, photo: Photo?) -> String {
    var bytes: [UInt8] = []
    append(contact, name: nil, section: section, additions: [], isWhole: true, photo: photo, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(
    _ contact: Contact, name: String?, section: String, additions: [(key: String, json: String)], isWhole: Bool,
    photo data: Photo?, to bytes: inout [UInt8]
  ) {
    var object = JSONObjectWriter(bytes)
    bytes = []
    object.add("id", raw: String(contact.id))
    object.add("uid", contact.uid)
    object.add("kind", contact.kind == .person ? "person" : "organization")
    object.add("section", section)
    object.add("name", name ?? contact.displayName)
    object.add("prefix", contact.prefix)
    object.add("given", contact.given)
    object.add("middle", contact.middle)
    object.add("family", contact.family)
    object.add("suffix", contact.suffix)
    object.add("phoneticGiven", contact.phoneticGiven)
    if !contact.phoneticMiddle.isEmpty { object.add("phoneticMiddle", contact.phoneticMiddle) }
    object.add("phoneticFamily", contact.phoneticFamily)
    object.add("nickname", contact.nickname)
    object.add("organization", contact.organization)
    object.add("department", contact.department)
    object.add("title", contact.title)
    object.add("phones", contact.phones)
    object.add("emails", contact.emails)
    object.add("addresses", contact.addresses)
    object.add("urls", contact.urls)
    object.add("dates", contact.dates)
    object.add("handles", contact.handles)
    object.add("related", contact.related)
    if let birthday = contact.birthday {
      object.add("birthday", birthday.iso)
    } else {
      object.add("birthday", raw: "null")
    }
    object.add("note", contact.note)
    object.add("groups", contact.groups)
    if let photo = contact.photo {
      object.add("photo") {
        $0.add("bytes", raw: String(photo.bytes))
        $0.add("sha256", photo.sha256)
        if let data { $0.add("data", data.data.base64EncodedString()) }
      }
    } else {
      object.add("photo", raw: "null")
    }
    object.add("created", contact.created)
    object.add("modified", contact.modified)
    if isWhole, !contact.cardLines.isEmpty { object.add("vcardLines", contact.cardLines) }
    for addition in additions { object.add(addition.key, raw: addition.json) }
    bytes = object.finish()
  }

  /// A text as JSON, with its quotes.
  public static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONObjectWriter.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
