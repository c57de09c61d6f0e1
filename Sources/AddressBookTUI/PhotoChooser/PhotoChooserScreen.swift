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
  /// The names, and the typed text that filters them.
  private(set) var state: ChooserState
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
    let strings = environment.strings
    state = ChooserState(
      title: "", items: [ChooserState.Item](),
      texts: .init(placeholder: strings("files.typeToFilter"), noMatch: { strings("chooser.noFiles", $0) }))
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
    guard case .item(let index)? = state.selectedChoice else { return nil }
    return contents?.entries[index]
  }

  /// The preview of the selected image, if it is ready.
  var selectedPreview: Result<PicturePreview, PicturePreview.Refusal>? {
    guard let entry = selectedEntry, let preview, preview.request.path == path(of: entry) else { return nil }
    return preview.result
  }

  private func path(of entry: PictureFolder.Entry) -> [UInt8] { PictureFolder.path(of: entry.name, in: folder) }

  // MARK: Events

  var keyContext: KeyContext { state.field.isEmpty ? .files : .chooser }

  func perform(_ command: Command, in context: ScreenContext) {
    stopOpening()
    switch command {
    case .filesOpen: open()
    case .filesHidden: go(to: folder, selecting: selectedEntry?.name, showsHidden: !showsHidden)
    case .filesUp: goUp()
    default: finish(state.perform(command.role))
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    stopOpening()
    state.type(key)
    followPath()
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste: stopOpening()
    case .mouse(let mouse): if mouse.action == .press { stopOpening() }
    default: return
    }
    finish(state.handle(event))
    followPath()
  }

  private func finish(_ step: ChooserState.Step?) {
    switch step {
    case .accepted: open()
    case .canceled: environment.screens.pop(self)
    case nil: break
    }
  }

  private func stopOpening() {
    message = nil
    opening = nil
    opensWhenRead = false
  }

  /// Enters the folder that was typed, and shows hidden files if the name of one is typed.
  private func followPath() {
    let typed = state.field.text
    if let slash = typed.lastIndex(of: "/") {
      let path = PictureFolder.path(typed: String(typed[...slash]), in: folder)
      go(to: path, selecting: nil, showsHidden: showsHidden)
      state.insert(String(typed[typed.index(after: slash)...]))
    }
    if state.field.text.hasPrefix("."), !showsHidden { read(FolderRequest(folder: folder, showsHidden: true)) }
  }

  // MARK: Folders

  private func goUp() {
    guard let above = PictureFolder.above(folder) else { return }
    go(to: above.folder, selecting: above.name, showsHidden: showsHidden)
  }

  private func go(to folder: [UInt8], selecting name: [UInt8]?, showsHidden: Bool) {
    comingFrom = name
    state.clear()
    read(FolderRequest(folder: folder, showsHidden: showsHidden))
  }

  private func read(_ request: FolderRequest) {
    self.request = request
    contents = nil
    state.items = []
    reading?.request(request)
  }

  private func show(_ contents: PictureFolder, of request: FolderRequest) {
    guard request == self.request else { return }
    self.contents = contents
    if contents.failure == nil { environment.photoFolder = request.folder }
    state.replace(contents.entries.map(PhotoChooserView.item))
    if let index = contents.entries.firstIndex(where: { $0.name == comingFrom }) { state.select(index) }
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
    if let cut = state.cutText(columns: layout.list.columns) { layout = PhotoChooserLayout(window: rect, name: cut) }
    state.layOut(field: layout.filter, list: layout.list)
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
