import Testing

@testable import TerminalKit

/// The bytes that make a terminal store and delete images.
struct ImageStoreTests {
  private func image(bytes: Int = 10) throws -> TerminalImage {
    try #require(TerminalImage(png: Array(repeating: 0xA5, count: bytes), columns: 4, rows: 2))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func aPictureIsSentOnceInPiecesOfTheProtocolsSize() throws {
    let image = try image(bytes: 7000)
    var store = ImageStore(KittySequence())
    let sent = text(store.show([image]))
    let pieces = sent.split(separator: "\u{1B}\\").map { $0.split(separator: ";", maxSplits: 1) }
    #expect(pieces.count == 3)
    #expect(
      pieces.map { String($0[0]) } == [
        "\u{1B}_Ga=T,U=1,C=1,q=2,f=100,i=\(image.identifier),c=4,r=2,m=1", "\u{1B}_Gm=1,q=2", "\u{1B}_Gm=0,q=2",
      ])
    #expect(pieces.map { $0[1].count } == [4096, 4096, 9336 - 8192])
    #expect(pieces.map { $0[1] }.joined() == text(Base64.encoded(Array(repeating: 0xA5, count: 7000))))
    #expect(store.show([image]).isEmpty)
    #expect(store.show([]).isEmpty, "the one that was shown last may be shown again")
  }

  @Test func theLeastRecentlyShownImagesAreDeleted() throws {
    let images = try (0..<20).map { _ in try image() }
    var store = ImageStore(KittySequence())
    var bytes: [UInt8] = []
    for image in images { bytes += store.show([images[0], image]) }
    bytes += store.removeAll()
    for image in images {
      #expect(text(bytes).ranges(of: "a=T,U=1,C=1,q=2,f=100,i=\(image.identifier),").count == 1)
      #expect(text(bytes).ranges(of: "a=d,d=I,q=2,i=\(image.identifier)\u{1B}").count == 1)
    }
    #expect(store.removeAll().isEmpty && store.deletion.isEmpty)
  }

  @Test func imagesThatMayBeLostAreSentAgainAndDeletedOnce() throws {
    let image = try image()
    var store = ImageStore(KittySequence())
    let first = store.show([image])
    store.invalidate()
    #expect(store.show([image]) == first)
    store.invalidate()
    #expect(text(store.removeAll()) == "\u{1B}_Ga=d,d=I,q=2,i=\(image.identifier)\u{1B}\\")
  }

  @Test(arguments: [KittySequence.Wrapping.none, .tmux])
  func aCrashCanDeleteAllThatAreHeld(wrapping: KittySequence.Wrapping) throws {
    var store = ImageStore(KittySequence(wrapping: wrapping))
    let images = try (0..<30).map { _ in try image() }
    for image in images { _ = store.show([image]) }
    #expect(store.deletion == store.removeAll())
    _ = store.show(images)
    #expect((1...512).contains(store.deletion.count))
  }

  @Test func tmuxPassesWrappedSequencesThrough() throws {
    let image = try image()
    let sequence = KittySequence(wrapping: .tmux)
    let plain = text(KittySequence().transmission(of: image))
    let doubled = plain.replacing("\u{1B}", with: "\u{1B}\u{1B}")
    #expect(text(sequence.transmission(of: image)) == "\u{1B}Ptmux;\(doubled)\u{1B}\\")
  }

  @Test func imageIDsAreDistinctColorsOfTheCube() throws {
    let images = try (0..<1000).map { _ in try image() }
    #expect(Set(images.map(\.identifier)).count == 1000)
    #expect(images.allSatisfy { $0.color >= 16 && (1...255).contains($0.highByte) })
    #expect(images.allSatisfy { $0.identifier & 0xFFFF00 == 0 && $0.identifier < 1 << 32 })
  }

  @Test func sizesBeyondThePlaceholderRangeAreRefused() {
    #expect(ImagePlaceholder.limit == 297)
    for (columns, rows) in [(0, 1), (1, 0), (298, 1), (1, 298), (-1, -1)] {
      #expect(TerminalImage(png: [1], columns: columns, rows: rows) == nil)
    }
    #expect(TerminalImage(png: [], columns: 1, rows: 1) == nil)
    #expect(TerminalImage(png: [1], columns: 297, rows: 297) != nil)
  }
}
