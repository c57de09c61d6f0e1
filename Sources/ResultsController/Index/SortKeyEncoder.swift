import Glibc

/// Encodes a row's sort keys as bytes whose `memcmp` order is SQLite's order of the rows, except that SQLite orders
/// the text of a UTF-16 database differently, and ignores what follows a NUL in NOCASE text.
///
/// Each key is a tag for its type (NULL, number, text, blob, in SQLite's order) and its value. A number is encoded as
/// the nearest double, with its bits mapped to byte order, and from 2^53 on also the integer's distance from that
/// double. Text and blobs end with two zero bytes, and a zero inside is followed by 255; the last key, if ascending,
/// needs neither. A descending key has all its bits inverted.
final class SortKeyEncoder {
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity = 256
  private(set) var count = 0
  private let parts: [FetchPlan.KeyPart]
  private let firstColumn: Int32

  init(_ plan: FetchPlan) {
    parts = plan.keyParts
    firstColumn = plan.firstKeyColumn
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// The bytes of the last encoded row, valid until the next row is encoded.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage, count: count) }

  func encode(_ row: RawRow) {
    count = 0
    let last = parts.count - 1
    for index in 0...last {
      let part = parts[index]
      let start = count
      let column = firstColumn + Int32(truncatingIfNeeded: index)
      let kind = row.kind(column)
      switch kind {
      case .null: append(0x01)
      case .integer: append(integer: row.integer(column))
      case .real: append(real: row.real(column))
      case .text:
        append(0x03)
        append(text: row.bytes(column, kind), part.collation, isOpen: index == last && part.ascending)
      case .blob:
        append(0x04)
        append(text: row.bytes(column, kind), .binary, isOpen: index == last && part.ascending)
      }
      if !part.ascending {
        for position in start..<count { storage[position] = ~storage[position] }
      }
    }
  }

  private func reserve(_ extra: Int) {
    guard count + extra > capacity else { return }
    let grown = max(capacity * 2, count + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    moved.update(from: storage, count: count)
    storage.deallocate()
    storage = moved
    capacity = grown
  }

  private func append(_ byte: UInt8) {
    reserve(1)
    storage[count] = byte
    count += 1
  }

  private func append(integer value: Int64) {
    let nearest = Double(value)
    append(ordered: nearest)
    if nearest.magnitude >= 0x1p53 {
      // The nearest double of Int64.max is 2^63, which does not fit an Int64.
      let rest = nearest >= 0x1p63 ? Int(value - Int64.max) - 1 : Int(value - Int64(nearest))
      append(rest: rest)
    }
  }

  private func append(real value: Double) {
    append(ordered: value == 0 ? 0 : value)
    if value.magnitude >= 0x1p53 { append(rest: 0) }
  }

  private func append(ordered value: Double) {
    reserve(9)
    storage[count] = 0x02
    let bits = value.bitPattern
    let ordered = bits >> 63 == 0 ? bits | (1 << 63) : ~bits
    UnsafeMutableRawPointer(storage + count + 1).storeBytes(of: ordered.bigEndian, as: UInt64.self)
    count += 9
  }

  private func append(rest: Int) {
    let biased = UInt16(truncatingIfNeeded: rest + 0x8000)
    append(UInt8(biased >> 8))
    append(UInt8(biased & 0xFF))
  }

  private func append(text: UnsafeBufferPointer<UInt8>, _ collation: FetchPlan.Collation, isOpen: Bool) {
    var length = text.count
    if collation == .rightTrim {
      while length > 0, text[length - 1] == 0x20 { length -= 1 }
    }
    reserve(length * 2 + 2)
    guard let source = text.baseAddress, length > 0 else {
      if !isOpen { terminate() }
      return
    }
    if isOpen || memchr(source, 0, length) == nil {
      memcpy(storage + count, source, length)
      if collation == .noCase { fold(count..<count + length) }
      count += length
    } else {
      let start = count
      for index in 0..<length {
        storage[count] = source[index]
        count += 1
        if source[index] == 0 {
          storage[count] = 0xFF
          count += 1
        }
      }
      if collation == .noCase { fold(start..<count) }
    }
    if !isOpen { terminate() }
  }

  private func fold(_ range: Range<Int>) {
    for index in range where storage[index] >= 0x41 && storage[index] <= 0x5A { storage[index] |= 0x20 }
  }

  private func terminate() {
    reserve(2)
    storage[count] = 0
    storage[count + 1] = 0
    count += 2
  }
}

/// An encoded sort key in memory that belongs to something else; valid as long as that memory is.
struct KeyView {
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// Negative, zero or positive, as `memcmp`; a key sorts after its own prefixes.
  static func compare(_ left: KeyView, _ right: KeyView) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let leftStart = left.bytes.baseAddress, let rightStart = right.bytes.baseAddress {
      let order = Int(memcmp(leftStart, rightStart, common))
      if order != 0 { return order }
    }
    return left.count - right.count
  }
}
