import Foundation

@testable import AvatarImage
@testable import PictureFormat

/// A folder of images with an index of the expected result for each.
struct ImageFolder {
  struct Entry: Decodable {
    var file: String
    var expect: String
    var why: String
    var width: Int?
    var height: Int?
    var quadrants: [String: [Int]]?
    var tolerance: Int?
    var alpha: Bool?
  }

  let path: String
  let entries: [Entry]

  init(path: String) throws {
    self.path = path
    entries = try JSONDecoder().decode(
      [Entry].self, from: Data(contentsOf: URL(fileURLWithPath: path + "/index.json")))
  }

  /// Reads the index of the project's own pictures.
  static func fixtures(_ file: StaticString = #filePath) throws -> ImageFolder {
    let tests = URL(fileURLWithPath: "\(file)").deletingLastPathComponent().deletingLastPathComponent()
    return try ImageFolder(path: tests.appendingPathComponent("Fixtures/Images").path)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try ImageFile.read(path: path + "/" + name)
  }

  /// Returns the differences from the index; empty if there are none.
  func failures() -> [String] {
    entries.compactMap { entry in
      failure(entry).map { "\(entry.file.debugDescription) (\(entry.why)): \($0)" }
    }
  }

  private func failure(_ entry: Entry) -> String? {
    do {
      let bytes = try bytes(entry.file)
      let header = try ImageHeader(bytes)
      let image = try ImageDecoder.decode(header)
      if entry.expect == "reject" { return "was accepted" }
      return sizeFailure(entry, header) ?? colorFailure(entry, image) ?? storedFailure(image)
    } catch {
      return entry.expect == "accept" ? "was refused: \(error)" : nil
    }
  }

  private func sizeFailure(_ entry: Entry, _ header: ImageHeader) -> String? {
    guard let width = entry.width, let height = entry.height else { return nil }
    return (header.width, header.height) == (width, height) ? nil : "header says \(header.width)×\(header.height)"
  }

  private func colorFailure(_ entry: Entry, _ image: RasterImage) -> String? {
    if entry.alpha == true, image.isOpaque { return "lost its clear pixels" }
    guard let quadrants = entry.quadrants, let tolerance = entry.tolerance else { return nil }
    for (corner, color) in quadrants {
      let column = corner.hasSuffix("l") ? image.width / 4 : image.width * 3 / 4
      let row = corner.hasPrefix("t") ? image.height / 4 : image.height * 3 / 4
      let pixel = image[column: column, row: row]
      for (found, wanted) in zip([pixel.red, pixel.green, pixel.blue], color)
      where abs(Int(found) - wanted) > tolerance {
        return "\(corner) is \(pixel), not \(color)"
      }
    }
    return nil
  }

  /// Returns nil if the photo made from an image is small, contains only pixels, and can be read again and drawn;
  /// otherwise the first check that fails.
  private func storedFailure(_ image: RasterImage) -> String? {
    do {
      let avatar = try AvatarPhoto(image, crop: SquareCrop(of: image))
      if avatar.png.count > AvatarPhoto.maximumBytes { return "avatar of \(avatar.png.count) bytes" }
      let chunks = PNGChunks.names(avatar.png)
      if !Set(chunks).isSubset(of: ["IHDR", "IDAT", "IEND"]) { return "avatar has chunks \(chunks)" }
      let again = try ImageDecoder.decode(avatar.png)
      if again.width != avatar.side || again.height != avatar.side { return "avatar is not square" }
      if AvatarRenderer().render(again, columns: 20, rows: 10) == nil { return "avatar cannot be drawn" }
      return nil
    } catch {
      return "avatar was not made: \(error)"
    }
  }
}
