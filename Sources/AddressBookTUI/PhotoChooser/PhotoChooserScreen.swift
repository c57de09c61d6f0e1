import AvatarImage
import Glibc
import TerminalKit

/// Chooses a picture among the files of a folder, with a preview beside the names; the square of it is chosen next.
@MainActor
final class PhotoChooserScreen: Screen {
  /// A folder to be read.
  private struct Place: Hashable, Sendable {
    var folder: [UInt8]
    var showsHidden: Bool
  }

  let environment: AppEnvironment
  private let choose: @MainActor (AvatarPicture) -> Void
  private var place: Place
  /// What the folder holds; nil until it was read.
  private(set) var contents: PictureFolder?
  /// Those that the filter leaves.
  private(set) var entries: [PictureFolder.Entry] = []
  private(set) var lines = ChoiceLines(count: 0)
  private(set) var filter = TextField("")
  /// True while keys go to the filter.
  private(set) var isFiltering = false
  private(set) var preview: (wish: PicturePreview.Wish, result: Result<PicturePreview, PicturePreview.Refusal>)?
  var message: String?
  /// The entry to be selected when the folder has been read: where one came from.
  private var comingFrom: [UInt8]?
  /// The picture that is opened as soon as it is decoded.
  private var opening: [UInt8]?
  private var reading: LatestWork<Place, PictureFolder>?
  private var previews: LatestWork<PicturePreview.Wish, Result<PicturePreview, PicturePreview.Refusal>>?

  /// Opens at the folder that was looked at last.
  init(environment: AppEnvironment, choose: @escaping @MainActor (AvatarPicture) -> Void) {
    self.environment = environment
    self.choose = choose
    place = Place(folder: environment.pictureFolder, showsHidden: false)
    let style = environment.pictures
    let decoder = environment.pictureDecoder
    reading = LatestWork(
      loop: environment.loop, work: { PictureFolder.read($0.folder, showsHidden: $0.showsHidden) },
      take: { [weak self] in self?.take($1, of: $0) })
    previews = LatestWork(
      loop: environment.loop, work: { PicturePreview.make($0, decoder, in: style) },
      take: { [weak self] in self?.take($1, of: $0) })
    reading?.want(place)
  }

  /// The folder that is shown.
  var folder: [UInt8] { place.folder }
  var showsHidden: Bool { place.showsHidden }
  /// True when nothing is being read or drawn.
  var isIdle: Bool { contents != nil && reading?.isIdle == true && previews?.isIdle == true }

  /// The entry that Enter opens.
  var selectedEntry: PictureFolder.Entry? { entries.indices.contains(lines.selected) ? entries[lines.selected] : nil }

  /// The preview of the selected picture, when it has come.
  var selectedPreview: Result<PicturePreview, PicturePreview.Refusal>? {
    guard let entry = selectedEntry, let preview, preview.wish.path == path(of: entry) else { return nil }
    return preview.result
  }

  private func path(of entry: PictureFolder.Entry) -> [UInt8] { PictureFolder.path(of: entry.name, in: folder) }

  // MARK: Events

  func handle(_ event: Event) {
    switch event {
    case .key(let key):
      message = nil
      opening = nil
      if isFiltering { handleInFilter(key) } else { handleInList(key) }
    case .paste(let text): type { $0.insert(text) }
    case .mouse(let mouse):
      if mouse.action == .press {
        message = nil
        opening = nil
      }
      if lines.handle(mouse) { open() }
    default: break
    }
  }

  private func handleInList(_ key: Key) {
    switch environment.keys.command(for: key, in: .chooser) {
    case .chooserFilter: isFiltering = true
    case .chooserCancel where !filter.isEmpty: type { $0 = TextField("") }
    case .chooserCancel: environment.screens.pop(self)
    case .chooserHidden: go(to: folder, selecting: selectedEntry?.name, showsHidden: !showsHidden)
    case .chooserUp: goUp()
    case .redraw: environment.terminal.invalidate()
    case .suspend: environment.loop.suspend()
    case let command?: move(command)
    case nil:
      // Any other letter begins the filter.
      guard case .character(let character) = key.code, key.modifiers.isEmpty, character != " " else { return }
      isFiltering = true
      type { $0.insert(String(character)) }
    }
  }

