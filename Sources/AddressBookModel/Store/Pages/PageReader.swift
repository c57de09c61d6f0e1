import Foundation
import GRDB

/// What can be read of a row in a page.
package struct PageRecord {
  /// The rowid; nil in an index, or a table without rowids.
  package let rowID: Int64?
  /// The values. The bytes of texts are not validated.
  package let values: [Value]
  /// False if bytes are missing; then the last values are missing too.
  package let isWhole: Bool

  package enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Data)
    case blob(Data)

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var text: String? { if case .text(let data) = self { String(decoding: data, as: UTF8.self) } else { nil } }

    package var isNull: Bool { self == .null }
  }
}

/// Reads the cells of tree pages, never beyond the end of a page.
package struct PageReader {
  private let pageSize: Int
  /// The maximum size of a payload.
  private let longest: Int
  /// Returns the page with a number.
  private let page: (Int) -> [UInt8]?

  package init(pageSize: Int, fileSize: Int, page: @escaping (Int) -> [UInt8]?) {
    self.pageSize = pageSize
    longest = fileSize
    self.page = page
  }

  package enum Kind: UInt8 {
    case indexNode = 0x02
    case tableNode = 0x05
    case indexLeaf = 0x0a
    case tableLeaf = 0x0d
  }

  /// Returns the offset of the tree header in a page.
  static func start(_ number: Int) -> Int { number == 1 ? 100 : 0 }

  package func kind(_ page: [UInt8], _ number: Int) -> Kind? { Kind(rawValue: page[Self.start(number)]) }

  /// Returns the child pages of an interior page, in order.
  package func children(_ page: [UInt8], _ number: Int) -> [Int] {
    let start = Self.start(number)
    return cells(page, number, header: 12).compactMap { number32(page, $0) } + [number32(page, start + 8) ?? 0]
  }

  /// Returns the rows of a table's page or the entries of an index's page, with nil for each cell that cannot be
  /// decoded. An interior page of a table has none.
  /// - Parameter limit: the maximum number of rows.
  package func records(_ page: [UInt8], _ number: Int, atMost limit: Int = .max) -> [PageRecord?] {
    switch kind(page, number) {
    case .tableLeaf: cells(page, number, header: 8).prefix(limit).map { record(page, $0, hasRowID: true) }
    case .indexLeaf: cells(page, number, header: 8).prefix(limit).map { record(page, $0, hasRowID: false) }
    case .indexNode: cells(page, number, header: 12).prefix(limit).map { record(page, $0 + 4, hasRowID: false) }
    case .tableNode, nil: []
    }
  }

  /// Returns the valid offsets of the cells of a page, also of those that are beyond its bytes.
  private func cells(_ page: [UInt8], _ number: Int, header: Int) -> [Int] {
    let start = Self.start(number)
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    // A cell takes at least four bytes, and its pointer two.
    let possible = min(count, (pageSize - start - header) / 6)
    return (0..<possible).compactMap { index in
      let offset = start + header + index * 2
      guard offset + 1 < page.count else { return page.count }
      let cell = Int(page[offset]) << 8 | Int(page[offset + 1])
      return cell >= start + header && cell < pageSize - 3 ? cell : nil
    }
  }

  private func record(_ page: [UInt8], _ cell: Int, hasRowID: Bool) -> PageRecord? {
    var offset = cell
    guard let size = varint(page, &offset), size > 0, size <= Int64(longest) else { return nil }
    var rowID: Int64?
    if hasRowID {
      guard let id = varint(page, &offset) else { return nil }
      rowID = id
    }
    let payload = payload(page, offset, Int(size), isTable: hasRowID)
    guard let (values, isWhole) = values(payload, size: Int(size)) else { return nil }
    return PageRecord(rowID: rowID, values: values, isWhole: isWhole)
  }

  /// Returns the readable bytes of a row.
  private func payload(_ page: [UInt8], _ offset: Int, _ size: Int, isTable: Bool) -> [UInt8] {
    let usable = pageSize
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    if size <= most { return Array(page[min(offset, page.count)..<min(page.count, offset + size)]) }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (size - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard offset + local + 4 <= page.count else { return Array(page[min(offset, page.count)...]) }
    var bytes = Array(page[offset..<offset + local])
    bytes.reserveCapacity(size)
    var next = number32(page, offset + local) ?? 0
    var visited: Set<Int> = []
    while bytes.count < size, visited.insert(next).inserted, let overflow = self.page(next) {
      bytes += overflow[4..<min(overflow.count, 4 + size - bytes.count)]
      next = number32(overflow, 0) ?? 0
    }
    return bytes
  }

  /// Returns the values of a row, and whether it is complete; nil if its header is not valid.
  private func values(_ bytes: [UInt8], size: Int) -> ([PageRecord.Value], Bool)? {
    var offset = 0
    guard let length = varint(bytes, &offset), length > 0, length <= Int64(bytes.count), length < 4096 else {
      return nil
    }
    let header = Int(length)
    var values: [PageRecord.Value] = []
    var content = header
    var isWhole = bytes.count == size
    while offset < header {
      guard let type = varint(bytes, &offset), offset <= header, type >= 0, type != 10, type != 11,
        let width = Self.width(type), content <= size, width <= size - content
      else { return nil }
      guard isWhole || content + width <= bytes.count else {
        isWhole = false
        break
      }
      values.append(Self.value(type, bytes[content..<content + width]))
      content += width
    }
    return values.isEmpty ? nil : (values, isWhole)
  }

  private static func width(_ type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: Int(exactly: (type - 12) / 2)
    }
  }

  private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> PageRecord.Value {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6:
      let isNegative = (bytes.first ?? 0) & 0x80 != 0
      return .integer(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
    case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    default: return type.isMultiple(of: 2) ? .blob(Data(bytes)) : .text(Data(bytes))
    }
  }

  /// Reads an SQLite variable-length integer of one to nine bytes, and moves the offset past it; nil if bytes are
  /// missing.
  private func varint(_ bytes: [UInt8], _ offset: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }

  package func number32(_ bytes: [UInt8], _ offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return Int(bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }
}
