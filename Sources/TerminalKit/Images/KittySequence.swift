/// The bytes of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/). All of them forbid answers
/// (`q=2`): the program would have to tell these from keys.
public struct KittySequence: Hashable, Sendable {
  /// What lies between the program and the terminal.
  public enum Wrapping: Hashable, Sendable {
    /// Nothing.
    case none
    /// tmux, which passes the bytes on where `allow-passthrough` is on.
    case tmux
  }

  private let wrapping: Wrapping

  /// Bytes for a terminal behind that.
  public init(wrapping: Wrapping = .none) { self.wrapping = wrapping }

  /// Bytes of base64 in one sequence, as the protocol asks for.
  static let chunkSize = 4096

  /// Sends a picture, to be shown where its placeholders stand (`U=1`) and nowhere else.
  public func transmission(of image: TerminalImage) -> [UInt8] {
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

  /// Deletes a picture and its data. Deleting all (`d=A`) would spare what is shown by placeholders.
  public func deletion(of image: TerminalImage) -> [UInt8] { sequence("a=d,d=I,q=2,i=\(image.identifier)", []) }

  private func sequence(_ control: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array("_G\(control)".utf8) + (payload.isEmpty ? [] : [UInt8(ascii: ";")] + payload)
    switch wrapping {
    case .none: return [0x1B] + content + Array("\u{1B}\\".utf8)
    // tmux passes on what is in such a sequence, with each Esc doubled, where `allow-passthrough` is on.
    case .tmux: return Array("\u{1B}Ptmux;\u{1B}\u{1B}".utf8) + content + Array("\u{1B}\u{1B}\\\u{1B}\\".utf8)
    }
  }
}
