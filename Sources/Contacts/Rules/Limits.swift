/// Greatest lengths in Unicode scalars. They keep a slip, such as a file pasted into a name, out of the book; real data
/// stays far below.
public enum Limits {
  /// A part of a name, an organization, a group.
  public static let name = 10_000
  /// A uid; cards in the wild have ones of 5,000 characters.
  public static let uid = 10_000
  /// A label.
  public static let label = 1_000
  /// A phone number, an email address, a link, a part of a postal address.
  public static let value = 100_000
  /// A note.
  public static let note = 10_000_000
  /// A picture, in bytes.
  public static let photo = 20_000_000
}
