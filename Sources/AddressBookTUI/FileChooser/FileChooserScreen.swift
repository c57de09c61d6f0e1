import TerminalKit

/// The files that a chooser lists, and what it does with them.
@MainActor
struct FileKind<Preview: Sendable> {
  let title: String
  /// The text for a folder without such files.
  let empty: String
  /// The folder that was last shown in this session.
  let folder: ReferenceWritableKeyPath<AppEnvironment, [UInt8]>
  let recognition: FileFolder.Recognition
  /// Reads a file; called on another thread.
  let preview: @Sendable (FilePreviewRequest) -> Result<Preview, FileRefusal>
  let draw: @MainActor (Preview, inout Canvas, Rect) -> Void
  /// True if a file that is not listed can be opened too, by its typed name.
  var opensAnyName = false
  /// Opens a file that was chosen; without a preview if it is not listed.
  let open: @MainActor (FileChooserScreen<Preview>, _ path: [UInt8], Preview?) -> Void
}

/// The file and the size in cells.
struct FilePreviewRequest: Hashable, Sendable {
  var path: [UInt8]
  var columns: Int
  var rows: Int
  var style: PictureStyle
}

/// Why there is no preview, in the user's language.
struct FileRefusal: Error, Hashable {
  let text: String
}

/// Chooses a file of a folder, with a preview next to the names.
///
/// Typing filters the names. A slash enters the folder typed before it, so that whole paths can be typed and pasted.
@MainActor
final class FileChooserScreen<Preview: Sendable>: Screen {
  private struct FolderRequest: Hashable, Sendable {
    var folder: [UInt8]
    var showsHidden: Bool
  }

  let environment: AppEnvironment
  let kind: FileKind<Preview>
  private var request: FolderRequest
  /// The contents of the folder; nil until it has been read.
  private(set) var contents: FileFolder?
  /// The names, and the typed text that filters them.
  private(set) var state: ChooserState
  private(set) var layout = FileChooserLayout(window: Rect(row: 0, column: 0, rows: 24, columns: 80))
  private(set) var preview: (request: FilePreviewRequest, result: Result<Preview, FileRefusal>)?
  var message: String?
  /// The entry to select once the folder has been read: the folder that the user came from, or the entry that was
  /// selected.
  private var comingFrom: [UInt8]?
  /// The file to open once its preview has been made.
  private var opening: [UInt8]?
  /// True if the selected entry should be opened once the folder has been read.
  private var opensWhenRead = false
  private var reading: LatestWork<FolderRequest, FileFolder>?
  private var previews: LatestWork<FilePreviewRequest, Result<Preview, FileRefusal>>?

  /// Opens at the last used folder.
  init(_ kind: FileKind<Preview>, environment: AppEnvironment) {
    self.environment = environment
    self.kind = kind
    let strings = environment.strings
    state = ChooserState(
      title: "", items: [ChooserState.Item](),
      texts: .init(placeholder: strings("files.typeToFilter"), noMatch: { strings("chooser.noFiles", $0) }))
    request = FolderRequest(folder: environment[keyPath: kind.folder], showsHidden: false)
    let recognition = kind.recognition
    reading = LatestWork(
      loop: environment.loop, work: { FileFolder.read($0.folder, showsHidden: $0.showsHidden, recognition) },
      deliver: { [weak self] in self?.show($1, of: $0) })
    previews = LatestWork(
      loop: environment.loop, work: kind.preview,
      deliver: { [weak self] in self?.receive($1, of: $0) })
    reading?.request(request)
  }

  /// The displayed folder.
  var folder: [UInt8] { request.folder }
  var showsHidden: Bool { request.showsHidden }
  /// True when nothing is being read or drawn.
  var isIdle: Bool { contents != nil && reading?.isIdle == true && previews?.isIdle == true }

  /// The entry that Enter opens.
  var selectedEntry: FileFolder.Entry? {
    guard case .item(let index)? = state.selectedChoice else { return nil }
    return contents?.entries[index]
  }

  /// The preview of the selected file, if it is ready.
  var selectedPreview: Result<Preview, FileRefusal>? {
    guard let entry = selectedEntry, let preview, preview.request.path == path(of: entry) else { return nil }
    return preview.result
  }

  private func path(of entry: FileFolder.Entry) -> [UInt8] { FileFolder.path(of: entry.name, in: folder) }

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
      let path = FileFolder.path(typed: String(typed[...slash]), in: folder)
      go(to: path, selecting: nil, showsHidden: showsHidden)
      state.insert(String(typed[typed.index(after: slash)...]))
    }
    if state.field.text.hasPrefix("."), !showsHidden { read(FolderRequest(folder: folder, showsHidden: true)) }
  }

  // MARK: Folders

  private func goUp() {
    guard let above = FileFolder.above(folder) else { return }
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

  private func show(_ contents: FileFolder, of request: FolderRequest) {
    guard request == self.request else { return }
    self.contents = contents
    if contents.failure == nil { environment[keyPath: kind.folder] = request.folder }
    state.replace(contents.entries.map(\.item))
    if let index = contents.entries.firstIndex(where: { $0.name == comingFrom }) { state.select(index) }
    comingFrom = nil
    if opensWhenRead {
      opensWhenRead = false
      open()
    }
  }

  // MARK: Files

  private func open() {
    guard contents != nil else {
      opensWhenRead = true
      return
    }
    guard let entry = selectedEntry else {
      if kind.opensAnyName, !state.field.isEmpty {
        kind.open(self, FileFolder.path(of: Array(state.field.text.utf8), in: folder), nil)
      }
      return
    }
    guard !entry.isFolder else { return go(to: path(of: entry), selecting: nil, showsHidden: showsHidden) }
    opening = path(of: entry)
    finishOpening()
  }

  /// Opens the file that the user chose, or shows an error, once its preview has been made.
  private func finishOpening() {
    guard let path = opening, let preview, preview.request.path == path, environment.screens.top === self else {
      return
    }
    opening = nil
    switch preview.result {
    case .failure(let refusal):
      message = environment.strings("chooser.refused", selectedEntry?.text ?? "", refusal.text)
    case .success(let preview): kind.open(self, path, preview)
    }
  }

  private func receive(_ result: Result<Preview, FileRefusal>, of request: FilePreviewRequest) {
    preview = (request, result)
    finishOpening()
  }

  func prepare(in rect: Rect) {
    layout = FileChooserLayout(window: rect)
    if let cut = state.cutText(columns: layout.list.columns) { layout = FileChooserLayout(window: rect, name: cut) }
    state.layOut(field: layout.filter, list: layout.list)
    guard let entry = selectedEntry, !entry.isFolder else { return }
    let request = FilePreviewRequest(
      path: path(of: entry), columns: max(1, layout.preview.columns), rows: max(1, layout.preview.rows),
      style: environment.pictures)
    if preview?.request != request { previews?.request(request) }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    FileChooserView(environment: environment).draw(self, on: &canvas, in: rect)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    FileChooserView(environment: environment).bottomLine(self)
  }
}
