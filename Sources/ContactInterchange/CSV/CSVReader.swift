import Contacts
import VCard

/// How a CSV file is read.
public struct CSVReading: Hashable, Sendable {
  /// Columns that the user mapped.
  public var map: [CSVMapping] = []
  /// The charset of the file, by name; nil to detect it.
  public var charset: String?

  /// Creates settings that detect the columns and the charset.
  public init() {}

  /// Returns whether a charset has this name.
  public static func isKnown(charset: String) -> Bool { ForeignText(charset: charset) != nil }
}

/// A reader of the contacts of a CSV file whose first row names the columns; lines that some programs write before it
/// are skipped.
///
/// The column names of Google, Outlook, Apple, Thunderbird and Chinese programs are known, in any order
/// (``CSVVocabulary``); the user can map others. The separator is a comma, a semicolon or a tab, or what a `sep=` line
/// declares. The text is in UTF-8, UTF-16, the charset that the settings name, or one that ``ForeignText`` recognizes.
/// A leading apostrophe that keeps spreadsheets from running a cell as a formula is removed (``CSVFormula``). Dates that
/// can be read in two ways are read like a date of their column that cannot, if the beginning of the file has one.
public struct CSVReader<Failure: Error>: RecordReader {
  private var rows: CSVRows<Failure>
  private var text: ForeignText
  private let header: CSVHeader
  private let reading: CSVReading
  private let isDayFirst: Bool?
  /// What the beginning of the file says about its columns.
  public let outline: CSVOutline
  /// What was found in the header, until it is handed over.
  private var found: [RecordEvent] = []
  /// For each column, the number of values that were not imported.
  private var missed: [Int]
  /// The columns in which a date was read in the inferred order.
  private var inferred: Set<Int> = []
  /// Whether the header was refused.
  private var isRefused = false

  /// Reads the header.
  /// - Parameters:
  ///   - reading: the settings.
  ///   - isDayFirst: whether `3/4/1990` is 3 April, and otherwise 4 March; nil to infer it for each column, and to read
  ///     4 March where nothing shows it.
  ///   - source: returns the next bytes, or nil at the end.
  /// - Throws: the errors of the source.
  public init(
    _ reading: CSVReading = CSVReading(), isDayFirst: Bool? = nil,
    source: @escaping () throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    var input = TextInput(source: source)
    var sample: [UInt8] = []
    while sample.count < Self.sample, let more = try input.next() { sample += more }
    var text = reading.charset.flatMap { ForeignText(charset: $0) } ?? ForeignText()
    text.observe(sample)
    var start = sample
    var separator: UInt8?
    // As in Excel, the first line may declare the separator: `sep=;`.
    if let own = Self.declaredSeparator(of: sample) {
      separator = own.separator
      start.removeFirst(own.length)
    }
    let found = CSVHeader.detect(in: start, map: reading.map, text: text)
    let chosen = separator ?? found.separator
    var rest: [UInt8]? = start
    rows = CSVRows(separator: chosen) { () throws(Failure) -> [UInt8]? in
      if let first = rest.take() { return first }
      return try input.next()
    }
    for _ in 0..<(separator == nil ? found.rowsBefore : 0) { _ = try rows.next() }
    let names = try rows.next()?.cells.map { text.text(of: $0).text.trimmed } ?? []
    header = CSVHeader(names: names, map: reading.map)
    var beginning = CSVRows<Never>(separator: chosen, text: start)
    for _ in 0...(separator == nil ? found.rowsBefore : 0) { _ = beginning.next() }
    outline = CSVOutline(header, separator: chosen, text, &beginning)
    missed = Array(repeating: 0, count: names.count)
    self.text = text
    self.reading = reading
    self.isDayFirst = isDayFirst
    if header.knownCount == 0, !names.isEmpty {
      self.found = [.refused(line: 1, .noKnownColumn)]
      isRefused = true
      return
    }
    if let name = text.charsetName, reading.charset == nil {
      self.found.append(.problem(line: 1, .guessedCharset(name)))
    }
    let absent = header.absentColumns(of: reading.map)
    if !absent.isEmpty { self.found.append(.problem(line: 1, .absentColumns(absent))) }
  }

  /// The minimum size of the sample from which charset and separator are detected, in bytes, unless the file is
  /// smaller.
  private static var sample: Int { 1 << 18 }

  private static func declaredSeparator(of bytes: [UInt8]) -> (separator: UInt8, length: Int)? {
    guard bytes.count > 6, bytes.starts(with: "sep=".utf8), bytes[5] == 0x0A || bytes[5] == 0x0D else { return nil }
    return (bytes[4], bytes[5] == 0x0D && bytes[6] == 0x0A ? 7 : 6)
  }

  /// Appends what is in the next row. A header without a known column is refused.
  public mutating func next(_ events: inout [RecordEvent]) throws(Failure) -> Bool {
    events += found
    found = []
    if !isRefused, let row = try rows.next() {
      events += read(row)
      return true
    }
    let columns = zip(header.names, missed).filter { $0.1 > 0 }.map(RecordProblem.SkippedColumn.init)
    if !columns.isEmpty { events.append(.problem(line: 1, .notMapped(columns))) }
    for index in inferred.sorted() {
      guard let order = outline.columns[index].dateOrder else { continue }
      let problem = RecordProblem.inferredDateOrder(
        name: header.names[index], proof: order.proof, isDayFirst: order.isDayFirst)
      events.append(.problem(line: 1, problem))
    }
    inferred = []
    return false
  }

  private mutating func read(_ row: CSVRows<Failure>.Row) -> [RecordEvent] {
    var problems: [RecordProblem] = row.isUnclosed ? [.unclosedQuote] : []
    if row.isCut { problems.append(.tooLong(CSVRows<Failure>.limit)) }
    var record = CSVRecord(isDayFirst: isDayFirst ?? false)
    var unreadable = 0
    for (index, cell) in row.cells.prefix(header.columns.count).enumerated() where !cell.isEmpty {
      let decoded = text.text(of: cell)
      unreadable += decoded.replaced
      let value = inOrder(CSVFormula.bare(decoded.text), index)
      guard !value.trimmed.isEmpty else { continue }
      let name = header.names[index]
      guard let column = header.columns[index] else {
        missed[index] += 1
        continue
      }
      switch record.store(value, as: column, at: index) {
      case .stored: break
      case .noField: missed[index] += 1
      case .notADate: problems.append(.notADate(name: name, text: value))
      case .ambiguousDate:
        problems.append(.ambiguousDate(name: name, text: value, isDayFirst: isDayFirst ?? false))
      }
    }
    let further = row.cells.dropFirst(header.columns.count).count { !$0.isEmpty }
    if further > 0 { problems.append(.furtherValues(further)) }
    if unreadable > 0 { problems.append(.unreadableCharacters(unreadable)) }
    var result = ImportedRecord(line: row.line)
    let finished = record.finish(header.names)
    result.contact = finished.contact
    problems += finished.problems
    for index in finished.unused { missed[index] += 1 }
    return [.record(result)] + problems.map { .problem(line: row.line, $0) }
  }

  /// Returns a date that can be read in two ways as it is read in its column, and any other text as it is.
  private mutating func inOrder(_ text: String, _ index: Int) -> String {
    guard isDayFirst == nil, let order = outline.columns[index].dateOrder,
      let date = WrittenDate(text, isDayFirst: order.isDayFirst), date.isAmbiguous, let day = date.day
    else { return text }
    inferred.insert(index)
    return day.iso
  }
}
