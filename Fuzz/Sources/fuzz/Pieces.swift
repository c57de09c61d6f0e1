/// The input in pieces, as it comes from a file or a pipe.
final class Pieces {
  private let bytes: [UInt8]
  private let length: Int
  private var position = 0

  init(_ bytes: [UInt8], of length: Int) {
    self.bytes = bytes
    self.length = max(1, length)
  }

  func next() -> [UInt8]? {
    guard position < bytes.count else { return nil }
    defer { position += length }
    return Array(bytes[position..<min(position + length, bytes.count)])
  }
}
