import AvatarImage
import PictureFormat
import TerminalKit

/// The picture with the square that becomes the contact's, moved and zoomed by keys.
@MainActor
final class CropScreen: Screen {
  /// What is drawn: the square on the picture in so many cells.
  private struct Wish: Hashable, Sendable {
    var crop: SquareCrop
    var columns: Int
    var rows: Int
  }

  private let image: RasterImage
  private let environment: AppEnvironment
  private let accept: @MainActor (AvatarPicture) -> Void
  private(set) var crop: SquareCrop
  /// The last drawing; nil in it when nothing can be drawn.
  private var drawing: (wish: Wish, picture: DrawnPicture?)?
  private var drawings: LatestWork<Wish, DrawnPicture?>?
  private var cutting: LatestWork<SquareCrop, Result<AvatarPicture, ImageRefusal>>?
  private var message: String?

  /// - Parameter accept: given the square; called once.
  init(
    _ image: RasterImage, environment: AppEnvironment, accept: @escaping @MainActor (AvatarPicture) -> Void
  ) {
    self.image = image
    self.environment = environment
    self.accept = accept
    crop = SquareCrop(of: image)
    let style = environment.pictures
    let small = Self.reduced(image)
    drawings = LatestWork(
      loop: environment.loop,
      work: { style.draw(small.dimmed(outside: $0.crop), columns: $0.columns, rows: $0.rows) },
      take: { [weak self] in self?.drawing = ($0, $1) })
    cutting = LatestWork(
      loop: environment.loop,
      work: { crop in
        do throws(ImageRefusal) {
          return .success(try AvatarPicture(image, crop: crop))
        } catch {
          return .failure(error)
        }
      }, take: { [weak self] in self?.take($1) })
  }

  /// True when the drawing shows the square as it is.
  var isIdle: Bool { drawing?.wish.crop == crop && drawings?.isIdle == true && cutting?.isIdle == true }

  /// As many pixels as a window of cells can show: each key draws the picture anew.
  private static func reduced(_ image: RasterImage) -> RasterImage {
    let most = 320
    let longest = max(image.width, image.height)
    guard longest > most else { return image }
    return image.scaled(
      toWidth: max(1, image.width * most / longest), height: max(1, image.height * most / longest))
  }

  func handle(_ event: Event) {
    guard case .key(let key) = event, let command = environment.keys.command(for: key, in: .crop) else { return }
    message = nil
    switch command {
    case .cropLeft: crop.move(.left)
    case .cropRight: crop.move(.right)
    case .cropUp: crop.move(.up)
    case .cropDown: crop.move(.down)
    case .cropIn: if !crop.zoomIn() { environment.terminal.bell() }
    case .cropOut: if !crop.zoomOut() { environment.terminal.bell() }
    case .cropAccept: cutting?.want(crop)
    case .cropCancel: environment.screens.pop(self)
    case .redraw: environment.terminal.invalidate()
    case .suspend: environment.loop.suspend()
    default: break
    }
  }

  private func take(_ result: Result<AvatarPicture, ImageRefusal>) {
    // Left by Esc meanwhile.
    guard environment.screens.top === self else { return }
    switch result {
    case .success(let picture): accept(picture)
    case .failure(let refusal): message = PictureMessage.text(of: refusal, in: environment.words.localization)
    }
  }

  func prepare(in rect: Rect) {
    let body = Self.body(rect)
    guard !body.isEmpty else { return }
    let wish = Wish(crop: crop, columns: body.columns, rows: body.rows)
    if drawing?.wish != wish { drawings?.want(wish) }
  }

  private static func body(_ rect: Rect) -> Rect { rect.inset(top: 2, left: 2, bottom: 2, right: 2) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let words = environment.words
    let theme = environment.theme
    let bars = Bars(theme: theme)
    canvas.fill(rect, style: theme.text)
    bars.drawTitle(
      words("crop.title"),
      detail: words("crop.size", words.number(crop.side), words.number(image.width), words.number(image.height)),
      on: &canvas, in: rect.line(0))
    let body = Self.body(rect)
    if let picture = drawing?.picture {
      let left = body.column + max(0, (body.columns - picture.columns) / 2)
      let top = body.row + max(0, (body.rows - picture.rows) / 2)
      canvas.put(
        picture, in: Rect(row: top, column: left, rows: body.endRow - top, columns: body.endColumn - left),
        ground: theme.text)
      drawCorners(of: picture, row: top, column: left, on: &canvas)
    } else if drawing != nil {
      for (row, line) in TextWidth.wrap(words("crop.noPreview"), columns: max(1, body.columns)).prefix(body.rows)
        .enumerated()
      {
        canvas.put(line, at: Point(row: body.row + row, column: body.column), limit: body.columns, style: theme.quiet)
      }
    }
    let bottom = rect.line(rect.rows - 1)
    if let message {
      bars.drawMessage(message, isError: true, on: &canvas, in: bottom)
    } else {
      bars.drawHints(hints, on: &canvas, in: bottom)
    }
  }

  /// The square's corners stand just outside it: without colours the darker part alone would be hard to see.
  private func drawCorners(of picture: DrawnPicture, row: Int, column: Int, on canvas: inout Canvas) {
    let crop = drawing?.wish.crop ?? crop
    let left = column - 1 + crop.left * picture.columns / image.width
    let right = column + ((crop.left + crop.side) * picture.columns + image.width - 1) / image.width
    let top = row - 1 + crop.top * picture.rows / image.height
    let bottom = row + ((crop.top + crop.side) * picture.rows + image.height - 1) / image.height
    for (mark, place) in [
      ("┌", Point(row: top, column: left)), ("┐", Point(row: top, column: right)),
      ("└", Point(row: bottom, column: left)), ("┘", Point(row: bottom, column: right)),
    ] {
      canvas.put(mark, at: place, limit: 1, style: environment.theme.accent)
    }
  }

  private var hints: [Hint] {
    func hint(_ command: Command, _ word: String) -> Hint {
      Hint(key: environment.keys.label(of: command, in: .crop), word: environment.words("hint." + word))
    }
    let arrows = [Command.cropLeft, .cropDown, .cropUp, .cropRight]
      .map { environment.keys.label(of: $0, in: .crop) }.joined(separator: " ")
    return [
      hint(.cropAccept, "cropAccept"), Hint(key: arrows, word: environment.words("hint.cropMove")),
      hint(.cropIn, "cropIn"), hint(.cropOut, "cropOut"), hint(.cropCancel, "back"),
    ]
  }
}
