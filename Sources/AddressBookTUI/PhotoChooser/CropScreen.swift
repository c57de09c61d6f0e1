import AvatarImage
import PictureFormat
import TerminalKit

/// Crops an image to the square for the contact's photo, with keys and the mouse.
@MainActor
final class CropScreen: Screen {
  /// A requested drawing of the image with the square, at a size in cells.
  private struct Request: Hashable, Sendable {
    var crop: SquareCrop
    var columns: Int
    var rows: Int
    var style: PictureStyle
  }

  private let image: RasterImage
  private let environment: AppEnvironment
  private let accept: @MainActor (AvatarPhoto) -> Void
  private(set) var crop: SquareCrop
  /// The last drawing; `picture` is nil if the image cannot be drawn.
  private var drawing: (request: Request, picture: DrawnPicture?)?
  private var drawings: LatestWork<Request, DrawnPicture?>?
  private var cutting: LatestWork<SquareCrop, Result<AvatarPhoto, ImageRefusal>>?
  private var message: String?
  /// The position of the drawing in the window; empty if there is none.
  private(set) var pictureRect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The distance from the square's center to the grabbed pixel; nil while no button is down on the image.
  private var grip: (columns: Int, rows: Int)?

  /// - Parameter accept: called once with the cropped photo.
  init(
    _ image: RasterImage, environment: AppEnvironment, accept: @escaping @MainActor (AvatarPhoto) -> Void
  ) {
    self.image = image
    self.environment = environment
    self.accept = accept
    crop = SquareCrop(of: image)
    let small = Self.reduced(image)
    drawings = LatestWork(
      loop: environment.loop,
      work: { $0.style.draw(small.dimmed(outside: $0.crop), columns: $0.columns, rows: $0.rows) },
      deliver: { [weak self] in self?.drawing = ($0, $1) })
    cutting = LatestWork(
      loop: environment.loop,
      work: { crop in
        do throws(ImageRefusal) {
          return .success(try AvatarPhoto(image, crop: crop))
        } catch {
          return .failure(error)
        }
      }, deliver: { [weak self] in self?.receive($1) })
  }

  /// True when the drawing shows the current square, and no work is running.
  var isIdle: Bool { drawing?.request.crop == crop && drawings?.isIdle == true && cutting?.isIdle == true }

  /// Reduces the image to at most 320 pixels in width and height, so that it can be redrawn quickly for each key.
  private static func reduced(_ image: RasterImage) -> RasterImage {
    let most = 320
    let longest = max(image.width, image.height)
    guard longest > most else { return image }
    return image.scaled(
      toWidth: max(1, image.width * most / longest), height: max(1, image.height * most / longest))
  }

