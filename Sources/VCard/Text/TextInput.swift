/// The bytes of a text file in chunks, for readers of other formats: UTF-16 becomes UTF-8, and a byte order mark is
/// removed. Text in any other charset is passed on as it is; ``ForeignText`` decodes it.
public struct TextInput<Failure: Error> {
  private let source: () throws(Failure) -> [UInt8]?
  private var transcoder: UTF16Transcoder?
  private var hasBegun = false
  private var hasEnded = false

  /// Creates an input that reads from a source.
  /// - Parameter source: the next bytes, or nil at the end.
  public init(source: @escaping () throws(Failure) -> [UInt8]?) {
    self.source = source
  }

  /// Returns the next bytes, perhaps none; nil at the end.
  public mutating func next() throws(Failure) -> [UInt8]? {
    if hasEnded { return nil }
    guard hasBegun else {
      hasBegun = true
      return try begin()
    }
    guard let chunk = try source() else {
      hasEnded = true
      var rest: [UInt8] = []
      transcoder?.finish(into: &rest)
      return rest
    }
    return transcoded(chunk)
  }

  private mutating func begin() throws(Failure) -> [UInt8]? {
    var first: [UInt8] = []
    while first.count < 4 {
      guard let chunk = try source() else {
        hasEnded = true
        break
      }
      first += chunk
    }
    transcoder = UTF16Transcoder(ofTextBeginning: first)
    var text = transcoded(first)
    if text.starts(with: Byte.utf8Mark) { text.removeFirst(Byte.utf8Mark.count) }
    return text
  }

  private mutating func transcoded(_ chunk: [UInt8]) -> [UInt8] {
    guard transcoder != nil else { return chunk }
    var result: [UInt8] = []
    result.reserveCapacity(chunk.count)
    transcoder?.decode(chunk[...], into: &result)
    return result
  }
}

extension TextInput where Failure == Never {
  /// Returns the beginning of a text as ``next()`` does, as far as these bytes go.
  public static func beginning(of bytes: [UInt8]) -> [UInt8] {
    var rest: [UInt8]? = bytes
    var input = TextInput { rest.take() }
    return input.next() ?? []
  }
}

/// A converter of a stream of UTF-16 to UTF-8; chunks may end anywhere.
struct UTF16Transcoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Creates a transcoder for text that is UTF-16 by its byte order mark or by zeros next to its first letters; nil for
  /// any other text, and for fewer than four bytes.
  init?(ofTextBeginning first: [UInt8]) {
    guard first.count >= 4 else { return nil }
    let zeros = first.prefix(4).map { $0 == 0 }
    if first.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true] {
      self.init(isBigEndian: false)
    } else if first.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false] {
      self.init(isBigEndian: true)
    } else {
      return nil
    }
  }

  /// Appends the chunk in UTF-8. A surrogate without its partner becomes U+FFFD.
  mutating func decode(_ chunk: ArraySlice<UInt8>, into result: inout [UInt8]) {
    for byte in chunk {
      guard let first = firstByte else {
        firstByte = byte
        continue
      }
      firstByte = nil
      let unit = isBigEndian ? UInt32(first) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(first)
      consume(unit, &result)
    }
  }

  /// Appends U+FFFD for an incomplete rest at the end of the stream.
  mutating func finish(into result: inout [UInt8]) {
    if highSurrogate != nil || firstByte != nil { append(0xFFFD, &result) }
    highSurrogate = nil
    firstByte = nil
  }

  private mutating func consume(_ unit: UInt32, _ result: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if (0xDC00...0xDFFF).contains(unit) {
        append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), &result)
        return
      }
      append(0xFFFD, &result)
    }
    switch unit {
    case 0xD800...0xDBFF: highSurrogate = unit
    case 0xDC00...0xDFFF: append(0xFFFD, &result)
    default: append(unit, &result)
    }
  }

  private func append(_ value: UInt32, _ result: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value), let units = UTF8.encode(scalar) else { return }
    result.append(contentsOf: units)
  }
}
