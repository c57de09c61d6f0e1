import AddressBookModel
import AddressBookTUI
import ArgumentParser

/// `addressbook config`: the settings in use, and what is wrong in their file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "config", abstract: strings("Help/config"))

  @Flag(name: .customLong("check"), help: help("configCheck"))
  var checks = false

  @Option(name: .long, help: help("listFormats"))
  var format: ListFormat = .table

  func run() throws {
    let report = SettingsReport(localization: .shared)
    if checks { return try check(report) }
    StandardError.line(Self.place(of: report))
    let listing = Listing<SettingsReport.Item>(
      columns: [Column("setting", 24), Column("value", 60), Column("source", 40)],
      rows: { [[$0.name, $0.value ?? "", Self.text(of: $0.source)]] }, json: Self.json)
    try listing.print(format, report.items, empty: "")
    if !report.issues.isEmpty { StandardError.say(strings("Config/wrong", count: report.issues.count)) }
  }

  private func check(_ report: SettingsReport) throws {
    guard let path = report.path, report.exists else { throw CommandFailure(.nothingFound, Self.place(of: report)) }
    guard !report.issues.isEmpty else { return StandardError.line(strings("Config/valid", path)) }
    let listing = Listing<SettingsReport.Issue>(
      columns: [], rows: { [[String($0.line), $0.message]] },
      lines: { [$0.line == 0 ? "\(path): \($0.message)" : "\(path):\($0.line): \($0.message)"] },
      json: { .object([("line", .number($0.line)), ("message", .text($0.message))]) })
    try listing.print(format, report.issues, empty: "")
    throw CommandFailure(.misuse, strings("Config/found", count: report.issues.count))
  }

  private static func place(of report: SettingsReport) -> String {
    guard let path = report.path else { return strings("Config/noHome") }
    return strings(report.exists ? "Config/file" : "Config/noFile", path)
  }

  private static func text(of source: SettingsReport.Source) -> String {
    switch source {
    case .standard: strings("Config/default")
    case .file(let line): strings("Config/line", line)
    case .variable(let name): name
    }
  }

  private static func json(_ item: SettingsReport.Item) -> JSON {
    let source: [(String, JSON)] =
      switch item.source {
      case .standard: [("source", .text("default"))]
      case .file(let line): [("source", .text("file")), ("line", .number(line))]
      case .variable(let name): [("source", .text("environment")), ("variable", .text(name))]
      }
    return .object([("setting", .text(item.name)), ("value", item.value.map(JSON.encoded) ?? .null)] + source)
  }
}

/// `addressbook completions`: prints a shell's completion script, generated from the commands.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "completions", abstract: strings("Help/completions"))

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash
    case zsh
    case fish
  }

  @Argument(help: help("shell", valueName: "shell"))
  var shell: Shell

  func run() throws {
    let output = StandardOutput()
    let script: String
    switch shell {
    case .bash: script = AddressBookCommand.completionScript(for: .bash)
    case .zsh: script = AddressBookCommand.completionScript(for: .zsh)
    case .fish: script = AddressBookCommand.completionScript(for: .fish)
    }
    output.line(script)
    try output.flush()
  }
}

/// `addressbook manual`: prints a manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: strings("Help/manual"), shouldDisplay: false)

  enum Page: String, ExpressibleByArgument, CaseIterable {
    /// addressbook(1).
    case command
    /// addressbook-config(5).
    case config
  }

  @Argument(help: help("manual.page", valueName: "page"))
  var page: Page = .command

  func run() throws {
    let output = StandardOutput()
    switch page {
    case .command: output.write(ManualPage(tree: try .ofProgram(), keys: KeyReference(localization: .shared)).text)
    case .config: output.write(ManualPage.ofSettings)
    }
    try output.flush()
  }
}
