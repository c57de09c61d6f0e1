import AddressBookModel
import AvatarImage
import Contacts
import TerminalKit

/// A cache of the displayed contacts' photos. A photo is read, decoded and drawn on another thread when it is first
/// needed; the name's initial replaces it until then, and permanently if there is no photo.
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
    /// A form that has not been saved yet.
    case chosen(Photo)
  }

  /// Increases when a photo has been drawn or the style has changed.
  private(set) var revision = 0
  /// Setting another style, after the size of the terminal's cells has changed, redraws the photos.
  var style: PictureStyle {
    didSet { if style != oldValue { revision += 1 } }
  }
  /// Nil for a photo that cannot be read or drawn: it is not tried again.
  private var drawn: [Key: DrawnPicture?] = [:]
  /// While a key is held down, photos of contacts in between are not read.
  private var work: LatestWork<Key, DrawnPicture?>?
  /// The number of drawings to keep: a drawing in characters takes a few kilobytes, one in pixels up to a few hundred.
  private var limit: Int { style.imageCell == nil ? 256 : 32 }

  /// - Parameter decoder: decodes photos in another process; nil to decode them in this process.
  init(book: AddressBook, style: PictureStyle, decoder: DecodingProcess?, loop: any ProgramLoop) {
    self.style = style
    work = LatestWork(
      loop: loop, work: { Self.draw($0, of: book, decoder) }, deliver: { [weak self] in self?.receive($1, $0) })
  }

  /// The contact's photo at that size in cells, or a placeholder for now. Never blocks.
  func picture(of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    if let photo = contact.photo, contact.id != 0 {
      let source = Source.stored(contact.id, sha256: photo.sha256)
      if let known = known(Key(source: source, columns: columns, rows: rows, style: style)) { return known }
    }
    return initial(of: contact, columns: columns, rows: rows)
  }

  /// A photo that was chosen in a form and is not in the book yet; a placeholder until it is drawn. Never blocks.
  func picture(_ photo: Photo, of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    known(Key(source: .chosen(photo), columns: columns, rows: rows, style: style))
      ?? initial(of: contact, columns: columns, rows: rows)
  }

  /// The drawing if it is cached; otherwise it is requested.
  private func known(_ key: Key) -> DrawnPicture? {
    if let known = drawn[key] { return known }
    work?.request(key)
    return nil
  }

  /// True when nothing is being read or drawn.
  var isIdle: Bool { work?.isIdle ?? true }

  /// The colored initial of a contact.
  func initial(of contact: Contact, columns: Int, rows: Int) -> DrawnPicture {
    let initial = InitialPicture.initial(of: contact.displayName)
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

  /// A missing photo is not an error here: the contact is shown without it, and `photo show` gives the reason.
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
