import AddressBookModel
import AvatarImage
import Foundation
import Glibc
import PictureFormat
import TerminalKit

/// Chooses a photo from the files of a folder, with a preview next to the names; cropping it is the next step.
///
/// Typing filters the names. A slash enters the folder typed before it, so that whole paths can be typed and pasted.
@MainActor
final class PhotoChooserScreen: Screen {
  private struct FolderRequest: Hashable, Sendable {
    var folder: [UInt8]
    var showsHidden: Bool
  }

  let environment: AppEnvironment
  private let choose: @MainActor (AvatarPhoto) -> Void
  private var request: FolderRequest
  /// The contents of the folder; nil until it has been read.
  private(set) var contents: PictureFolder?
  /// The entries that match the filter.
  private(set) var entries: [PictureFolder.Entry] = []
  private(set) var selection = ListSelection(count: 0)
  private(set) var filter = TextField("")
  /// True after the selection was moved, until text is typed.
  private(set) var isMoving = false
  private(set) var layout = PhotoChooserLayout(window: Rect(row: 0, column: 0, rows: 24, columns: 80))
  private(set) var preview: (request: PicturePreview.Request, result: Result<PicturePreview, PicturePreview.Refusal>)?
  var message: String?
  /// The entry to select once the folder has been read: the folder that the user came from, or the entry that was
  /// selected.
  private var comingFrom: [UInt8]?
  /// The image to open once it has been decoded.
  private var opening: [UInt8]?
  /// True if the selected entry should be opened once the folder has been read.
  private var opensWhenRead = false
  private var reading: LatestWork<FolderRequest, PictureFolder>?
  private var previews: LatestWork<PicturePreview.Request, Result<PicturePreview, PicturePreview.Refusal>>?

  /// Opens at the last used folder.
  init(environment: AppEnvironment, choose: @escaping @MainActor (AvatarPhoto) -> Void) {
    self.environment = environment
    self.choose = choose
    request = FolderRequest(folder: environment.photoFolder, showsHidden: false)
    let decoder = environment.pictureDecoder
    reading = LatestWork(
      loop: environment.loop, work: { PictureFolder.read($0.folder, showsHidden: $0.showsHidden) },
      deliver: { [weak self] in self?.show($1, of: $0) })
    previews = LatestWork(
      loop: environment.loop, work: { PicturePreview.make($0, decoder) },
      deliver: { [weak self] in self?.receive($1, of: $0) })
    reading?.request(request)
  }

  /// The displayed folder.
  var folder: [UInt8] { request.folder }
  var showsHidden: Bool { request.showsHidden }
  /// True when nothing is being read or drawn.
  var isIdle: Bool { contents != nil && reading?.isIdle == true && previews?.isIdle == true }

  /// The entry that Enter opens.
  var selectedEntry: PictureFolder.Entry? {
    entries.indices.contains(selection.selected) ? entries[selection.selected] : nil
  }

  /// The preview of the selected image, if it is ready.
  var selectedPreview: Result<PicturePreview, PicturePreview.Refusal>? {
    guard let entry = selectedEntry, let preview, preview.request.path == path(of: entry) else { return nil }
    return preview.result
  }

  private func path(of entry: PictureFolder.Entry) -> [UInt8] { PictureFolder.path(of: entry.name, in: folder) }

  // MARK: Events

  var keyContext: KeyContext { filter.isEmpty ? .files : .chooser }

