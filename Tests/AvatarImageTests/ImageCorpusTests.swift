import Foundation
import SharedMaterial
import Testing

@testable import AvatarImage
@testable import PictureFormat

@Suite struct ImageCorpusTests {
  @Test func ownPicturesBehaveAsTheirIndexSays() throws {
    let failures = try ImageFolder.fixtures().failures()
    #expect(failures == [], "\(failures.joined(separator: "\n"))")
  }

  /// A larger folder of the same form, named by the environment.
  @Test(.enabled(if: SharedMaterial.images.isNamed, "IMAGE_CORPUS is not set"))
  func corpusBehavesAsItsIndexSays() throws {
    let folder = try ImageFolder(path: SharedMaterial.images.path)
    let failures = folder.failures()
    print("\(folder.entries.count) pictures, \(failures.count) not as the index says")
    #expect(failures == [], "\(failures.joined(separator: "\n"))")
    ResourceUse.print(after: "the corpus of pictures")
  }

  @Test func allOrientationsLookAlike() throws {
    let folder = try ImageFolder.fixtures()
    let plain = try ImageDecoder.decode(folder.bytes("jpeg-exif-orientation-1.jpg")).scaled(toWidth: 6, height: 4)
    for orientation in 2...8 {
      let bytes = try folder.bytes("jpeg-exif-orientation-\(orientation).jpg")
      #expect(try ImageHeader(bytes).orientation.rawValue == orientation)
      let image = try ImageDecoder.decode(bytes).scaled(toWidth: 6, height: 4)
      for (one, other) in zip(plain.rgba, image.rgba) { #expect(abs(Int(one) - Int(other)) <= 24) }
    }
  }

  @Test func theAvatarContainsNoLocation() throws {
    let bytes = try ImageFolder.fixtures().bytes("jpeg-exif-orientation-6.jpg")
    #expect(String(decoding: bytes, as: UTF8.self).contains("Exif"))
    #expect(PNGChunks.names(try AvatarPhoto(bytes: bytes).png) == ["IHDR", "IDAT", "IEND"])
  }

  /// Files with one random byte changed, or truncated at a random byte: always a result, never a trap or a hang.
  @Test func damagedFilesGiveAResult() throws {
    let folder = try ImageFolder.fixtures()
    let seed: UInt64 = 20_260_101
    print("seed of the damage: \(seed)")
    var state = seed
    var answers = (accepted: 0, refused: 0)
    // Printed for comparison: if no pixel is left uninitialized, it is the same with any MALLOC_PERTURB_.
    var pixels: UInt64 = 0xCBF2_9CE4_8422_2325
    for entry in folder.entries where entry.expect != "reject" {
      let original = try folder.bytes(entry.file)
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var bytes = original
        let index = Int(state >> 33) % bytes.count
        if state >> 20 & 3 == 0 {
          bytes.removeLast(bytes.count - index)
        } else {
          bytes[index] ^= UInt8(state >> 40 & 255)
        }
        do {
          let image = try ImageDecoder.decode(bytes)
          #expect(image.width * image.height <= ImageLimits.standard.workingPixels)
          for byte in image.rgba { pixels = (pixels ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
          answers.accepted += 1
        } catch {
          answers.refused += 1
        }
      }
    }
    print("damaged pictures: \(answers.accepted) accepted, \(answers.refused) refused, sum of pixels \(pixels)")
  }

  @Test func severalThreadsDecodeAndDrawAtOnce() async throws {
    let folder = try ImageFolder.fixtures()
    let files = try ["jpeg-baseline.jpg", "png-rgb16.png", "webp-animated.webp", "gif-animated.gif", "bmp-24.bmp"].map {
      try folder.bytes($0)
    }
    let drawn = try await withThrowingTaskGroup(of: (Int, CellPicture?).self) { group in
      for index in 0..<40 {
        group.addTask {
          let image = try ImageDecoder.decode(files[index % files.count])
          return (index % files.count, AvatarRenderer().render(image, columns: 12, rows: 6))
        }
      }
      var byFile: [Int: Set<CellPicture?>] = [:]
      for try await (file, picture) in group { byFile[file, default: []].insert(picture) }
      return byFile
    }
    for (_, pictures) in drawn { #expect(pictures.count == 1) }
  }
}
