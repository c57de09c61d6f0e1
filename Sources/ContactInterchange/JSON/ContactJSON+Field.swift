import Contacts

extension ContactJSON {
  /// The value of one field as JSON, as it is in the JSON of the contact.
  public static func encode(_ field: ContactField, of contact: Contact) -> String {
    var bytes: [UInt8] = []
    var object = JSONObjectWriter(after: &bytes)
    let key = field.jsonKey
    switch field {
    case .text(let text): object.add(key, contact[text])
    case .values(let values): object.add(key, contact[keyPath: values.property])
    case .special(.kind): object.add(key, contact.kind == .person ? "person" : "organization")
    case .special(.birthday):
      if let birthday = contact.birthday { object.add(key, birthday.iso) } else { object.add(key, raw: "null") }
    case .special(.addresses): object.add(key, contact.addresses)
    case .special(.groups): object.add(key, contact.groups)
    case .special(.cardLines): object.add(key, contact.cardLines)
    case .special(.photo):
      if let photo = contact.photo {
        object.add(key) {
          $0.add("bytes", raw: String(photo.bytes))
          $0.add("sha256", photo.sha256)
        }
      } else {
        object.add(key, raw: "null")
      }
    }
    // Without the braces and the key.
    object.finish(&bytes)
    return String(decoding: bytes.dropFirst(1 + encode(key).utf8.count + 2).dropLast(), as: UTF8.self)
  }
}