  func perform(_ command: Command, in context: ScreenContext) {
    stopOpening()
    isMoving = command.isMovement
    switch command {
    case .chooserOpen, .filesOpen: open()
    case .chooserCancel where filter.isEmpty: environment.screens.pop(self)
    case .chooserCancel: edit { $0 = TextField("") }
    case .filesHidden: go(to: folder, selecting: selectedEntry?.name, showsHidden: !showsHidden)
    case .filesUp: goUp()
    default: if case .move(let movement) = command.role { selection.move(movement) }
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    stopOpening()
    edit { _ = $0.handle(key) }
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text):
      stopOpening()
      edit { $0.insert(text) }
    case .mouse(let mouse):
      if mouse.action == .press { stopOpening() }
      if mouse.action == .press, layout.filter.contains(mouse.position) {
        filter.moveCursor(toColumn: mouse.position.column - layout.filter.column, columns: layout.filter.columns)
      } else if selection.handle(mouse) {
        open()
      }
    default: break
    }
  }

  private func stopOpening() {
    message = nil
    opening = nil
    opensWhenRead = false
  }

  // MARK: Typing

  private func edit(_ change: (inout TextField) -> Void) {
    let before = filter.text
    isMoving = false
    change(&filter)
    guard filter.text != before else { return }
    if let slash = filter.text.lastIndex(of: "/") {
      let typed = filter.text
      let path = PictureFolder.path(typed: String(typed[...slash]), in: folder)
      go(to: path, selecting: nil, showsHidden: showsHidden)
      filter = TextField(String(typed[typed.index(after: slash)...]))
    }
    // Typing the name of a hidden file shows hidden files.
    if filter.text.hasPrefix("."), !showsHidden { read(FolderRequest(folder: folder, showsHidden: true)) }
    applyFilter(selecting: nil)
  }

  private func applyFilter(selecting name: [UInt8]?) {
    let all = contents?.entries ?? []
    let choices = ChoiceFilter(filter.text)
    entries = all.filter { choices.matches($0.text) }
    selection.rewind()
    selection.count = entries.count
    selection.select(entries.firstIndex { $0.name == name } ?? choices.best(of: entries.map(\.text)))
  }

  // MARK: Folders

  private func goUp() {
    guard let above = PictureFolder.above(folder) else { return }
    go(to: above.folder, selecting: above.name, showsHidden: showsHidden)
  }

  private func go(to folder: [UInt8], selecting name: [UInt8]?, showsHidden: Bool) {
    comingFrom = name
    filter = TextField("")
    read(FolderRequest(folder: folder, showsHidden: showsHidden))
    applyFilter(selecting: nil)
  }

  private func read(_ request: FolderRequest) {
    self.request = request
    contents = nil
    reading?.request(request)
  }

  private func show(_ contents: PictureFolder, of request: FolderRequest) {
    guard request == self.request else { return }
    self.contents = contents
    if contents.failure == nil { environment.photoFolder = request.folder }
    applyFilter(selecting: comingFrom)
    comingFrom = nil
    if opensWhenRead {
      opensWhenRead = false
      open()
    }
  }

  // MARK: Images

  private func open() {
    guard contents != nil else {
      opensWhenRead = true
      return
    }
    guard let entry = selectedEntry else { return }
    guard !entry.isFolder else { return go(to: path(of: entry), selecting: nil, showsHidden: showsHidden) }
    opening = path(of: entry)
    finishOpening()
  }

  /// Opens the crop screen for the image that the user opened, or shows an error, once the image has been decoded.
  private func finishOpening() {
    guard let path = opening, let preview, preview.request.path == path, environment.screens.top === self else {
      return
    }
    opening = nil
    switch preview.result {
    case .failure(let refusal):
      message = environment.strings("chooser.refused", selectedEntry?.text ?? "", text(of: refusal))
    case .success(let preview):
      environment.screens.push(
        CropScreen(preview.image, environment: environment) { [self] picture in
          environment.screens.pop(self)
          choose(picture)
        })
    }
  }

  func text(of refusal: PicturePreview.Refusal) -> String {
    switch refusal {
    case .file(let error): PictureMessage.text(of: error, in: environment.strings.localization)
    case .image(let error): PictureMessage.text(of: error, in: environment.strings.localization)
    }
  }

  private func receive(
    _ result: Result<PicturePreview, PicturePreview.Refusal>, of request: PicturePreview.Request
  ) {
    preview = (request, result)
    finishOpening()
  }

  func prepare(in rect: Rect) {
    layout = PhotoChooserLayout(window: rect)
    if let entry = selectedEntry {
      let row = PhotoChooserView.row(of: entry)
      // The list leaves a column for its scroll bar.
      if TextWidth.columns(of: row.text) > row.textColumns(in: layout.list.columns - 1) {
        layout = PhotoChooserLayout(window: rect, name: row.text)
      }
    }
    selection.layOut(in: layout.list)
    guard let entry = selectedEntry, !entry.isFolder else { return }
    let request = PicturePreview.Request(
      path: path(of: entry), columns: max(1, layout.preview.columns), rows: max(1, layout.preview.rows - 2),
      style: environment.pictures)
    if preview?.request != request { previews?.request(request) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    PhotoChooserView(environment: environment).draw(self, on: &canvas, in: rect)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    PhotoChooserView(environment: environment).bottomLine(self)
  }
}

extension Photo {
  /// Creates the PNG photo to store.
  init(_ picture: AvatarPhoto) {
    self.init(mediaType: ImageFormat.png.mediaType, data: Data(picture.png))
  }
}
