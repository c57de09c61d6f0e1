import AddressBookModel
import AvatarImage
import Foundation
import PictureFormat
import TerminalKit

/// Chooses a photo from the files of a folder, with a preview next to the names; cropping it is the next step.
typealias PhotoChooserScreen = FileChooserScreen<PicturePreview>

extension FileChooserScreen<PicturePreview> {
  /// Opens at the folder of the last photo.
  convenience init(environment: AppEnvironment, choose: @escaping @MainActor (AvatarPhoto) -> Void) {
    let (strings, decoder) = (environment.strings, environment.pictureDecoder)
    let kind = FileKind<PicturePreview>(
      title: strings("chooser.title"), empty: strings("chooser.empty"), folder: \.photoFolder,
      recognition: FileFolder.Recognition(length: 64) { head, _ in
        ImageFormat(firstBytes: head).map(PictureMessage.name(of:))
      },
      preview: { request in
        do throws(PicturePreview.Refusal) {
          return .success(try PicturePreview.make(request, decoder).get())
        } catch {
          return .failure(FileRefusal(text: error.text(in: strings)))
        }
      },
      draw: { $0.draw(strings, environment.theme, on: &$1, in: $2) },
      open: { chooser, _, preview in
        guard let preview else { return }
        environment.screens.push(
          CropScreen(preview.image, environment: environment) { picture in
            environment.screens.pop(chooser)
            choose(picture)
          })
      })
    self.init(kind, environment: environment)
  }
}

/// An image file, decoded and drawn for the chooser.
struct PicturePreview: Sendable {
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
    _ request: FilePreviewRequest, _ decoder: DecodingProcess?
  ) -> Result<PicturePreview, Refusal> {
    do {
      let bytes = try ImageFile.read(path: request.path)
      do {
        let header = try ImageHeader(bytes)
        let image = try ImageDecoder.decode(header, in: decoder)
        return .success(
          PicturePreview(
            image: image, format: header.format, width: header.width, height: header.height,
            drawing: request.style.draw(image, columns: request.columns, rows: max(1, request.rows - 2))))
      } catch {
        return .failure(.image(error))
      }
    } catch {
      return .failure(.file(error))
    }
  }
}

extension PicturePreview {
  /// Draws the image, and its format and size below.
  fileprivate func draw(_ strings: Strings, _ theme: Theme, on canvas: inout Canvas, in rect: Rect) {
    if let drawing { canvas.put(drawing, in: rect.inset(bottom: 2), style: theme.text) }
    canvas.put(
      strings("chooser.size", PictureMessage.name(of: format), strings.number(width), strings.number(height)),
      at: Point(row: rect.row + min(rect.rows - 1, (drawing?.rows ?? 0) + 1), column: rect.column),
      limit: rect.columns, style: theme.quiet)
  }
}

extension PicturePreview.Refusal {
  fileprivate func text(in strings: Strings) -> String {
    switch self {
    case .file(let error): PictureMessage.text(of: error, in: strings.localization)
    case .image(let error): PictureMessage.text(of: error, in: strings.localization)
    }
  }
}

extension Photo {
  /// Creates the PNG photo to store.
  init(_ picture: AvatarPhoto) {
    self.init(mediaType: ImageFormat.png.mediaType, data: Data(picture.png))
  }
}
