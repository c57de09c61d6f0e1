import Testing

/// The manual page says what the help of the commands says.
@Suite struct ManualTests {
  /// Hyphenation would break names, and justification would spread lines of Chinese.
  @Test(arguments: [[], ["config"]]) func linesAreNeitherHyphenatedNorJustified(arguments: [String]) throws {
    let lines = try Program().run(["manual"] + arguments).output.split(separator: "\n")
    #expect(lines.first?.hasPrefix(".TH ") == true)
    #expect(lines.dropFirst().prefix(2) == [".nh", ".ad l"])
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
