/// Which pictures the terminal holds: each is sent once, and the ones that were shown longest ago are deleted.
struct ImageStore {
  /// Pictures kept in the terminal, beyond those that are shown. Few, since a crash must be able to delete them all.
  static let limit = 8

  private let sequence: KittySequence
  /// The one shown last is last.
  private var held: [Entry] = []

  private struct Entry {
    let image: TerminalImage
    /// False when the terminal may have lost it.
    var isSent: Bool
  }

  init(_ sequence: KittySequence) { self.sequence = sequence }

  /// The bytes to be sent before a screen with these pictures; empty when the terminal has them all.
  mutating func show(_ images: [TerminalImage]) -> [UInt8] {
    var bytes: [UInt8] = []
    for image in images {
      var entry = Entry(image: image, isSent: false)
      if let index = held.firstIndex(where: { $0.image == image }) { entry = held.remove(at: index) }
      if !entry.isSent { bytes += sequence.transmission(of: image) }
      held.append(Entry(image: image, isSent: true))
    }
    while held.count > max(Self.limit, images.count) { bytes += sequence.deletion(of: held.removeFirst().image) }
    return bytes
  }

  /// Sends every picture again when it is shown next.
  mutating func forget() {
    for index in held.indices { held[index].isSent = false }
  }

  /// The bytes that delete all pictures, as they stand now: what a crash sends.
  var deletion: [UInt8] { held.suffix(Self.limit).flatMap { sequence.deletion(of: $0.image) } }

  /// The bytes that delete all pictures; nothing is held afterwards.
  mutating func removeAll() -> [UInt8] {
    defer { held = [] }
    return held.flatMap { sequence.deletion(of: $0.image) }
  }
}
