import AvatarImage
import ContactInterchange
import Contacts
import Messages
import TerminalKit

/// A contact as a QR code, with what fits into a window, and text about it.
public struct ContactCode {
  /// Why there is no code.
  public enum Failure: Error {
    /// libqrencode is not installed.
    case missingLibrary
    /// A code that is worth scanning does not fit.
    case noRoom

    /// The message for the user.
    public func message(in localization: Localization) -> String {
      switch self {
      case .missingLibrary: localization.text("code.missingLibrary", arguments: ["libqrencode4"], table: "Screen")
      case .noRoom: localization.text("code.noRoom", arguments: [], table: "Screen")
      }
    }
  }

  /// The code, black on white.
  public let picture: CellPicture
  /// What the code lacks; nil if it has everything.
  public let leftOut: String?
  /// The lines to show beside the code; empty if they are below it.
  public let linesBeside: [String]
  /// The lines to show below it.
  public let linesBelow: [String]

  /// The room for text below the code, and beside it.
  private static let (rowsBelow, columnsBeside) = (4, 24)
  /// The columns between the code and the text beside it.
  public static let gap = 2

  /// Makes the code of a contact's card, without the photo and, if it would be too large, without other fields.
  /// - Parameters:
  ///   - contact: the contact.
  ///   - name: the name to show.
  ///   - window: lines and columns for the code and the text; nil for no limit but that of readers, and no text.
  ///   - colors: the colors that the terminal has.
  ///   - localization: the language of the text.
  /// - Throws: `Failure` if the library is missing, or the code does not fit.
  public init(
    of contact: Contact, named name: String, in window: (rows: Int, columns: Int)?, colors: CellColors = .trueColor,
    _ localization: Localization
  ) throws(Failure) {
    let strings = Strings(localization)
    // Where a half block is two columns wide, a module is drawn as two blanks.
    let inHalfBlocks = window == nil || TextWidth.ambiguousColumns == 1
    func side(_ rows: Int, _ columns: Int) -> Int { inHalfBlocks ? min(2 * rows, columns) : min(rows, columns / 2) }
    let beside = window.map { side($0.rows, $0.columns - Self.columnsBeside - Self.gap) } ?? QRCode.largestSide
    let below = window.map { side($0.rows - Self.rowsBelow, $0.columns) } ?? QRCode.largestSide
    guard let card = CompactCard(of: contact, capacity: QRCode.capacity(side: max(beside, below))) else {
      throw .noRoom
    }
    let code: QRCode
    do {
      code = try QRCode(Array(card.text.utf8))
    } catch {
      throw error == .missingLibrary ? .missingLibrary : .noRoom
    }
    picture = code.picture(colors, inHalfBlocks: inHalfBlocks)
    let omissions = card.leftOut.map { omission in
      let name = strings.name(of: omission.field)
      return omission.count == omission.total ? name : strings.noted(name, "\(omission.count)/\(omission.total)")
    }
    let fields = omissions + (card.lacksLabels ? [strings("code.labels")] : [])
    leftOut = fields.isEmpty ? nil : strings("code.leftOut", strings.list(fields))
    let isBeside = code.side <= beside
    let text = [strings("code.scan"), leftOut, card.isShortened ? strings("code.shortened") : nil].compactMap(\.self)
    let columns = (window?.columns ?? 0) - (isBeside ? picture.columns + Self.gap : 0)
    let rows = (window?.rows ?? 0) - (isBeside ? 0 : picture.rows)
    let lines = window == nil ? [] : TextWidth.wrap([name, ""] + text, columns: columns, limit: rows)
    (linesBeside, linesBelow) = isBeside ? (lines, []) : ([], lines)
  }
}

/// The QR code of a contact, for a phone to scan.
@MainActor
final class ContactCodeScreen: Screen {
  let keyContext = KeyContext.page
  private let contact: Contact
  private let environment: AppEnvironment
  private var drawn: (rect: Rect, code: Result<ContactCode, ContactCode.Failure>)?

  init(_ contact: Contact, _ environment: AppEnvironment) {
    (self.contact, self.environment) = (contact, environment)
  }

  /// Why the code cannot be shown in the rectangle that it was prepared for.
  var failure: ContactCode.Failure? { if case .failure(let failure)? = drawn?.code { failure } else { nil } }

  func perform(_ command: Command, in context: ScreenContext) {
    if command.role == .cancel { context.pop(self) }
  }

  func prepare(in rect: Rect) {
    guard drawn?.rect != rect else { return }
    let window = (rect.rows - 1, rect.columns)
    let name = environment.names.name(of: contact)
    let code = Result { () throws(ContactCode.Failure) in
      try ContactCode(of: contact, named: name, in: window, environment.strings.localization)
    }
    drawn = (rect, code)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, style: environment.theme.text)
    let code: ContactCode
    switch drawn?.code {
    case .success(let made)?: code = made
    case .failure(let failure)?:
      let lines = TextWidth.wrap(failure.message(in: environment.strings.localization), columns: rect.columns - 2)
      return draw(lines, on: &canvas, in: rect.inset(top: 1, left: 1))
    case nil: return
    }
    let picture = code.picture
    // Without colors, the terminal is assumed to be dark.
    let style = environment.terminal.colors < 8 ? Style.plain.adding(.reverse) : environment.theme.text
    canvas.put(.cells(picture), in: rect, style: style)
    draw(code.linesBeside, on: &canvas, in: rect.inset(left: picture.columns + ContactCode.gap))
    draw(code.linesBelow, on: &canvas, in: rect.inset(top: picture.rows))
  }

  private func draw(_ lines: [String], on canvas: inout Canvas, in rect: Rect) {
    if !lines.isEmpty { canvas.hiddenCursor = Point(row: rect.row, column: rect.column) }
    for (row, line) in lines.enumerated() where row < rect.rows {
      let style = row == 0 ? environment.theme.accent : environment.theme.text
      canvas.put(line, at: Point(row: rect.row + row, column: rect.column), limit: rect.columns, style: style)
    }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(hints: context.hints([CommandRole.cancel], in: keyContext))
  }
}
