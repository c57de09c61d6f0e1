/// The numbers of whole fields that were added to a lexicon, keyed by their text as written.
struct SeenFields {
  private static let limit = 20_000

  private var table = InternTable()
  private var numbers: [Int] = []
  private var key: [UInt8] = []

  /// Returns the number of a field; nil if it is new, or was forgotten because the table was full.
  mutating func number(of text: UnsafeBufferPointer<UInt8>, _ field: FieldKind) -> Int? {
    key.removeAll(keepingCapacity: true)
    key.append(field.rawValue)
    key.append(contentsOf: text)
    return table.number(of: key).map { numbers[$0] }
  }

  /// Keeps the number of the field with which ``number(of:_:)`` was last called, and which was new.
  mutating func keep(_ number: Int) {
    if numbers.count >= Self.limit { (table, numbers) = (InternTable(), []) }
    _ = table.intern(key)
    numbers.append(number)
  }
}
