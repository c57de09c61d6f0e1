import AddressBookTUI
import Foundation
import SharedMaterial
import Testing

/// The manual page says what the help of the commands says.
@Suite struct ManualTests {
  /// Hyphenation would break names, and justification would spread lines of Chinese.
  @Test(arguments: [[], ["config"]]) func linesAreNeitherHyphenatedNorJustified(arguments: [String]) throws {
    let lines = try Program().run(["manual"] + arguments).output.split(separator: "\n")
    #expect(lines.first?.hasPrefix(".TH ") == true)
    #expect(lines.dropFirst().prefix(2) == [".nh", ".ad l"])
  }

  /// Beside Chinese, groff 1.22 never ends with a word that is longer than the line and cannot be broken.
  @Test(
    arguments: ["command", "config"], [("C.UTF-8", 40), ("C.UTF-8", 80), ("zh_CN.UTF-8", 40), ("zh_CN.UTF-8", 80)])
  func everyPageIsRendered(page: String, terminal: (language: String, columns: Int)) throws {
    try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"))
    var program = try Program()
    program.environment["LANG"] = terminal.language
    let text = try program.run("manual", page).output
    let file = try program.file("page", text)
    // `man` adds the macros of the language, which forbid breaks before Chinese punctuation.
    let macros = terminal.language.hasPrefix("zh") ? ["-mzh"] : []
    let result = try CommandResult.run(
      "/usr/bin/timeout",
      [
        "10", "groff", "-mandoc", "-Tutf8", "-K", "utf8", "-rLL=\(terminal.columns)n", "-rLT=\(terminal.columns)n",
        "-P", "-c", "-P", "-b", "-P", "-u",
      ] + macros + [file], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    #expect(result.status == 0, "\(result.status) \(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count > 40)
    guard !terminal.language.hasPrefix("zh") else { return }
    // No word is longer than the line, except in examples, which are not filled.
    let examples = text.split(separator: "\n").filter { $0.contains("addressbook ") || $0.contains(" = ") }.count
    #expect(lines.count { PlainColumns.width(of: String($0)) > terminal.columns } <= examples, "\(result.output)")
  }

  /// Every long address may be broken.
  @Test func longAddressesHavePlacesToBreak() throws {
    for page in ["command", "config"] {
      for word in try Program().run("manual", page).output.split(whereSeparator: \.isWhitespace)
      where word.contains("://") && word.count > 24 { #expect(word.contains("\\:"), "\(word)") }
    }
  }

  @Test(arguments: [
    ("sync", "Each file in the folder is one contact"), ("account", "vdirsyncer must be installed"),
    ("folder", "The files of moved contacts follow at the next sync"),
  ])
  func theManualHasTheDiscussionOfACommand(command: String, text: String) throws {
    let program = try Program()
    let help = try program.run(command, "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains(text))
    let manual = try program.run("manual").output
    let section = try #require(manual.split(separator: ".SS ").first { $0.hasPrefix("\"\(command)") })
    #expect(section.contains(text))
  }
}
