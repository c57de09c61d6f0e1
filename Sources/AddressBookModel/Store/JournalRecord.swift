import Contacts
import Foundation

/// A contact with its photo as bytes, for a journal. Only the process that wrote them reads them.
struct JournalRecord: Sendable {
  var contact: Contact
  /// The bytes of the photo; nil if the write does not change the photo, and if there is none.
  var photo: Photo?
  /// True if the write set or removed the photo.
  var setsPhoto = false

  /// A digest of the content, equal for equal contacts within this process.
  static func digest(_ contact: Contact) -> Int {
    var hasher = Hasher()
    hasher.combine(contact.comparable)
    return hasher.finalize()
  }

  /// About the size of ``data``.
  var byteCount: Int { 400 + contact.note.utf8.count + (photo?.data.count ?? 0) }

  // MARK: - Bytes

  var data: Data {
    var writer = ByteWriter()
    writer.put(Int(contact.id))
    writer.put(contact.kind.rawValue)
    writer.put(contact.uid)
    writer.put(contact.birthday?.iso ?? "")
    for field in ContactFields.standard.texts { writer.put(contact[field]) }
    for field in ContactFields.standard.values {
      writer.put(contact[keyPath: field.property].count)
      for item in contact[keyPath: field.property] {
        writer.put(item.label)
        writer.put(item.value)
      }
    }
    writer.put(contact.addresses.count)
    for address in contact.addresses {
      writer.put(address.label)
      for part in AddressPart.allCases { writer.put(address[part]) }
    }
    for list in [contact.groups, contact.cardLines] {
      writer.put(list.count)
      for text in list { writer.put(text) }
    }
    writer.put(contact.photo?.mediaType ?? "")
    writer.put(contact.photo?.bytes ?? -1)
    writer.put(contact.photo?.sha256 ?? "")
    writer.put(setsPhoto ? 1 : 0)
    writer.put(photo?.mediaType ?? "")
    writer.put(photo.map(\.data.count) ?? -1)
    if let photo { writer.bytes.append(photo.data) }
    return writer.bytes
  }

  init(contact: Contact, photo: Photo? = nil, setsPhoto: Bool = false) {
    self.contact = contact
    self.photo = photo
    self.setsPhoto = setsPhoto
  }

  /// - Throws: `StoreError` if these are not the bytes of a record.
  init(_ data: Data) throws {
    var reader = ByteReader(data)
    contact = Contact()
    contact.id = Int64(try reader.number())
    contact.kind = Contact.Kind(rawValue: try reader.number()) ?? .person
    contact.uid = try reader.text()
    contact.birthday = PartialDate(try reader.text())
    for field in ContactFields.standard.texts { contact[field] = try reader.text() }
    for field in ContactFields.standard.values {
      for _ in 0..<(try reader.number()) {
        contact[keyPath: field.property].append(LabelledValue(label: try reader.text(), value: try reader.text()))
      }
    }
    for _ in 0..<(try reader.number()) {
      var address = PostalAddress(label: try reader.text())
      for part in AddressPart.allCases { address[part] = try reader.text() }
      contact.addresses.append(address)
    }
    for property in [\Contact.groups, \Contact.cardLines] {
      for _ in 0..<(try reader.number()) { contact[keyPath: property].append(try reader.text()) }
    }
    let (mediaType, bytes, sha256) = (try reader.text(), try reader.number(), try reader.text())
    if bytes >= 0 { contact.photo = PhotoSummary(mediaType: mediaType, bytes: bytes, sha256: sha256) }
    setsPhoto = try reader.number() == 1
    let (photoType, photoBytes) = (try reader.text(), try reader.number())
    photo = photoBytes < 0 ? nil : Photo(mediaType: photoType, data: try reader.take(photoBytes))
  }
}

private struct ByteWriter {
  var bytes = Data()

  mutating func put(_ number: Int) {
    withUnsafeBytes(of: Int64(number)) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}

private struct ByteReader {
  private let bytes: Data
  private var position: Int

  init(_ bytes: Data) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func take(_ count: Int) throws -> Data {
    guard count >= 0, bytes.endIndex - position >= count else { throw StoreError(.other, path: "", detail: "journal") }
    defer { position += count }
    return bytes.subdata(in: position..<position + count)
  }

  mutating func number() throws -> Int {
    Int(try take(8).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
  }

  mutating func text() throws -> String { String(decoding: try take(try number()), as: UTF8.self) }
}
