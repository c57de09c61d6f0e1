import AddressBookModel
import ArgumentParser
import BookInterchange
import ContactInterchange
import Contacts

/// `addressbook import`: imports contacts from files, all in one transaction.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import", abstract: strings("Help/import"))

  @OptionGroup var book: BookOptions

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case vcard, csv, ldif, json, jcard, jscontact, abook, template

    var format: ImportFormat {
      switch self {
      case .vcard: .vCard
      case .csv: .csv
      case .ldif: .ldif
      case .json, .jscontact: .json
      case .jcard: .jCard
      case .abook: .abook
      case .template: .template
      }
    }
  }

  @Option(name: .long, help: help("importFormat"))
  var format: Format?

  @Option(name: .customLong("map"), parsing: .unconditionalSingleValue, help: help("map", valueName: "column=field"))
  var map: [String] = []

  @Option(name: .customLong("match"), help: help("match", valueName: "kinds"))
  var match: String?

  @Flag(name: .customLong("day-first"), help: help("dayFirst"))
  var isDayFirst = false

  @Option(name: .long, help: help("charset", valueName: "name"))
  var charset: String?

  @Flag(name: .customLong("dry-run"), help: help("dryRun"))
  var isDryRun = false

  @Flag(name: .customLong("keep-photo-metadata"), help: help("keepPhotoMetadata"))
  var keepsPhotoMetadata = false

  @Argument(help: help("importFiles", valueName: "file"), completion: .file())
  var files: [String]

  func validate() throws {
    try refuse("--map", if: !map.isEmpty, unless: [.csv])
    try refuse("--charset", if: charset != nil, unless: [.csv])
    try refuse("--day-first", if: isDayFirst, unless: [.csv, .ldif, .abook, .template])
    _ = try reading()
    _ = try matching()
  }

  /// Refuses an option with a format that has no use for it.
  private func refuse(_ option: String, if isGiven: Bool, unless formats: [Format]) throws {
    guard isGiven, let format, !formats.contains(format) else { return }
    throw ValidationError(strings("Misuse/formatOption", option, format.rawValue))
  }

  private func matching() throws -> Set<MatchKind> {
    let names = match.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    return Set(
      try names.map { name in
        guard let kind = MatchKind(rawValue: name) else { throw ValidationError(strings("Misuse/match", name)) }
        return kind
      })
  }

  private func reading() throws -> ImportReading {
    var reading = ImportReading()
    reading.format = format?.format
    reading.csv.map = try map.map(ColumnMapping.init).map(\.mapping)
    reading.isDayFirst = isDayFirst ? true : nil
    if let charset, !CSVReading.isKnown(charset: charset) { throw ValidationError(strings("Misuse/charset", charset)) }
    reading.csv.charset = charset
    return reading
  }

  func run() throws {
    Interruption.watch()
    let reading = try reading()
    let book = try isDryRun ? book.openForTrial() : book.openToChange()
    defer { book.close(isDryRun: isDryRun) }
    let progress = ProgressBar()
    let importer = Importer(book: book)
    importer.reading = reading
    importer.matching = try matching()
    importer.isDryRun = isDryRun
    importer.keepsPhotoMetadata = keepsPhotoMetadata
    importer.isCancelled = { Interruption.wasRequested }
    importer.onNotice = { notice in
      progress.clear()
      StandardError.line(notice.message(in: .shared))
    }
    importer.onProgress = { progress.show($0) }
    let output = StandardOutput()
    if isDryRun {
      importer.onChange = { change in
        progress.clear()
        for line in change.lines(in: .shared) { output.write(line + "\n") }
      }
    }
    let report: ImportReport
    do {
      report = try importer.run(files)
    } catch {
      progress.clear()
      for failure in importer.failures where failure != error as? ImportError {
        StandardError.say(failure.message(in: .shared))
      }
      throw error
    }
    progress.clear()
    try output.flush()
    for failure in importer.failures { StandardError.say(failure.message(in: .shared, isTolerated: true)) }
    if isDryRun { StandardError.line(strings("Import/dryRun")) }
    StandardError.line(strings("Import/result", report.imported, report.updated, report.skipped))
    if report.cards == 0 {
      throw CommandFailure(importer.failures.isEmpty ? .nothingFound : .failed, strings("Import/noCards"))
    }
    if report.imported + report.updated + report.unchanged == 0 {
      throw CommandFailure(.failed, strings("Import/allUnreadable"))
    }
    // After a small import, the next search updates the index by itself.
    if !isDryRun, report.imported + report.updated >= 1000 { try book.refreshSearchIndex() }
    if !importer.failures.isEmpty {
      throw CommandFailure(.incomplete, strings("Import/someFiles", count: importer.failures.count))
    }
  }
}

/// `--map`: which field a column of a CSV file belongs to, as `column=field`; without a field, the column is left out.
struct ColumnMapping {
  let mapping: CSVMapping

  /// Parses an option. The last `=` separates, because the name of a column may contain others.
  init(_ text: String) throws {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
      throw ValidationError(strings("Misuse/noMapping", text))
    }
    let field = String(text[text.index(after: equals)...])
    mapping = CSVMapping(
      column: String(text[..<equals]),
      slot: field.isEmpty ? nil : field == "groups" ? .groups : FieldSlot(try FieldPath(argument: field)))
  }
}
