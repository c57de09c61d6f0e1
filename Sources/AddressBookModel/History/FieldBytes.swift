import Contacts
import Foundation

/// The encoding of a field's value as bytes for the history.
package enum FieldBytes {
  package static func data(_ field: ContactField, of contact: Contact) -> Data {
    var writer = ByteWriter()
    switch field {
    case .text(let text): return Data(contact[text].utf8)
    case .values(let values):
      for item in contact[keyPath: values.property] {
        writer.put(item.label)
        writer.put(item.value)
      }
    case .special(.kind): writer.put(contact.kind.rawValue)
    case .special(.birthday): return Data((contact.birthday?.iso ?? "").utf8)
    case .special(.addresses):
      for address in contact.addresses {
        writer.put(address.label)
        for part in AddressPart.allCases { writer.put(address[part]) }
      }
    case .special(.groups): return data(ofTexts: contact.groups.sorted())
    case .special(.cardLines): return data(ofTexts: contact.cardLines)
    case .special(.photo):
      guard let photo = contact.photo else { break }
      writer.put(photo.mediaType)
      writer.put(photo.bytes)
      writer.put(photo.sha256)
    }
    return writer.bytes
  }

  /// Returns false if a field is equal in two contacts, regardless of Unicode normalization. This is faster than
  /// comparing the encoded values.
  static func mayDiffer(_ field: ContactField, _ old: Contact, _ new: Contact) -> Bool {
    switch field {
    case .text(let text): old[text] != new[text]
    case .values(let values): old[keyPath: values.property] != new[keyPath: values.property]
    case .special(.kind): old.kind != new.kind
    case .special(.birthday): old.birthday != new.birthday
    case .special(.addresses): old.addresses != new.addresses
    case .special(.groups): old.groups != new.groups
    case .special(.cardLines): old.cardLines != new.cardLines
    case .special(.photo): old.photo != new.photo
    }
  }

  static func data(ofTexts texts: [String]) -> Data {
    var writer = ByteWriter()
    for text in texts { writer.put(text) }
    return writer.bytes
  }

  /// - Throws: `StoreError` if the data is not an encoded list of texts.
  static func texts(_ data: Data) throws -> [String] {
    var reader = ByteReader(data)
    return try reader.texts()
  }

  static func data(_ numbers: [Int64]) -> Data {
    var writer = ByteWriter()
    for number in numbers { writer.put(Int(number)) }
    return writer.bytes
  }

  /// - Throws: `StoreError` if the data is not an encoded list of numbers.
  static func numbers(_ data: Data) throws -> [Int64] {
    var reader = ByteReader(data)
    var numbers: [Int64] = []
    while !reader.isAtEnd { numbers.append(Int64(try reader.number())) }
    return numbers
  }

  /// Sets a field to a decoded value. An unknown kind is read as a person, an invalid birthday as none.
  /// - Throws: `StoreError` if the bytes cannot be decoded.
  package static func set(_ field: ContactField, of contact: inout Contact, to data: Data) throws {
    var reader = ByteReader(data)
    switch field {
    case .text(let text): contact[text] = String(decoding: data, as: UTF8.self)
    case .values(let values):
      var list: [LabeledValue] = []
      while !reader.isAtEnd { list.append(LabeledValue(label: try reader.text(), value: try reader.text())) }
      contact[keyPath: values.property] = list
    case .special(.kind): contact.kind = Contact.Kind(rawValue: try reader.number()) ?? .person
    case .special(.birthday): contact.birthday = PartialDate(String(decoding: data, as: UTF8.self))
    case .special(.addresses):
      contact.addresses = []
      while !reader.isAtEnd {
        var address = PostalAddress(label: try reader.text())
        for part in AddressPart.allCases { address[part] = try reader.text() }
        contact.addresses.append(address)
      }
    case .special(.groups): contact.groups = try texts(data)
    case .special(.cardLines): contact.cardLines = try texts(data)
    case .special(.photo):
      contact.photo =
        reader.isAtEnd
        ? nil
        : PhotoSummary(mediaType: try reader.text(), bytes: try reader.number(), sha256: try reader.text())
    }
  }
}

/// A writer of numbers, strings and bytes; strings and bytes are preceded by their length.
struct ByteWriter {
  private(set) var bytes = Data()

  /// Appends a number as eight bytes, least significant first.
  mutating func put(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func put(_ data: Data) {
    put(data.count)
    bytes.append(data)
  }
}

/// A reader of what a ``ByteWriter`` wrote.
struct ByteReader {
  static let damaged = StoreError(.damaged, path: "", detail: "history")

  private let bytes: Data
  private var position: Int

  init(_ bytes: Data) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func read(_ count: Int) throws -> Data {
    guard count >= 0, bytes.endIndex - position >= count else { throw Self.damaged }
    defer { position += count }
    return bytes.subdata(in: position..<position + count)
  }

  mutating func number() throws -> Int {
    Int(Int64(littleEndian: try read(8).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }))
  }

  mutating func text() throws -> String { String(decoding: try data(), as: UTF8.self) }

  mutating func data() throws -> Data { try read(try number()) }

  mutating func texts() throws -> [String] {
    var texts: [String] = []
    while !isAtEnd { texts.append(try text()) }
    return texts
  }
}