  var keyContext: KeyContext { .crop }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { handle(mouse) }
  }

  func perform(_ command: Command, in context: ScreenContext) {
    message = nil
    switch command {
    case .cropLeft: crop.move(.left)
    case .cropRight: crop.move(.right)
    case .cropUp: crop.move(.up)
    case .cropDown: crop.move(.down)
    case .cropIn: zoomIn()
    case .cropOut: zoomOut()
    case .cropAccept: cutting?.request(crop)
    case .cropCancel: environment.screens.pop(self)
    default: break
    }
  }

  private func zoomIn() { if !crop.zoomIn() { environment.terminal.bell() } }
  private func zoomOut() { if !crop.zoomOut() { environment.terminal.bell() } }

  /// Drags the square by the grabbed point, moves it to a click outside it, and zooms with the wheel.
  private func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelUp: zoomIn()
    case .wheelDown: zoomOut()
    case .press where mouse.button == 0 && pictureRect.contains(mouse.position):
      let pixel = pixel(at: mouse.position)
      let isInside =
        (crop.left..<crop.left + crop.side).contains(pixel.column)
        && (crop.top..<crop.top + crop.side).contains(pixel.row)
      grip = isInside ? (pixel.column - crop.center.column, pixel.row - crop.center.row) : (0, 0)
      drag(to: mouse.position)
    case .drag: drag(to: mouse.position)
    case .press, .release: grip = nil
    }
  }

  private func drag(to position: Point) {
    guard let grip, !pictureRect.isEmpty else { return }
    let pixel = pixel(at: position)
    crop.center(onColumn: pixel.column - grip.columns, row: pixel.row - grip.rows)
  }

  /// Returns the pixel at the center of a cell, which may be outside the image.
  private func pixel(at position: Point) -> (column: Int, row: Int) {
    (
      (2 * (position.column - pictureRect.column) + 1) * image.width / (2 * pictureRect.columns),
      (2 * (position.row - pictureRect.row) + 1) * image.height / (2 * pictureRect.rows)
    )
  }

  private func receive(_ result: Result<AvatarPhoto, ImageRefusal>) {
    // The user may have left with Esc in the meantime.
    guard environment.screens.top === self else { return }
    switch result {
    case .success(let picture): accept(picture)
    case .failure(let refusal): message = PictureMessage.text(of: refusal, in: environment.strings.localization)
    }
  }

  func prepare(in rect: Rect) {
    let body = Self.body(rect)
    guard !body.isEmpty else { return }
    let request = Request(crop: crop, columns: body.columns, rows: body.rows, style: environment.pictures)
    if drawing?.request != request { drawings?.request(request) }
    pictureRect = drawing?.picture.map { Self.rect(of: $0, in: body) } ?? Rect(row: 0, column: 0, rows: 0, columns: 0)
  }

  private static func body(_ rect: Rect) -> Rect { rect.inset(top: 2, left: 2, bottom: 2, right: 2) }

  /// Centers a drawing.
  private static func rect(of picture: DrawnPicture, in body: Rect) -> Rect {
    let rows = min(picture.rows, body.rows)
    let columns = min(picture.columns, body.columns)
    return Rect(
      row: body.row + (body.rows - rows) / 2, column: body.column + (body.columns - columns) / 2, rows: rows,
      columns: columns)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    let theme = environment.theme
    let bars = Bars(theme: theme)
    canvas.fill(rect, style: theme.text)
    bars.drawTitle(
      strings("crop.title"),
      detail: strings(
        "crop.size", strings.number(crop.side), strings.number(image.width), strings.number(image.height)),
      on: &canvas, in: rect.line(0))
    let body = Self.body(rect)
    if let picture = drawing?.picture {
      canvas.put(picture, in: pictureRect, style: theme.text)
      drawCorners(of: picture, row: pictureRect.row, column: pictureRect.column, on: &canvas)
    } else if drawing != nil {
      for (row, line) in TextWidth.wrap(
        strings("crop.noPreview", environment.keys.label(of: .cropAccept, in: .crop)), columns: max(1, body.columns)
      ).prefix(body.rows)
        .enumerated()
      {
        canvas.put(line, at: Point(row: body.row + row, column: body.column), limit: body.columns, style: theme.quiet)
      }
    }
  }

  /// Draws the corners of the square just outside it: without colors, the darker area around it would be hard to see.
  /// An image that is laid over the cells must not be covered.
  private func drawCorners(of picture: DrawnPicture, row: Int, column: Int, on canvas: inout Canvas) {
    let crop = drawing?.request.crop ?? crop
    let left = column - 1 + crop.left * picture.columns / image.width
    let right = column + ((crop.left + crop.side) * picture.columns + image.width - 1) / image.width
    let top = row - 1 + crop.top * picture.rows / image.height
    let bottom = row + ((crop.top + crop.side) * picture.rows + image.height - 1) / image.height
    let isOverlay = if case .image = picture { environment.pictures.imageProtocol != .kitty } else { false }
    for (corner, point) in [
      ("┌", Point(row: top, column: left)), ("┐", Point(row: top, column: right)),
      ("└", Point(row: bottom, column: left)), ("┘", Point(row: bottom, column: right)),
    ] {
      if isOverlay, pictureRect.contains(point) { continue }
      canvas.put(corner, at: point, limit: 1, style: environment.theme.accent)
    }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    message.map { BottomLine($0, isError: true) } ?? BottomLine(hints: hints)
  }

  private var hints: [Hint] {
    environment.hints([.cropAccept], in: .crop)
      + environment.hint(.cropLeft, .cropDown, .cropUp, .cropRight, as: "cropMove", in: .crop)
      + environment.hints([.cropIn, .cropOut, .cropCancel], in: .crop)
  }
}
