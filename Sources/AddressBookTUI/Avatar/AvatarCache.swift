import AddressBookModel
import AvatarImage
import Contacts
import Dispatch
import TerminalKit

/// A cache of the displayed contacts' photos. A photo is read, decoded and drawn on another thread when it is first
/// needed; until it is drawn, and if there is none or it cannot be drawn, the name's initial is shown.
@MainActor
final class AvatarCache {
  /// Identifies a drawing of a photo.
  struct Key: Hashable, Sendable {
    var source: Source
    var columns: Int
    var rows: Int
    var style: PictureStyle
  }

  /// The source of a photo.
  enum Source: Hashable, Sendable {
    /// The book, by contact and digest.
    case stored(Int64, sha256: String)
    /// A photo that is not in the book: chosen in a form, or of an entry in a directory.
    case chosen(Photo)
  }

  /// Increases when a photo has been drawn or found to be undrawable, and when the style has changed.
  private(set) var revision = 0
  /// Setting another style, after the size of the terminal's cells has changed, redraws the photos.
  var style: PictureStyle {
    didSet { if style != oldValue { revision += 1 } }
  }
  /// How names are displayed: the initial is that of the displayed name.
  private let names: NameStyle
  /// The drawings; nil for a photo that cannot be read or drawn, so that it is not tried again for each frame.
  private var drawn: [Key: DrawnPicture?] = [:]
  /// Starts only the newest request, so while a key is held down, most of the contacts passed are not read.
  private var work: LatestWork<Key, DrawnPicture?>?
  /// The maximum number of cached drawings: one in characters takes a few kilobytes, one in pixels up to a few hundred.
  private var limit: Int { style.imageCell == nil ? 256 : 32 }

  /// - Parameter decoder: decodes photos in another process; nil to decode them in this process.
  init(
    book: AddressBook, style: PictureStyle, names: NameStyle = NameStyle(), decoder: DecodingProcess?,
    loop: any ProgramLoop
  ) {
    self.style = style
    self.names = names
    work = LatestWork(
      loop: loop, work: { Self.draw($0, of: book, decoder) }, deliver: { [weak self] in self?.receive($1, $0) })
  }

  /// The contact's photo at that size in cells; the initial until it is drawn, and if there is none or it cannot be
  /// drawn. Never blocks.
  func picture(of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    if let photo = contact.photo, contact.id != 0 {
      let source = Source.stored(contact.id, sha256: photo.sha256)
      if let known = known(Key(source: source, columns: columns, rows: rows, style: style)) { return known }
    }
    return initial(of: contact, columns: columns, rows: rows)
  }

  /// A photo that is not in the book, such as one that was chosen in a form; the initial until it is drawn, and if it
  /// cannot be drawn. Never blocks.
  func picture(_ photo: Photo, of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    known(Key(source: .chosen(photo), columns: columns, rows: rows, style: style))
      ?? initial(of: contact, columns: columns, rows: rows)
  }

  /// The drawing if it is cached. Otherwise nil, and the drawing is requested unless an earlier attempt failed.
  private func known(_ key: Key) -> DrawnPicture? {
    if let known = drawn[key] { return known }
    work?.request(key)
    return nil
  }

  /// True when nothing is being read or drawn.
  var isIdle: Bool { work?.isIdle ?? true }

  /// The colored initial of a contact.
  func initial(of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    let initial = InitialPicture.initial(of: names.name(of: contact))
    let width = initial.map { TextWidth.columns(of: $0) } ?? 1
    return .cells(
      InitialPicture(initial: initial, initialWidth: width, uid: contact.uid)
        .render(columns: columns, rows: rows, colors: style.colors, symbols: style.symbols))
  }

  private func receive(_ picture: DrawnPicture?, _ key: Key) {
    if drawn.count >= limit { drawn = [:] }
    drawn[key] = .some(picture)
    revision += 1
  }

  /// A photo that cannot be drawn is not an error here: the initial is shown, and `photo show` gives the reason.
  private nonisolated static func draw(
    _ key: Key, of book: AddressBook, _ decoder: DecodingProcess?
  ) -> DrawnPicture? {
    do {
      let photo: Photo?
      switch key.source {
      case .stored(let id, _): photo = try book.photo(of: id)
      case .chosen(let chosen): photo = chosen
      }
      guard let photo else { return nil }
      let image = try ImageDecoder.decode([UInt8](photo.data), in: decoder)
      return key.style.draw(
        image.cropped(to: SquareCrop(of: image), side: min(SquareCrop(of: image).side, AvatarPhoto.maximumSide)),
        columns: key.columns, rows: key.rows)
    } catch {
      return nil
    }
  }
}

/// Work on another thread, where only the newest request counts: requests that are replaced before they start are
/// dropped.
@MainActor
final class LatestWork<Request: Hashable & Sendable, Product: Sendable> {
  private let loop: any ProgramLoop
  private let work: @Sendable (Request) -> Product
  private let deliver: @MainActor @Sendable (Request, Product) -> Void
  private var waiting: Request?
  private var running: Request?

  /// - Parameters:
  ///   - work: done on another thread, one request at a time.
  ///   - deliver: called with each result on the main thread, even if a newer request has been made.
  init(
    loop: any ProgramLoop, work: @escaping @Sendable (Request) -> Product,
    deliver: @escaping @MainActor @Sendable (Request, Product) -> Void
  ) {
    self.loop = loop
    self.work = work
    self.deliver = deliver
  }

  var isIdle: Bool { running == nil }

  /// Requests a result, and drops the request that was waiting. A request that is already running is not repeated.
  func request(_ request: Request) {
    waiting = request == running ? nil : request
    begin()
  }

  private func begin() {
    guard running == nil, let request = waiting else { return }
    waiting = nil
    running = request
    let work = work
    let loop = loop
    DispatchQueue.global(qos: .userInitiated).async {
      let product = work(request)
      loop.post {
        self.running = nil
        self.deliver(request, product)
        self.begin()
      }
    }
  }
}
