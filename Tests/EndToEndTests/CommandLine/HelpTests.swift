import Foundation
import Testing

/// The help of the program and of its commands.
@Suite struct HelpTests {
  private var program: Program

  init() throws { program = try Program() }

  private static let commands = [
    [], ["list"], ["import"], ["sync"], ["account"], ["account", "add"], ["undo"], ["backup"], ["group", "smart"],
    ["trash"], ["completions"],
  ]

  /// An ideograph takes two columns.
  private func width(_ line: Substring) -> Int { line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) } }

  @Test(arguments: ["C.UTF-8", "zh_CN.UTF-8"], ["48", "72"]) func everyLineFits(language: String, columns: String)
    throws
  {
    var program = program
    program.environment = ["LC_ALL": language, "COLUMNS": columns]
    for command in Self.commands {
      let help = try program.run(command + ["--help"])
      #expect(help.status == 0 && help.errors.isEmpty)
      let misuse = try program.run(command + ["--no-such-option"])
      #expect(misuse.status == 2 && misuse.output.isEmpty)
      for line in help.output.split(separator: "\n") + misuse.errors.split(separator: "\n").dropFirst().dropLast()
      where !line.hasPrefix("    addressbook ") { #expect(width(line) <= Int(columns) ?? 0, "\(command): \(line)") }
      // Nothing of the parser's own help is left.
      if language.hasPrefix("zh") {
        for word in ["Show ", "OVERVIEW", "USAGE", "(values", "default"] {
          #expect(!help.output.contains(word), "\(command): \(word)")
        }
      }
    }
  }

  @Test func theProgramShowsExamplesThenItsCommandsInGroups() throws {
    let help = try program.run("--help").output
    let headings = help.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(
      headings == [
        "EXAMPLES:", "CONTACTS:", "HISTORY:", "IMPORT, EXPORT AND SYNC:", "FOR OTHER PROGRAMS:", "BOOK AND SETTINGS:",
        "OPTIONS:",
      ])
    let examples = help.split(separator: "EXAMPLES:")[1].split(separator: "USAGE:")[0]
    #expect(examples.split(separator: "\n").count { $0.hasSuffix(":") } == 3)
    // Each command is in one group.
    struct Dump: Decodable {
      struct Command: Decodable {
        var commandName: String
        var shouldDisplay: Bool
        var subcommands: [Command]?
      }
      var command: Command
    }
    let dump = try JSONDecoder().decode(Dump.self, from: Data(program.run("--experimental-dump-help").outputBytes))
    for command in dump.command.subcommands ?? [] where command.commandName != "help" {
      let count = help.split(separator: "\n").count { $0.hasPrefix("  \(command.commandName) ") }
      #expect(count == (command.shouldDisplay ? 1 : 0), "\(command.commandName)")
    }
  }

  @Test func theOptionsOfACommandComeBeforeTheCommonOnes() throws {
    for command in Self.commands.dropFirst() where command != ["completions"] {
      let help = try program.run(command + ["--help"]).output
      let parts = help.split(separator: "COMMON OPTIONS:")
      try #require(parts.count == 2, "\(command)")
      let isGroup = ["trash", "account"].contains(command.joined(separator: " "))
      for option in (isGroup ? [] : ["--book", "--sql-trace"]) + ["--version", "-h, --help"] {
        #expect(!parts[0].contains("\n  " + option) && parts[1].contains("\n  " + option), "\(command) \(option)")
      }
      #expect(help.contains("USAGE: addressbook " + command.joined(separator: " ")))
    }
    let undo = try program.run("undo", "--help").output
    #expect(undo.contains("USAGE: addressbook undo [--format <format>] [--force] [--keep-theirs] [<step>]\n"))
    #expect(!undo.contains("--list"), "the old spelling is not shown")
  }

  @Test func furtherLinesOfADescriptionAreBelowItsFirst() throws {
    var program = program
    program.environment = ["LC_ALL": "zh_CN.UTF-8", "COLUMNS": "50"]
    let help = try program.run("help", "trash").output
    let indent = String(repeating: " ", count: 26)
    #expect(help.contains("  list（默认）            列出已删除的联系人，最近\n\(indent)删除的在前。\n"), "\(help)")
    #expect(help.contains("（可选值：table") == false && help.contains("“addressbook trash <命令> --help”"))
    program.environment["COLUMNS"] = "200"
    #expect(try program.run("list", "--help").output.contains("（可选值：table, tsv, json, jsonl）"))
  }

  @Test(arguments: [
    (["lst"], "lst", "list"), (["--book", "x", "lsit"], "lsit", "list"), (["exprot", "a", "b"], "exprot", "export"),
    (["lst", "--help"], "lst", "list"), (["help", "lst"], "lst", "list"), (["trash", "lst"], "lst", "list"),
    (["account", "ad", "https://dav.example.org"], "ad", "add"), (["search", "ada"], "search", "list"),
  ])
  func anUnknownCommandSaysTheNearest(arguments: [String], word: String, nearest: String) throws {
    let result = try program.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors.hasPrefix("Error: Unknown command “\(word)”; did you mean “\(nearest)”?\n"), "\(result.errors)")
  }

  @Test func whatIsNotLikeACommandIsAnArgumentOfTheDefault() throws {
    try program.run("add", "--set", "name=Ann")
    #expect(try program.run("xyzzy").errors.hasPrefix("Error: Unknown command “xyzzy”\n"))
    #expect(try program.run("group", "nobody").errors.split(separator: "\n").count == 1)
    #expect(try program.run("group", "lst").errors.hasSuffix("Unknown command “lst”; did you mean “list”?\n"))
    #expect(try program.run("group", "nobody").status == 1 && program.run("group", "lst").status == 1)
    #expect(try program.run("undo", "x").errors.contains("“x” is not a valid value for “<step>”"))
  }
}
