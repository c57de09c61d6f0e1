import AddressBookModel
import AvatarImage
import Contacts
import Glibc
import TerminalKit

/// What every screen works with: the book, the strings, the keys, the look, and the stack of screens.
@MainActor
final class AppEnvironment {
  let book: AddressBook
  let strings: Strings
  let keys: KeyTable
  let theme: Theme
  let terminal: any Terminal
  let loop: any ProgramLoop
  let screens = ScreenStack<Command, KeyContext>()
  let pictures: PictureStyle
  /// Whether people are shown with their pictures, or with what stands in for these.
  let showsPictures: Bool
  let avatars: AvatarCache
  /// Where pictures are decoded; nil for this process.
  let pictureDecoder: DecodingProcess?
  /// Which day it is.
  let days: DayClock
  /// Where pictures were chosen last in this session; the home folder at first.
  var pictureFolder: [UInt8]
  /// Opens links with another program.
  var opener = LinkOpener()
  /// Puts text on the clipboard.
  var clipboard = Clipboard()
  /// False where the configuration file turned the mouse off: what a terminal reports all the same means nothing.
  var usesMouse = true
  /// True when the program should restart with the book as it is now.
  private(set) var isReopening = false
  /// Keeps what is typed in a form; nil where nothing is kept.
  var drafts: DraftKeeper?

  init(
    book: AddressBook, strings: Strings, keys: KeyTable, theme: Theme, terminal: any Terminal, loop: any ProgramLoop,
    showsPictures: Bool = true, pictureDecoder: DecodingProcess? = nil, days: DayClock? = nil
  ) {
    self.book = book
    self.strings = strings
    self.keys = keys
    self.theme = theme
    self.terminal = terminal
    self.loop = loop
    pictures = PictureStyle(terminalColors: theme == .monochrome ? 0 : terminal.colors, imageCell: terminal.imageCell)
    self.showsPictures = showsPictures
    pictureFolder = getenv("HOME").map { Array(String(cString: $0).utf8) } ?? [UInt8(ascii: "/")]
    self.days = days ?? DayClock(loop: loop)
    self.pictureDecoder = pictureDecoder
    avatars = AvatarCache(book: book, style: pictures, decoder: pictureDecoder, loop: loop)
  }

  /// Leaves this screen, to open the book again and come back.
  func reopen() {
    isReopening = true
    loop.stop()
  }

  /// Asks a question over the screen; the last answer must be the harmless one.
  /// - Parameter isAskedFor: false where no key of the person brings it up: letters are no answers then.
  func ask(_ title: String, detail: String = "", answers: [Question.Answer], isAskedFor: Bool = true) {
    screens.push(
      Question(
        title, detail: detail, answers: answers, isAskedFor: isAskedFor, context: .dialog, style: theme.widgets
      ) { [weak self] in self?.screens.pop($0) })
  }

  /// Lets the person choose from a list over the screen.
  /// - Parameter ownText: what the empty field says when more than the items can be chosen; nil when only these can.
  func choose(
    title: String, items: [String], chosen: Int = 0, ownText: String? = nil, hint: String = "",
    choose: @escaping @MainActor (ChooserState.Choice) -> Void
  ) {
    let strings = strings
    let texts = ChooserState.Texts(
      placeholder: ownText ?? strings("chooser.typeToFilter"), own: { strings("chooser.own", $0) },
      noMatch: { strings("chooser.noMatch", $0) })
    let state = ChooserState(
      title: title, items: items, selected: chosen, takesOwnText: ownText != nil, hint: hint, texts: texts)
    screens.push(
      Chooser(
        state, context: .chooser, style: theme.widgets, close: { [weak self] in self?.screens.pop($0) },
        choose: choose))
  }

  /// The title of the section that a contact will stand in.
  func sectionTitle(of contact: Contact) -> String { contact.sectionTitle }
}
