import Foundation

/// The code that is fuzzed. Each target crashes if an input reveals a bug.
enum FuzzTarget: String, CaseIterable {
  case vcard, json, jcard, jscontact, csv, ldif, abook, template, mail, predicate, search, configuration, picture, input

  static let chosen = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.init) ?? .vcard

  /// Checks the input, and once in a few thousand inputs also a long one that repeats it, to find code whose time grows
  /// faster than the input.
  func check(_ bytes: [UInt8]) {
    read(bytes)
    LongInput.next += 1
    guard LongInput.next % LongInput.interval == 0, !bytes.isEmpty else { return }
    let long = Array(repeatElement(bytes, count: LongInput.bytes / bytes.count + 1).joined())
    let start = clock()
    read(long)
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    if seconds > LongInput.seconds {
      fatalError("\(seconds) s for \(long.count) bytes of \(bytes.count) bytes repeated")
    }
  }

  private func read(_ bytes: [UInt8]) {
    switch self {
    case .vcard: CardCheck.check(bytes)
    case .json: JSONCheck.check(bytes)
    case .jcard: JCardCheck.check(bytes)
    case .jscontact: JSContactCheck.check(bytes)
    case .csv: RecordCheck.checkCSV(bytes)
    case .ldif: RecordCheck.checkLDIF(bytes)
    case .abook: RecordCheck.checkAbook(bytes)
    case .template: RecordCheck.checkTemplate(bytes)
    case .mail: MailCheck.check(bytes)
    case .predicate: PredicateCheck.check(bytes)
    case .search: SearchCheck.check(bytes)
    case .configuration: ConfigurationCheck.check(bytes)
    case .picture: PictureCheck.check(bytes)
    case .input: InputCheck.check(bytes)
    }
  }
}

/// The length of long inputs, and the time allowed for them. Linear time stays far below the limit, even with the
/// sanitizer.
private enum LongInput {
  nonisolated(unsafe) static var next = 0
  static let interval = 3000
  static let bytes = 100_000
  /// The limit of processor time, in seconds. A quadratic algorithm takes 10,000,000,000 steps for this length.
  static let seconds = 5.0
}
