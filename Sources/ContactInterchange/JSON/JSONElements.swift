/// The objects in a stream of JSON: the elements of one array, or consecutive objects. Only one object is in memory at
/// a time, however long the stream is.
public struct JSONElements<Failure: Error> {
  /// The next item of the stream.
  public enum Element {
    /// The bytes of one object, and the line where it begins, from 1.
    case object(line: Int, bytes: [UInt8])
    /// Invalid JSON, or a value other than an object, on this line; nothing comes after it.
    case malformed(line: Int)
  }

  private var bytes: JSONBytes<Failure>
  private var isInArray = false
  private var hasEnded = false
  private var isBroken = false

  /// Splits the bytes of a source.
  /// - Parameter source: returns the next bytes, or nil at the end.
  public init(source: @escaping () throws(Failure) -> [UInt8]?) {
    bytes = JSONBytes(source: source)
  }

  /// Returns the next item; nil at the end.
  public mutating func next() throws(Failure) -> Element? {
    while !isBroken, let byte = try bytes.next() {
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): break
      case 0xEF, 0xBB, 0xBF: break
      case UInt8(ascii: "[") where !isInArray && !hasEnded: isInArray = true
      case UInt8(ascii: "]") where isInArray:
        isInArray = false
        hasEnded = true
      case UInt8(ascii: "{"):
        let start = bytes.line
        guard let object = try bytes.value(from: byte) else { return malformed(start) }
        return .object(line: start, bytes: object)
      default: return malformed(bytes.line)
      }
    }
    if isInArray, !isBroken { return malformed(bytes.line) }
    return nil
  }

  private mutating func malformed(_ line: Int) -> Element {
    isBroken = true
    return .malformed(line: line)
  }
}