  /// Letters go to the filter; what is no letter does what it does in the list.
  private func handleInFilter(_ key: Key) {
    switch (key.code, key.modifiers) {
    case (.escape, _):
      isFiltering = false
      type { $0 = TextField("") }
    case (.backspace, []) where filter.isEmpty: isFiltering = false
    case (.enter, _), (.up, _), (.down, _), (.pageUp, _), (.pageDown, _), (.character("n"), .control),
      (.character("p"), .control):
      if let command = environment.keys.command(for: key, in: .chooser) { move(command) }
    default: type { _ = $0.handle(key) }
    }
  }

  private func move(_ command: Command) {
    switch command {
    case .chooserNext: lines.move(by: 1)
    case .chooserPrevious: lines.move(by: -1)
    case .chooserPageDown: lines.move(by: lines.pageStep)
    case .chooserPageUp: lines.move(by: -lines.pageStep)
    case .chooserFirst: lines.select(0)
    case .chooserLast: lines.select(entries.count - 1)
    case .chooserOpen: open()
    default: break
    }
  }

  private func type(_ change: (inout TextField) -> Void) {
    let before = filter.text
    change(&filter)
    if filter.text != before { applyFilter(selecting: nil) }
  }

  private func applyFilter(selecting name: [UInt8]?) {
    let all = contents?.entries ?? []
    let wanted = filter.text.lowercased()
    entries = wanted.isEmpty ? all : all.filter { $0.text.lowercased().contains(wanted) }
    lines.rewind()
    lines.count = entries.count
    if let line = name.flatMap({ name in entries.firstIndex { $0.name == name } }) { lines.select(line) }
  }

  // MARK: Folders

  private func goUp() {
    guard let above = PictureFolder.above(folder) else { return }
    go(to: above.folder, selecting: above.name, showsHidden: showsHidden)
  }

  private func go(to folder: [UInt8], selecting name: [UInt8]?, showsHidden: Bool) {
    place = Place(folder: folder, showsHidden: showsHidden)
    comingFrom = name
    contents = nil
    filter = TextField("")
    isFiltering = false
    applyFilter(selecting: nil)
    reading?.want(place)
  }

  private func take(_ contents: PictureFolder, of place: Place) {
    guard place == self.place else { return }
    self.contents = contents
    environment.pictureFolder = place.folder
    applyFilter(selecting: comingFrom)
    comingFrom = nil
  }

  // MARK: Pictures

  private func open() {
    guard let entry = selectedEntry else { return }
    guard !entry.isFolder else { return go(to: path(of: entry), selecting: nil, showsHidden: showsHidden) }
    opening = path(of: entry)
    finishOpening()
  }

  /// Shows the crop of the picture that Enter was pressed on, or why there is none, once it is known.
  private func finishOpening() {
    guard let path = opening, let preview, preview.wish.path == path, environment.screens.top === self else { return }
    opening = nil
    switch preview.result {
    case .failure(let refusal):
      message = environment.words("chooser.refused", selectedEntry?.text ?? "", text(of: refusal))
    case .success(let preview):
      environment.screens.push(
        CropScreen(preview.image, environment: environment) { [weak self] picture in
          guard let self else { return }
          environment.screens.pop(self)
          choose(picture)
        })
    }
  }

  func text(of refusal: PicturePreview.Refusal) -> String {
    switch refusal {
    case .file(let error): PictureMessage.text(of: error, in: environment.words.localization)
    case .image(let error): PictureMessage.text(of: error, in: environment.words.localization)
    }
  }

  private func take(
    _ result: Result<PicturePreview, PicturePreview.Refusal>, of wish: PicturePreview.Wish
  ) {
    preview = (wish, result)
    finishOpening()
  }

  func prepare(in rect: Rect) {
    let layout = PhotoChooserLayout(window: rect)
    lines.settle(in: layout.list)
    guard let entry = selectedEntry, !entry.isFolder else { return }
    let wish = PicturePreview.Wish(
      path: path(of: entry), columns: max(1, layout.preview.columns), rows: max(1, layout.preview.rows - 2))
    if preview?.wish != wish { previews?.want(wish) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    PhotoChooserView(environment: environment).draw(self, on: &canvas, in: rect)
  }
}
