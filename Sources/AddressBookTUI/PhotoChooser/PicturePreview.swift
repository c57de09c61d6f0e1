import AvatarImage
import PictureFormat

/// An image file, decoded and drawn for the chooser.
struct PicturePreview: Sendable {
  /// The file and the size in cells.
  struct Request: Hashable, Sendable {
    var path: [UInt8]
    var columns: Int
    var rows: Int
    var style: PictureStyle
  }

  /// Why there is no preview.
  enum Refusal: Error {
    case file(ImageFileError)
    case image(ImageRefusal)
  }

  let image: RasterImage
  let format: ImageFormat
  /// The size of the file's image in pixels; `image` may be smaller.
  let width: Int
  let height: Int
  /// Nil if it cannot be drawn.
  let drawing: DrawnPicture?

  /// Reads, decodes and draws the file; call it on a background thread.
  static func make(
    _ request: Request, _ decoder: DecodingProcess?
  ) -> Result<PicturePreview, Refusal> {
    do {
      let bytes = try ImageFile.read(path: request.path)
      do {
        let header = try ImageHeader(bytes)
        let image = try ImageDecoder.decode(header, in: decoder)
        return .success(
          PicturePreview(
            image: image, format: header.format, width: header.width, height: header.height,
            drawing: request.style.draw(image, columns: request.columns, rows: request.rows)))
      } catch {
        return .failure(.image(error))
      }
    } catch {
      return .failure(.file(error))
    }
  }
}
