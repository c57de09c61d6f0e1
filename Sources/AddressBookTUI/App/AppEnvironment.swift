import AddressBookModel
import AvatarImage
import BookInterchange
import Contacts
import FolderSync
import Glibc
import LDAPDirectory
import Messages
import SystemCalls
import TerminalKit

/// The environment of every screen: the book, the strings, the keys, the theme, and the stack of screens.
@MainActor
final class AppEnvironment {
  let book: AddressBook
  let strings: Strings
  let configuration: Configuration
  let keys: KeyTable
  let theme: Theme
  let terminal: any Terminal
  let loop: any ProgramLoop
  let screens: ScreenContext
  let days: DayClock
  let avatars: AvatarCache
  /// Decodes photos in another process; nil to decode them in this process.
  let pictureDecoder: DecodingProcess?
  /// What the user is asked to choose; nil to show the book until the user quits.
  let pick: ScreenPick?
  /// How photos are drawn; updated when the size of the terminal's cells changes.
  private(set) var pictures: PictureStyle
  /// The folder that the photo chooser last showed in this session; initially the home folder, or `/` without one.
  var photoFolder: [UInt8]
  /// The same of the chooser of files to import.
  var importFolder: [UInt8]
  /// Opens links with another program.
  var opener: LinkOpener
  /// Copies text to the clipboard.
  var clipboard: Clipboard
  /// Directories that can be searched.
  var directories: [any DirectorySource]
  /// Where `config.toml` is; nil if settings cannot be changed.
  let configurationFolder: String?
  /// What was searched for and entered before.
  var inputs = InputHistories()
  /// The last syncs of accounts and folders; nil if they are not kept.
  lazy var syncRecords = SyncRecords(book: book)
  /// True while `sync --watch` is running for the book in another process.
  var isSyncing = false
  /// Why the book should be reopened; nil if it should not.
  private(set) var reopening: Reopening?
  /// Shows an error in the bottom line of the main screen.
  var fail: @MainActor (String) -> Void = { _ in }
  /// Saves the input of a form as a draft; nil if drafts are not saved.
  var drafts: DraftAutosave?
  /// The choices of earlier imports; nil if they are not saved.
  var importChoices: ImportChoicesFile?

  /// How the book is reopened.
  enum Reopening: Equatable {
    case asItIs
    /// It is examined before.
    case examined
    /// In the language that the user chose.
    case inLanguage(Language)
  }

  init(
    book: AddressBook, strings: Strings, configuration: Configuration = Configuration(), keys: KeyTable? = nil,
    theme: Theme, terminal: any Terminal, loop: any ProgramLoop, pick: ScreenPick? = nil,
    pictureDecoder: DecodingProcess? = nil, days: DayClock? = nil, configurationFolder: String? = nil
  ) {
    self.configurationFolder = configurationFolder
    self.book = book
    self.strings = strings
    self.configuration = configuration
    self.keys = keys ?? configuration.keys
    self.theme = theme
    self.terminal = terminal
    self.loop = loop
    self.pick = pick
    screens = ScreenContext(keys: self.keys, loop: loop, style: theme.widgets) { strings($0) }
    pictures = PictureStyle(
      terminalColors: theme == .monochrome ? 0 : terminal.colors, imageCell: terminal.imageCell,
      imageProtocol: terminal.imageProtocol)
    photoFolder = Array((HomeFolder.path(in: ProcessEnvironment.values(of: ["HOME"])) ?? "/").utf8)
    importFolder = photoFolder
    opener = LinkOpener(
      command: configuration.openCommand, commands: configuration.openCommands, inTerminal: configuration.openInTerminal
    )
    clipboard = Clipboard(command: configuration.copyCommand)
    directories = configuration.directories.map { url in
      DirectoryServerSource(DirectoryAccess(url), password: configuration.directoryPassword?.with(url.host))
    }
    self.days = days ?? DayClock(loop: loop)
    self.pictureDecoder = pictureDecoder
    avatars = AvatarCache(
      book: book, style: pictures, names: configuration.names, decoder: pictureDecoder, loop: loop)
  }

  /// How names are displayed.
  var names: NameStyle { configuration.names }

  /// True if contacts are shown with their photos, or with their initials if they have none.
  var showsPhotos: Bool { configuration.pictures != .off }

