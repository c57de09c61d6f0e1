import VCard

/// The rows of comma-separated values (RFC 4180), one at a time, as bytes in UTF-8 or another extension of ASCII.
///
/// Also reads files that violate the RFC: a quotation mark inside a value is text, and so is one that opens a value and
/// is never closed. In the extensions of ASCII that spreadsheets write, the byte of a comma, a semicolon, a tab or a
/// quotation mark is never part of another character.
struct CSVRows<Failure: Error> {
  /// A row of cells, and the line where it begins, from 1.
  struct Row {
    var line: Int
    var cells: [[UInt8]] = []
    /// Whether a quotation mark was not closed and was read as text.
    var isUnclosed = false
    /// Whether an unquoted value was cut at the limit.
    var isCut = false
  }

  /// How far into its row a quoted value may reach, and the longest unquoted value, in bytes; the rest of an unquoted
  /// value is dropped.
  static var limit: Int { 16 << 20 }

  private let separator: UInt8
  private let limit: Int
  private var source: () throws(Failure) -> [UInt8]?
  private var buffer: [UInt8] = []
  private var offset = 0
  private var line = 1
  private var hasEnded = false
  /// After an unclosed quotation mark, values can no longer contain line ends. Otherwise the rest of the file could be
  /// read again for each row.
  private var isStrict = false
  /// A strict search found no closing quotation mark before this position in the buffer.
  private var unclosedUpTo = 0

  /// - Parameter source: returns the next bytes, or nil at the end.
  init(separator: UInt8, limit: Int = Self.limit, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.separator = separator
    self.limit = limit
    self.source = source
  }

  /// Returns the next row that is not blank; nil at the end.
  mutating func next() throws(Failure) -> Row? {
    while let row = try nextRow() {
      if row.cells.count > 1 || row.cells.first?.contains(where: { $0 != 0x20 && $0 != 0x09 }) == true { return row }
    }
    return nil
  }

  private mutating func nextRow() throws(Failure) -> Row? {
    compact()
    guard try isAvailable(offset) else { return nil }
    let start = (offset, line)
    if let row = try scan() { return row }
    (offset, line) = start
    isStrict = true
    guard var row = try scan() else {
      // The row is too long.
      offset = start.0 + 1
      return Row(line: line, cells: [[UInt8(ascii: "?")]], isUnclosed: true)
    }
    row.isUnclosed = true
    return row
  }

  /// Reads a row.
  /// - Returns: nil if a quotation mark is not closed.
  private mutating func scan() throws(Failure) -> Row? {
    var row = Row(line: line)
    let beginning = offset
    while true {
      var cell: [UInt8] = []
      if try byte() == CSVByte.quote, try mayOpen() {
        offset += 1
        guard try quoted(into: &cell, from: beginning) else { return nil }
      }
      let end = try plain(into: &cell, isCut: &row.isCut)
      row.cells.append(cell)
      if end != separator { return row }
    }
  }

  /// Reads the rest of a value that began with a quotation mark, up to the closing one.
  /// - Returns: false if no quotation mark closes it within the limit, or the next one seems to open another value.
  private mutating func quoted(into cell: inout [UInt8], from beginning: Int) throws(Failure) -> Bool {
    var hasLineEnd = false
    while let next = try byte() {
      guard offset - beginning < limit else { return false }
      offset += 1
      guard next == CSVByte.quote else {
        if next == CSVByte.lineFeed || next == CSVByte.carriageReturn { hasLineEnd = true }
        if next == CSVByte.lineFeed { line += 1 }
        if next == CSVByte.carriageReturn {
          // Line ends in values are LF, as in contacts.
          if try byte() != CSVByte.lineFeed {
            line += 1
            cell.append(CSVByte.lineFeed)
          }
          continue
        }
        cell.append(next)
        continue
      }
      let following = try byte()
      if following == CSVByte.quote {
        offset += 1
        cell.append(CSVByte.quote)
      } else if following == nil || following == separator || following == CSVByte.lineFeed
        || following == CSVByte.carriageReturn
      {
        return true
      } else {
        // A quotation mark on a later line, with text after it, more likely opens a value of another row.
        if hasLineEnd { return false }
        cell.append(CSVByte.quote)
      }
    }
    return false
  }

  /// Appends the text up to the end of the cell.
  /// - Returns: the byte that ended it; nil at the end of the file.
  private mutating func plain(into cell: inout [UInt8], isCut: inout Bool) throws(Failure) -> UInt8? {
    while let next = try byte() {
      offset += 1
      switch next {
      case separator: return next
      case CSVByte.lineFeed:
        line += 1
        return next
      case CSVByte.carriageReturn:
        line += 1
        if try byte() == CSVByte.lineFeed { offset += 1 }
        return next
      default: if cell.count < limit { cell.append(next) } else { isCut = true }
      }
    }
    return nil
  }

  /// Returns whether the quotation mark at the offset may begin a quoted value. After an unclosed quotation mark,
  /// quoted values must end on the same line.
  private mutating func mayOpen() throws(Failure) -> Bool {
    guard isStrict else { return true }
    guard offset >= unclosedUpTo else { return false }
    var at = offset + 1
    while at - offset < limit, try isAvailable(at), buffer[at] != CSVByte.lineFeed,
      buffer[at] != CSVByte.carriageReturn
    {
      if buffer[at] == CSVByte.quote {
        guard try isAvailable(at + 1) else { return true }
        switch buffer[at + 1] {
        case separator, CSVByte.lineFeed, CSVByte.carriageReturn: return true
        case CSVByte.quote: at += 1
        default: break
        }
      }
      at += 1
    }
    unclosedUpTo = at
    return false
  }

  private mutating func byte() throws(Failure) -> UInt8? { try isAvailable(offset) ? buffer[offset] : nil }

  private mutating func isAvailable(_ index: Int) throws(Failure) -> Bool {
    while index >= buffer.count {
      guard !hasEnded, let more = try source() else {
        hasEnded = true
        return false
      }
      buffer += more
    }
    return true
  }

  /// Removes the rows that have been read from the buffer, once they are 64 KiB.
  private mutating func compact() {
    guard offset >= 1 << 16 else { return }
    buffer.removeFirst(offset)
    offset = 0
    unclosedUpTo = 0
  }
}

extension CSVRows where Failure == Never {
  init(separator: UInt8, text: [UInt8]) {
    var rest: [UInt8]? = text
    self.init(separator: separator) { rest.take() }
  }
}

enum CSVByte {
  static let quote = UInt8(ascii: "\"")
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
}
