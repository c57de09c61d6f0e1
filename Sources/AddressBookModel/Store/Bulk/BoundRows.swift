import Contacts

/// Rows for the statements of a bulk write: their values, with all texts and blobs in one buffer. They can be made on
/// any thread.
struct BoundRows: Sendable {
  struct Row: Sendable {
    let table: BulkStatements.Table
    let values: Range<Int>
  }

  private(set) var rows: [Row] = []
  private(set) var values: [BoundValue] = []
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - values: room for this many values.
  ///   - bytes: room for this many bytes of texts and blobs.
  init(values: Int = 0, bytes: Int = 0) {
    rows.reserveCapacity(values / 4)
    self.values.reserveCapacity(values)
    self.bytes.reserveCapacity(bytes)
  }

  /// Adds a row of the values that `body` puts, without the contact's id.
  mutating func append(_ table: BulkStatements.Table, _ body: (inout BoundRows) -> Void) {
    let start = values.count
    body(&self)
    rows.append(Row(table: table, values: start..<values.count))
  }

  mutating func put(_ integer: Int64) { values.append(.integer(integer)) }
  mutating func put(_ number: Int) { values.append(.integer(Int64(number))) }

  mutating func put(_ text: String?) {
    guard let text else { return values.append(.null) }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    values.append(.text(start: start, count: Int32(clamping: bytes.count - start)))
  }

  mutating func put(blob: some Collection<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: blob)
    values.append(.blob(start: start, count: Int32(clamping: bytes.count - start)))
  }

  // MARK: - Parts of a contact

  /// - Parameter index: the index of the field among the labeled values of `ContactFields`.
  mutating func append(_ list: [LabeledValue], ofField index: Int) {
    for (position, item) in list.enumerated() {
      append(.labeled(index)) { rows in
        rows.put(position)
        rows.put(item.label)
        rows.put(item.value)
      }
    }
  }

  mutating func append(_ addresses: [PostalAddress]) {
    for (position, item) in addresses.enumerated() {
      append(.address) { rows in
        rows.put(position)
        rows.put(item.label)
        for part in AddressPart.inCardOrder { rows.put(item[part]) }
      }
    }
  }

  mutating func append(cardLines lines: [String]) {
    if lines.isEmpty { return }
    append(.card) { rows in
      let start = rows.bytes.count
      StoredLines.append(lines, to: &rows.bytes)
      rows.values.append(.text(start: start, count: Int32(clamping: rows.bytes.count - start)))
    }
  }

  mutating func append(_ photo: Photo) {
    let summary = photo.summary
    append(.photo) { rows in
      rows.put(summary.mediaType)
      rows.put(summary.bytes)
      rows.put(summary.sha256)
      rows.put(blob: photo.data)
    }
  }
}

/// A value of a row; a text or a blob is a range of ``BoundRows/bytes``.
enum BoundValue: Sendable {
  case null
  case integer(Int64)
  case text(start: Int, count: Int32)
  case blob(start: Int, count: Int32)
}
