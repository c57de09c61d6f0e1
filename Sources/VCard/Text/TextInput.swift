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
