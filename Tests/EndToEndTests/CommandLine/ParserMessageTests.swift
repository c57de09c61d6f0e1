import Foundation
import Testing

/// Command-line errors in the user's language. ArgumentParser itself has only English messages.
@Suite struct ParserMessageTests {
  /// A misuse of each kind, and its message in each language.
  private static let misuses: [(arguments: [String], english: String, chinese: String)] = [
    (["frobnicate"], "Unknown command “frobnicate”", "未知命令“frobnicate”"),
    (["stats", "it's"], "Unexpected argument “it's”", "无法识别的参数“it's”"),
    (["stats", "a", "b\u{1B}c"], "Unexpected arguments: “a”, “b␛c”", "无法识别的参数：“a”、“b␛c”"),
    (
      ["list", "--2 unexpected arguments: 'a'"], "Unknown option “--2 unexpected arguments: 'a'”",
      "未知选项“--2 unexpected arguments: 'a'”"
    ),
    (["stats", "-q"], "Unknown option “-q”", "未知选项“-q”"),
    (["list", "--formt"], "Unknown option “--formt”", "未知选项“--formt”"),
    (
      ["stats", "--formt", "x"], "Unknown option “--formt”; did you mean “--format”?",
      "未知选项“--formt”；是不是“--format”？"
    ),
    (
      ["demo", "--seed"], "The option “--seed <number>” needs a value", "选项“--seed <number>”缺少值"
    ),
    (
      ["list", "--null=3"], "The option “--null” does not take a value, but “3” was given",
      "选项“--null”不接受值，却给出了“3”"
    ),
    (["edit"], "Missing argument “<id> ...”", "缺少参数“<id> ...”"),
    (["merge"], "Missing argument “<id> ...”", "缺少参数“<id> ...”"),
    (
      ["demo", "--seed", "ten"], "“ten” is not a valid value for “--seed <number>”", "“ten”不是“--seed <number>”的有效值"
    ),
    (
      ["sync", "--prefer", "x' is invalid for 'y"],
      "“x' is invalid for 'y” is not a valid value for “--prefer <prefer>”; available: book, folder",
      "“x' is invalid for 'y”不是“--prefer <prefer>”的有效值；可用：book、folder"
    ),
    (
      ["completions", "tcsh"], "“tcsh” is not a valid value for “<shell>”; available: bash, zsh, fish",
      "“tcsh”不是“<shell>”的有效值；可用：bash、zsh、fish"
    ),
    (
      ["import", "--format", "xml", "a"],
      "“xml” is not a valid value for “--format <format>”; available: vcard, csv, ldif, json, jcard, jscontact, abook, template",
      "“xml”不是“--format <format>”的有效值；可用：vcard、csv、ldif、json、jcard、jscontact、abook、template"
    ),
    (
      ["--generate-completion-script=tcsh"], "There is no completion script for “tcsh”; available: zsh, bash, fish",
      "没有“tcsh”的补全脚本；可用：zsh、bash、fish"
    ),
    (
      ["--generate-completion-script"],
      "The shell could not be detected; use --generate-completion-script=<shell> with one of: zsh, bash, fish",
      "无法判断使用的是哪个 shell；请用 --generate-completion-script=<shell> 指定，可用：zsh、bash、fish"
    ),
    (
      ["demo", "--contacts", "0"], "The number of contacts must be between 1 and 2,000,000, not 0",
      "联系人数量必须在 1 到 2,000,000 之间，不能是 0"
    ),
    (["add", "--set", "family"], "“family” is not of the form field=value", "“family”不是“字段=值”的形式"),
    (
      ["edit", "1", "--set", "birthday=x"],
      "“x” is not a valid date; write 1811-11-26 or 26 Nov 1811, or without the year --11-26 or 26 Nov",
      "“x”不是有效的日期；请写作 1811-11-26 或 1811年11月26日，不带年份时写作 --11-26 或 11月26日"
    ),
  ]

  @Test(arguments: misuses.indices)
  func eachKindOfErrorIsInTheUsersLanguage(index: Int) throws {
    let misuse = Self.misuses[index]
    let command = misuse.arguments[0].hasPrefix("-") || index == 0 ? "" : misuse.arguments[0] + " "
    for (language, error, information) in [
      ("C.UTF-8", "Error: " + misuse.english, "  See “addressbook \(command)--help” for more information."),
      ("zh_CN.UTF-8", "错误：" + misuse.chinese, "  详细信息请用“addressbook \(command)--help”查看。"),
    ] {
      var program = try Program()
      program.environment = ["LC_ALL": language, "SHELL": "/bin/tcsh"]
      let result = try program.run(misuse.arguments)
      #expect(result.status == 2 && result.output.isEmpty)
      let lines = result.errors.split(separator: "\n").map(String.init)
      #expect(lines.first == error)
      #expect(lines.last == information)
    }
  }

  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var kind: String
      var names: [Name]?
    }
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Returns the arguments of each command with an unknown option, and with each option without its value.
    func misuses(_ path: [String] = []) -> [[String]] {
      let options = (arguments ?? []).filter { $0.kind == "option" }.compactMap {
        $0.names?.first { $0.kind == "long" }
      }
      return [path + ["--no-such-option"]] + options.map { path + ["--" + $0.name] }
        + (subcommands ?? []).flatMap { $0.misuses(path + [$0.commandName]) }
    }
  }

  private struct Dump: Decodable { var command: Command }

  @Test func noCommandReportsMisuseInEnglish() throws {
    var program = try Program()
    program.environment = ["LC_ALL": "zh_CN.UTF-8"]
    let dump = try program.run("--experimental-dump-help")
    let misuses = try JSONDecoder().decode(Dump.self, from: Data(dump.outputBytes)).command.misuses()
    #expect(misuses.count > 100)
    for arguments in misuses {
      let result = try program.run(arguments)
      #expect(result.status == 2 && result.output.isEmpty, "\(arguments)")
      let lines = result.errors.split(separator: "\n")
      let message = try #require(lines.first).replacing(/“[^”]*”/, with: "")
      #expect(message.hasPrefix("错误：") && !message.contains(/[A-Za-z]+ [a-z]/), "\(arguments): \(message)")
      // The command “help” has no help of its own.
      #expect(
        arguments[0] == "help" || lines.last?.hasPrefix("  详细信息请用“addressbook") == true,
        "\(arguments): \(result.errors)")
    }
  }
}
