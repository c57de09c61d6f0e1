import AddressBookModel
import AvatarImage
import Foundation
import PictureFormat

/// What a form does to a contact's picture when it is saved.
enum PhotoChange: Equatable {
  /// The picture stays as it is.
  case keep
  /// There is none afterwards.
  case remove
  /// This one takes its place.
  case set(Photo)
}

extension Photo {
  /// The picture as it is stored.
  init(_ picture: AvatarPicture) {
    self.init(mediaType: ImageFormat.png.mediaType, data: Data(picture.png))
  }
}
