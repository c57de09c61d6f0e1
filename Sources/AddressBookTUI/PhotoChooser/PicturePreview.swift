import AvatarImage
import PictureFormat

/// A picture file, decoded and drawn for the chooser.
struct PicturePreview: Sendable {
  /// Which file in how many cells.
  struct Wish: Hashable, Sendable {
    var path: [UInt8]
    var columns: Int
    var rows: Int
  }

  /// Why there is none.
  enum Refusal: Error {
    case file(ImageFileError)
    case image(ImageRefusal)
  }

  let image: RasterImage
  let format: ImageFormat
  /// Pixels as the file has them; `image` may have fewer.
  let width: Int
  let height: Int
  /// Nil when nothing can be drawn.
  let drawing: DrawnPicture?

  /// Reads, decodes and draws: for another thread than the screen's.
  static func make(
    _ wish: Wish, _ decoder: DecodingProcess?, in style: PictureStyle
  ) -> Result<PicturePreview, Refusal> {
    do {
      let bytes = try ImageFile.read(path: wish.path)
      do {
        let header = try ImageHeader(bytes)
        let image = try ImageDecoder.decode(header, in: decoder)
        return .success(
          PicturePreview(
            image: image, format: header.format, width: header.width, height: header.height,
            drawing: style.draw(image, columns: wish.columns, rows: wish.rows)))
      } catch {
        return .failure(.image(error))
      }
    } catch {
      return .failure(.file(error))
    }
  }
}
