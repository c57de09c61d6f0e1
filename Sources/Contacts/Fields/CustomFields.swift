import Synchronization

/// The fields of the user's own: properties of vCards that a list of the contact holds (``Contact/custom``), such as
/// `X-SHIRT-SIZE`. The label of a value is the name of its property in words: `shirt size`.
///
/// A book remembers the properties that its cards were read for. If the settings no longer name one, it is not offered
/// any more, but its values stay in the contact and in its card.
public enum CustomFields {
  private static let settings = Mutex<[String]>([])
  private static let books = Mutex<[String]>([])

  /// The properties that the settings name, in upper case. Set them before a book is opened: it is then read for them.
  public static var offered: [String] {
    get { settings.withLock(\.self) }
    set { settings.withLock { $0 = newValue } }
  }

  /// The properties that are read from cards, in upper case: those of the books that were opened.
  public static var properties: [String] { books.withLock(\.self) }

  /// Adds properties of a book.
  public static func add(_ properties: [String]) {
    if properties.isEmpty { return }
    books.withLock { known in known += properties.filter { !known.contains($0) } }
  }

  /// The labels that a form offers.
  public static var labels: [String] { offered.map(label(of:)) }

  /// Returns the label of the values of a property.
  public static func label(of property: String) -> String {
    String(property.dropFirst(2)).lowercased().replacing("-", with: " ")
  }
}