  /// The message for a command that would change the book, if it cannot be changed; nil if it can.
  var refusal: String? {
    guard let reason = book.readOnlyReason else { return nil }
    return strings(reason == .diskFull ? "status.diskFull" : "status.readOnly", book.location.path ?? "")
  }

  /// Redraws photos if the size of the cells has changed, for example with the font.
  func followTerminal() {
    var style = pictures
    style.symbols = PictureStyle.symbols
    if style.imageCell != nil, let cell = terminal.imageCell { style.imageCell = cell }
    guard style != pictures else { return }
    pictures = style
    avatars.style = style
  }

  /// Ends the loop, so that the book is reopened.
  func reopen(_ reopening: Reopening = .asItIs) {
    self.reopening = reopening
    loop.stop()
  }

  /// Asks a question; the last answer must be the safe one.
  /// - Parameter isRequested: false if the question was not caused by a key press: letters are then not accepted as
  ///   answers.
  func ask(_ title: String, detail: String = "", answers: [Question.Answer], isRequested: Bool = true) {
    screens.push(
      Question(
        title, detail: detail, answers: answers, isRequested: isRequested, context: .dialog, style: theme.widgets))
  }

  /// Lets the user choose from a list.
  /// - Parameters:
  ///   - ownText: the placeholder of the field in which other text can be entered; nil to allow only the items.
  ///   - word: the name of the string `hint.` that says what choosing does; nil for `pick`.
  ///   - cancel: called if the user chooses nothing.
  func choose(
    title: String, items: [String], chosen: Int = 0, ownText: String? = nil, hint: String = "", word: String? = nil,
    cancel: @escaping @MainActor () -> Void = {}, choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    self.choose(
      title: title, items: items.map { ChooserState.Item($0) }, chosen: chosen, ownText: ownText, hint: hint,
      word: word, cancel: cancel, choose: choose)
  }

  /// The same for items with a detail, aliases or a color.
  func choose(
    title: String, items: [ChooserState.Item], chosen: Int = 0, ownText: String? = nil, hint: String = "",
    word: String? = nil, cancel: @escaping @MainActor () -> Void = {},
    choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    let state = ChooserState(
      title: title, items: items.map(\.withPinyin), selected: chosen, allowsOwnText: ownText != nil, hint: hint,
      texts: chooserTexts(placeholder: ownText ?? strings("chooser.typeToFilter")))
    screens.push(
      Chooser(
        state, context: .chooser, style: theme.widgets, word: word.map { strings("hint." + $0) }, cancel: cancel,
        choose: choose))
  }

  func chooserTexts(placeholder: String) -> ChooserState.Texts {
    let strings = strings
    return ChooserState.Texts(
      placeholder: placeholder, own: { strings("chooser.own", $0) }, noMatch: { strings("chooser.noMatch", $0) })
  }

  /// Lets the user choose the label of a value, or type one.
  func chooseLabel(of field: MultiField, present: String, choose: @escaping @MainActor (String) -> Void) {
    var labels = field.labels
    let known = labels.firstIndex { $0.lowercased() == present.lowercased() }
    if !present.isEmpty, known == nil { labels.insert(present, at: 0) }
    labels.append("")
    // A label is also found by its name in other languages and by its stored text.
    let others = Language.allCases.map { Localization(language: $0) }
    let items = labels.map { label in
      label.isEmpty
        ? ChooserState.Item(strings("form.label.none"))
        : ChooserState.Item(
          strings.localization.label(label),
          aliases: field.labels.contains(label) ? [label] + others.map { $0.label(label) } : [])
    }
    self.choose(
      title: strings(field.choosesLabelFirst ? "form.service.title" : "form.label.title"), items: items,
      chosen: present.isEmpty && field.choosesLabelFirst ? 0 : known ?? labels.firstIndex(of: present) ?? 0,
      ownText: strings(field.choosesLabelFirst ? "form.service.own" : "form.label.own")
    ) { choice in
      switch choice {
      case .item(let index): choose(labels[index])
      case .own(let text): choose(text)
      }
    }
  }

  /// The title of the section for a contact.
  func sectionTitle(of contact: Contact) -> String { configuration.sections.title(of: contact) }
}
