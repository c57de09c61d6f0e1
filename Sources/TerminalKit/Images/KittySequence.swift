/// The bytes of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/). All commands suppress
/// replies (`q=2`), which the program could not easily tell from keys.
public struct KittySequence: Hashable, Sendable {
  /// The multiplexer between the program and the terminal.
  public enum Wrapping: Hashable, Sendable {
    /// No multiplexer.
    case none
    /// tmux, which passes the bytes on if `allow-passthrough` is on.
    case tmux
  }

  private let wrapping: Wrapping

  /// Creates sequences for a terminal behind that multiplexer.
  public init(wrapping: Wrapping = .none) { self.wrapping = wrapping }

  /// The maximum number of base64 bytes in one sequence, set by the protocol.
  static let chunkSize = 4096

  /// Returns the bytes that send an image, which is only shown at its placeholders (`U=1`); empty for an image in
  /// sixels.
  public func transmission(of image: TerminalImage) -> [UInt8] {
    guard !image.payload.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(image.payload.count + image.payload.count / Self.chunkSize * 16 + 64)
    var start = 0
    repeat {
      let end = min(start + Self.chunkSize, image.payload.count)
      let isLast = end == image.payload.count
      let control =
        start == 0
        ? "a=T,U=1,C=1,q=2,f=100,i=\(image.identifier),c=\(image.columns),r=\(image.rows),m=\(isLast ? 0 : 1)"
        : "m=\(isLast ? 0 : 1),q=2"
      bytes += sequence(control, image.payload[start..<end])
      start = end
    } while start < image.payload.count
    return bytes
  }

  /// Returns the bytes that delete an image and its data. Deleting all (`d=A`) would not delete images shown by
  /// placeholders.
  public func deletion(of image: TerminalImage) -> [UInt8] { sequence("a=d,d=I,q=2,i=\(image.identifier)", []) }

  private func sequence(_ control: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array("_G\(control)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload)
    switch wrapping {
    case .none: return [0x1B] + content + Array("\u{1B}\\".utf8)
    // tmux passes on the contents of such a sequence, with each Esc doubled, if `allow-passthrough` is on.
    case .tmux: return Array("\u{1B}Ptmux;\u{1B}\u{1B}".utf8) + content + Array("\u{1B}\u{1B}\\\u{1B}\\".utf8)
    }
  }
}
