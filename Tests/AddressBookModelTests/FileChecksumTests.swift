import Foundation
import SeededRandom
import Testing

@testable import AddressBookModel

struct FileChecksumTests {
  /// The checksum of a range of a file equals that of the same bytes in memory.
  @Test func aFileIsReadInPieces() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("checksums of files: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<600_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let folder = TemporaryFolder()
    let path = folder.file("bytes")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = open(path, O_RDONLY)
    defer { close(file) }
    for count in [0, 1, 63, 64, 65, 4096, 262_143, 262_144, 262_145, 262_208, 524_288, 599_900] {
      let start = Int.random(in: 0...100, using: &random)
      let sum = bytes[start..<start + count].withUnsafeBytes { Checksum.of($0) }
      #expect(Checksum.of(start..<start + count, in: file) == sum)
    }
    #expect(Checksum.of(0..<600_001, in: file) == nil)
  }
}
