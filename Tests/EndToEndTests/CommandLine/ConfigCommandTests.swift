import Foundation
import Testing

/// The settings in use, and what is wrong in their file.
@Suite struct ConfigCommandTests {
  private var program: Program
  private var file: String { program.folder.path + "/.config/addressbook/config.toml" }

  init() throws { program = try Program() }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: program.folder.path + "/.config/addressbook", withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// The value and the source of each setting, by name.
  private func settings(_ program: Program) throws -> [String: [String]] {
    let rows = try program.run("config", "--format", "tsv").lines.map { $0.components(separatedBy: "\t") }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0[1...])) })
  }

  @Test func withoutAFileTheDefaultsApply() throws {
    let result = try program.run("config")
    #expect(result.status == 0 && result.errors == "There is no file \(file); the defaults apply.\n")
    let found = try settings(program)
    #expect(found["theme"] == ["\"terminal\"", "default"] && found["backups"] == ["7", "default"])
    #expect(found["copy"] == ["", "default"] && found["open"] == ["[\"xdg-open\", \"{}\"]", "default"])
    #expect(found["language"] == ["\"en\"", "LANG"])
    #expect(found.count == result.lines.count - 1)
    let check = try program.run("config", "--check")
    #expect(check.status == 1 && check.output.isEmpty && check.errors.contains("There is no file"))
  }

  /// A release has only a part of ICU's data: the orders and the index letters of all locales must be in it.
  @Test(arguments: [
    "sv", "de-u-co-phonebk", "es-u-co-trad", "zh-u-co-stroke", "zh-u-co-zhuyin", "ja", "ko", "ar", "th", "vi", "zu",
  ])
  func ordersOfLocales(locale: String) throws {
    try write("sections = \"\(locale)\"\n")
    let result = try program.run("config", "--check")
    #expect(result.status == 0, "\(result.output)")
    try write("sections = \"\(locale)-u-co-nosuch\"\n")
    #expect(try program.run("config", "--check").status == 2)
  }

  @Test func eachSettingSaysWhereItComesFrom() throws {
    try write(
      "theme = \"dark\"\nmouse = false\nbackups = 1000\n[search]\nt9 = true\n[keys]\nquit = \"Q\"\nfly = [\"x\"]\n")
    let result = try program.run("config")
    #expect(result.status == 0 && result.errors.hasPrefix("The settings are in \(file).\n"))
    #expect(result.errors.contains("2 problems in the settings; “addressbook config --check” lists them"))
    var found = try settings(program)
    #expect(found["theme"] == ["\"dark\"", "line 1"] && found["mouse"] == ["false", "line 2"])
    #expect(found["backups"] == ["7", "default"], "what is wrong is not used")
    #expect(found["search.t9"] == ["true", "line 5"] && found["keys.quit"] == ["[\"Q\"]", "line 7"])
    #expect(found["keys.fly"] == nil)
    var program = program
    program.environment = ["NO_COLOR": "1", "LC_ALL": "zh_CN.UTF-8"]
    found = try settings(program)
    #expect(found["theme"] == ["\"monochrome\"", "NO_COLOR"] && found["language"] == ["\"zh-Hans\"", "LC_ALL"])
    #expect(found["mouse"] == ["false", "第 2 行"])
    let json = try #require(
      program.json(program.run("config", "--format", "json").outputBytes) as? [[String: Any]])
    let t9 = try #require(json.first { $0["setting"] as? String == "search.t9" })
    #expect(t9["value"] as? Bool == true && t9["source"] as? String == "file" && t9["line"] as? Int == 5)
    #expect(json.first { $0["setting"] as? String == "copy" }?["value"] is NSNull)
  }

  @Test func aCheckListsWhatCannotBeUsed() throws {
    try write("theme = \"purple\"\nthis is not TOML\nbackups = 1000\nopen = []\n")
    let check = try program.run("config", "--check")
    #expect(check.status == 2 && check.errors == "addressbook: 4 problems in the settings\n")
    let lines = check.lines.map { String($0.dropFirst(file.count)) }
    #expect(
      lines == [
        ":1: theme cannot be “purple”; available: dark, light, contrast, monochrome, terminal",
        ":2: this line could not be read and was skipped", ":3: backups must be a number from 0 to 366",
        ":4: open takes a program and its arguments, such as [\"firefox\", \"{}\"]",
      ])
    let jsonl = try program.run("config", "--check", "--format", "jsonl")
    #expect(jsonl.status == 2 && jsonl.lines.count == 4 && jsonl.lines[2].hasPrefix("{\"line\": 3, \"message\": "))
    try write("theme = \"dark\"\n")
    let good = try program.run("config", "--check")
    #expect(good.status == 0 && good.output.isEmpty && good.errors == "Every line of \(file) can be used.\n")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    let folder = try program.run("config", "--check")
    #expect(folder.status == 2 && folder.output.hasPrefix("\(file): the file cannot be read"))
  }
}
