/// Which pictures a terminal holds: each is sent once, and the ones that were shown longest ago are deleted. For terminals that
/// show images; see ``Terminal/imageCell``.
public struct ImageStore: Sendable {
  /// Pictures kept in the terminal, beyond those that are shown. Few, since a crash must be able to delete them all.
  public static let limit = 8

  private let sequence: KittySequence
  /// The one shown last is last.
  private var held: [Entry] = []

  private struct Entry: Sendable {
    let image: TerminalImage
    /// False when the terminal may have lost it.
    var isSent: Bool
  }

  /// A terminal that holds none yet, and takes such bytes.
  public init(_ sequence: KittySequence = KittySequence()) { self.sequence = sequence }

  /// The bytes to be sent before a screen with these pictures; empty when the terminal has them all.
  public mutating func show(_ images: [TerminalImage]) -> [UInt8] {
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

  /// Has every picture sent again when it is shown next.
  public mutating func invalidate() {
    for index in held.indices { held[index].isSent = false }
  }

  /// The bytes that delete all pictures, as they stand now: what a crash sends.
  public var deletion: [UInt8] { held.suffix(Self.limit).flatMap { sequence.deletion(of: $0.image) } }

  /// The bytes that delete all pictures; nothing is held afterwards.
  public mutating func removeAll() -> [UInt8] {
    defer { held = [] }
    return held.flatMap { sequence.deletion(of: $0.image) }
  }
}
