import AddressBookModel
import AvatarImage
import Foundation

/// Pictures from the project's fixtures, for the screen tests.
enum TestPhoto {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Images").path

  /// Returns the photo that would be stored for a file.
  static func stored(_ name: String) throws -> Photo {
    Photo(
      mediaType: "image/png", data: Data(try AvatarPhoto(bytes: ImageFile.read(path: folder + "/" + name)).png))
  }
}
