import AddressBookModel

/// Days as a person reads them: `27 November 1940`, `1940年11月27日`, without the year where it is not known.
struct DateText {
  let words: Words

  /// The day in words; the order of its parts is the language's.
  func text(of date: PartialDate) -> String {
    let month = words("month.\(date.month)")
    guard let year = date.year else { return words("date.day", String(date.day), month) }
    return words("date.full", String(date.day), month, String(year))
  }
}
