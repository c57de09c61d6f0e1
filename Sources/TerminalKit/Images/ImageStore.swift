/// The images in a terminal: each is sent only if the terminal lacks it, and the least recently shown ones are deleted.
/// For implementations of ``Terminal`` that show images; see ``Terminal/imageCell``.
public struct ImageStore: Sendable {
  /// The number of images to keep in the terminal, unless a frame has more. It is small, because a crash must be able
  /// to delete them all.
  public static let limit = 8

  private let sequence: KittySequence
  /// Ordered by use: the most recently shown image is at the end.
  private var held: [Entry] = []

  private struct Entry: Sendable {
    let image: TerminalImage
    /// False if the terminal may have lost the image.
    var isSent: Bool
  }

  /// Creates a store for a terminal without images yet, with the given protocol.
  public init(_ sequence: KittySequence = KittySequence()) { self.sequence = sequence }

  /// Returns the bytes to send before a frame with these images: they transmit the images that the terminal lacks and
  /// delete old ones.
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

  /// Marks all images as possibly lost: each is sent again when it is next shown.
  public mutating func invalidate() {
    for index in held.indices { held[index].isSent = false }
  }

  /// The bytes that delete the ``limit`` most recently shown images, for use in a crash.
  public var deletion: [UInt8] { held.suffix(Self.limit).flatMap { sequence.deletion(of: $0.image) } }

  /// Returns the bytes that delete all images; the store is empty afterwards.
  public mutating func removeAll() -> [UInt8] {
    defer { held = [] }
    return held.flatMap { sequence.deletion(of: $0.image) }
  }
}
