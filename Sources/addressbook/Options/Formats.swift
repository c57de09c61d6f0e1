import ArgumentParser

/// What a listing is printed as.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case tsv
  case json
}

/// What cards are read from and written to.
enum CardFormat: String, ExpressibleByArgument, CaseIterable {
  case vcard
  case json
}
