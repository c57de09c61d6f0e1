import Pinyin

/// Search documents in one buffer of UTF-8, from which an encoder reads them. Filling it from a database is quicker than
/// creating a ``SearchDocument`` for each contact: there is nothing to allocate for a text.
package struct SearchDocumentBatch: Sendable {
  /// A text of a document; it begins where the one before it ends.
  struct Text {
    var kind: FieldKind
    /// The end in `bytes`.
    var end: Int
  }

  struct Document {
    var id: Int64
    var isPerson: Bool
    var presence: Presence
    /// The parts of the name with their phonetic spellings; see ``SearchDocument/nameParts``.
    var nameParts: [NamePart] = []
    /// The end of its texts in `texts`; they begin where those of the document before end.
    var end: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var texts: [Text] = []
  private(set) var documents: [Document] = []
  /// The range of the last document's name in `bytes`.
  private var name = 0..<0

  package init() {}

  package var count: Int { documents.count }

  /// Removes all documents, but keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    documents.removeAll(keepingCapacity: true)
  }

  /// Appends a document.
  package mutating func append(_ document: SearchDocument) {
    var copy = document.name
    copy.withUTF8 { begin(document.id, isPerson: document.isPerson, name: $0) }
    documents[documents.count - 1].presence = document.presence
    documents[documents.count - 1].nameParts = document.nameParts
    func add(_ field: SearchField, _ text: String) {
      var text = text
      text.withUTF8 { utf8 in
        bytes.append(contentsOf: utf8)
        end(field.kind)
      }
    }
    document.forEachText { field, text in
      if field.kind != .name { add(field, text) }
    }
    document.forEachLiteral(add)
    for (index, text) in document.phones.enumerated() where !text.isEmpty { add(.phone(index), text) }
  }

  /// Begins a document without phonetic names, to which ``append(_:_:)`` adds more texts.
  /// - Parameter name: the display name; what is not UTF-8 in it is repaired as `String` does.
  package mutating func begin(_ id: Int64, isPerson: Bool, name: UnsafeBufferPointer<UInt8>) {
    documents.append(Document(id: id, isPerson: isPerson, presence: [], end: texts.count))
    let start = bytes.count
    bytes.append(contentsOf: name)
    repair(from: start)
    self.name = start..<bytes.count
    end(.name)
  }

  /// Marks the last document as having a photo or a birthday.
  package mutating func mark(hasPhoto: Bool, hasBirthday: Bool) {
    if hasPhoto { documents[documents.count - 1].presence.insert(.photo) }
    if hasBirthday { documents[documents.count - 1].presence.insert(.birthday) }
  }

  /// Adds a text to the last document. Texts must come in the order of ``SearchDocument/forEachText(_:)``; email
  /// addresses, websites and telephone numbers come after the others.
  /// - Parameter write: appends its bytes; what is not UTF-8 is repaired as `String` does.
  @inline(__always)
  package mutating func append(_ kind: FieldKind, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    let isEmpty = bytes.count == start
    // A contact with an empty phone number has a phone number, as in `SearchDocument.presence`.
    if !isEmpty || kind.isList, let presence = kind.presence {
      documents[documents.count - 1].presence.insert(presence)
    }
    guard !isEmpty else { return }
    repair(from: start)
    if kind == .family || kind == .given, isInName(from: start) {
      bytes.removeSubrange(start...)
    } else {
      end(kind)
    }
  }

  /// Adds a text of ``SearchDocument/more`` to the last document, after its note.
  package mutating func append(more text: UnsafeBufferPointer<UInt8>) {
    guard !text.isEmpty else { return }
    let start = bytes.count
    bytes.append(contentsOf: text)
    repair(from: start)
    end(.note)
  }

  private mutating func end(_ kind: FieldKind) {
    texts.append(Text(kind: kind, end: bytes.count))
    documents[documents.count - 1].end = texts.count
  }

  /// Whether the name contains the bytes from `start` on as a whole.
  private func isInName(from start: Int) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      UnsafeBufferPointer(rebasing: bytes[name]).hasWhole(UnsafeBufferPointer(rebasing: bytes[start...]))
    }
  }

  private mutating func repair(from start: Int) {
    let isASCII = bytes.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[start...]).isASCII }
    if isASCII { return }
    let isValid = (try? UTF8Span(validating: bytes.span.extracting(start..<bytes.count))) != nil
    if !isValid { bytes.replaceSubrange(start..., with: Array(String(decoding: bytes[start...], as: UTF8.self).utf8)) }
  }
}

extension FieldKind {
  /// Whether a contact may have several.
  fileprivate var isList: Bool {
    switch self {
    case .phone, .email, .group, .url, .address: true
    case .name, .phonetic, .nickname, .family, .given, .organization, .title, .department, .note: false
    }
  }

  fileprivate var presence: Presence? {
    switch self {
    case .name, .phonetic, .family, .given: nil
    case .nickname: .nickname
    case .phone: .phone
    case .email: .email
    case .organization: .organization
    case .title: .title
    case .department: .department
    case .group: .group
    case .url: .url
    case .address: .address
    case .note: .note
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are ASCII; eight are compared at a time.
  var isASCII: Bool {
    let bytes = UnsafeRawBufferPointer(self)
    var start = 0
    while start + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      start += 8
    }
    while start < bytes.count {
      if bytes[start] >= 0x80 { return false }
      start += 1
    }
    return true
  }

  /// Returns whether the part, which is not empty, occurs in these bytes. Where the part begins or ends with an ASCII
  /// character, only a space or nothing may be next to it.
  func hasWhole(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard part.count <= count else { return false }
    for start in 0...(count - part.count) {
      if start > 0, self[start] < 0x80, self[start - 1] != 0x20 { continue }
      let end = start + part.count
      if end < count, part[part.count - 1] < 0x80, self[end] != 0x20 { continue }
      if (0..<part.count).allSatisfy({ self[start + $0] == part[$0] }) { return true }
    }
    return false
  }
}
