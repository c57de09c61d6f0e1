import AddressBookModel
import BookInterchange
import Foundation
import LDAPDirectory
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The meaning of a configuration file, and the messages about its invalid lines.
@MainActor
struct ConfigurationTests {
  private func labels(_ command: Command, _ reader: ConfigurationReader) -> [String] {
    reader.configuration.keys.bindings.first { $0.action == command }?.sequences.map(\.notation) ?? []
  }

  @Test func anEmptyFileChangesNothing() {
    for text in ["", "\n\n", "# a comment\n", "[keys]\n"] {
      let reader = ConfigurationReader(text)
      #expect(values(reader.configuration) == values(Configuration()), "\(text.debugDescription)")
      #expect(reader.issues.isEmpty, "\(text.debugDescription)")
    }
  }

  @Test func theExampleOfTheManualHasEverySetting() {
    let parser = ConfigurationParser(Setting.exampleFile)
    #expect(parser.brokenLines.isEmpty)
    let names = Set(parser.settings.map(\.path))
    // TOML has no value beside a table of the same name.
    for setting in Setting.all where setting.name != "open" { #expect(names.contains(setting.name), "\(setting.name)") }
    #expect(ConfigurationReader(Setting.exampleFile).issues.isEmpty)
  }

  @Test(arguments: Language.allCases) func everySettingIsDescribed(language: Language) {
    let strings = Localization(language: language)
    for setting in Setting.all { #expect(strings.has("Setting/" + setting.name, table: "Command"), "\(setting.name)") }
  }

  /// A default is that of the program: to write it into the file changes nothing.
  @Test func theDefaultsOfTheTableAreThoseOfTheProgram() {
    for setting in Setting.all {
      guard let standard = setting.standard else { continue }
      let reader = ConfigurationReader("\(setting.name) = \(standard.notation)\n")
      #expect(reader.issues == [] && reader.accepted[setting.name]?.value == standard, "\(setting.name)")
      if !["columns", "open"].contains(setting.name) {
        #expect(values(reader.configuration) == values(Configuration()), "\(setting.name)")
      }
    }
  }

  /// Every setting takes effect: its example changes something, unless it is the default.
  @Test func everyExampleIsRead() {
    for setting in Setting.all {
      let reader = ConfigurationReader("\(setting.name) = \(setting.example.notation)\n")
      #expect(reader.issues == [] && reader.accepted[setting.name]?.value == setting.example, "\(setting.name)")
      // Every command reads the user's own fields before all else.
      if setting.name == "custom" { continue }
      let isUnchanged = values(reader.configuration) == values(Configuration())
      #expect(isUnchanged == (setting.example == setting.standard), "\(setting.name)")
    }
  }

  /// The table of Documentation/Configuration.md; `UPDATE_GOLDENS=1` writes it.
  @Test func theDocumentsAreMadeFromTheTable() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/Configuration.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let strings = Localization(language: .english)
    func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "" }
    let rows = Setting.all.map { setting in
      let values =
        if case .names(let names) = setting.kind { names.map(code).joined(separator: " ") } else {
          setting.values(in: strings)
        }
      let text = strings.text("Setting/" + setting.name, table: "Command")
      return "| \(code(setting.name)) | \(values) | \(code(setting.standardText)) | \(text) |"
    }
    let lines = text.components(separatedBy: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("| `language`") })
    let end = try #require(lines.firstIndex { $0.hasPrefix("| `keys.`") })
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      let updated = lines[..<first] + rows + lines[end...]
      try updated.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(Array(lines[first..<end]) == rows)
    }
  }

  /// The values of a configuration other than the keys.
  private func values(_ configuration: Configuration) -> [String] {
    Mirror(reflecting: configuration).children.filter { $0.label != "keys" }
      .map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test func directoriesAreRead() {
    let reader = ConfigurationReader(
      """
      directories = ["ldap://a.example.com/dc=example", "nonsense", "ldaps://b.example.com"]
      directory_password = ["pass", "show", "{}"]
      """)
    #expect(reader.configuration.directories.map(\.host) == ["a.example.com", "b.example.com"])
    #expect(reader.configuration.directoryPassword?.words == ["pass", "show", "{}"])
    #expect(reader.issues == [ConfigurationIssue(line: 1, reason: .directories, arguments: ["nonsense"])])
    let wrong = ConfigurationReader("directories = 1\ndirectory_password = []\n")
    #expect(wrong.issues.map(\.reason) == [.directories, .program])
  }

  @Test func everySettingTakesEffect() throws {
    let text = """
      language = "zh-Hans"
      theme = "contrast"
      pictures = "symbols"
      links = "off"
      ambiguous_width = "wide"
      sections = "scripts"
      mouse = false
      sort = "birthday"
      columns = ["name", "created"]
      backups = 3
      trash_days = 5
      open = ["firefox", "{}"]
      copy = ["wl-copy"]
      directories = ["ldap://a.example.com"]
      directory_password = ["pass", "{}"]
      [search]
      fuzzy = true
      t9 = true
      [names]
      latin = "family-first"
      han = "given-first"
      kana = "given-first"
      hangul = "given-first"
      [keys]
      moveDown = ["n", "Down"]
      quit = "Q"
      "form.save" = ["F2"]
      form.label = ["F3"]
      """
    let reader = ConfigurationReader(text)
    #expect(reader.issues == [])
    var expected = Configuration()
    expected.language = .simplifiedChinese
    expected.theme = .contrast
    expected.pictures = .symbols
    expected.links = .off
    expected.ambiguousWidth = .wide
    expected.sections = .scripts
    expected.usesMouse = false
    expected.order = .birthday
    expected.columns = [.name, .created]
    expected.backups = 3
    expected.trashDays = 5
    expected.openCommand = ["firefox", "{}"]
    expected.copyCommand = ["wl-copy"]
    expected.directories = [try DirectoryURL("ldap://a.example.com")]
    expected.directoryPassword = PasswordProgram(words: ["pass", "{}"])
    expected.searchesFuzzily = true
    expected.searchesByPhoneKeys = true
    expected.names.latin = .family
    expected.names.han = .given
    expected.names.kana = .given
    expected.names.hangul = .given
    #expect(values(reader.configuration) == values(expected))
    #expect(labels(.moveDown, reader) == ["n", "Down"])
    #expect(labels(.quit, reader) == ["Q"])
    #expect(labels(.formSave, reader) == ["F2"])
    #expect(labels(.formLabel, reader) == ["F3"])
    #expect(labels(.moveUp, reader) == ["k", "Up", "^P"])
  }

  @Test func badLinesAreReportedAndTheRestApplies() {
    let reader = ConfigurationReader(
      """
      theme = "purple"
      this is not TOML
      mouse = 3
      color = "red"

      [keys]
      moveDown = ["n"]
      flyAway = ["F5"]
      moveUp = 7
      delete = ["Hyper-x", "x"]
      "form.save" = ["s"]
      first = ["="
      last = ["Z"]
      """)
    let found = reader.issues.map { "\($0.line) \($0.reason)" }
    #expect(
      found == [
        "1 choice", "2 syntax", "3 boolean", "4 unknown", "8 command", "9 keyList", "10 key", "11 typed", "12 syntax",
      ])
    #expect(reader.configuration.theme == .terminal)
    #expect(reader.configuration.usesMouse)
    #expect(labels(.moveDown, reader) == ["n"])
    #expect(labels(.delete, reader) == ["x"])
    #expect(labels(.formSave, reader) == ["^S"])
    #expect(labels(.last, reader) == ["Z"])
  }

  @Test(arguments: ["\"regis\"", "\"\"", "true", "7", "[\"kitty\"]"])
  func anUnknownValueOfPicturesIsReported(value: String) {
    let reader = ConfigurationReader("mouse = false\npictures = \(value)\n")
    #expect(reader.issues.map { "\($0.line) \($0.reason)" } == ["2 choice"])
    #expect(reader.issues.first?.values == ["auto", "kitty", "sixel", "iterm", "symbols", "off"])
    #expect(reader.configuration.pictures == .auto)
    #expect(!reader.configuration.usesMouse)
  }

  @Test func theListIsConfigured() {
    let reader = ConfigurationReader(
      """
      sort = "birthday"
      columns = ["name", "phone[work]", "address.city", "name"]
      [names]
      latin = "family-first"
      han = "given-first"
      kana = "given-first"
      hangul = "given-first"
      """)
    #expect(reader.issues == [])
    #expect(reader.configuration.order == .birthday)
    #expect(reader.configuration.columns == ["name", "phone[work]", "address.city"].compactMap(ContactColumn.init))
    #expect(reader.configuration.names.latin == .family && reader.configuration.names.han == .given)
    #expect(reader.configuration.names.kana == .given && reader.configuration.names.hangul == .given)
  }

  @Test func whatTheListCannotDoIsReported() {
    let reader = ConfigurationReader(
      """
      sort = "age"
      columns = ["name", "shoe size", "title"]
      names = 3
      [names]
      latin = "first"
      greek = "given-first"
      """)
    #expect(
      reader.issues == [
        ConfigurationIssue(
          line: 1, reason: .choice, arguments: ["sort", "age"],
          values: ["name", "organization", "added", "changed", "birthday", "contacted"]),
        ConfigurationIssue(line: 2, reason: .columnOfList, arguments: ["shoe size"]),
        ConfigurationIssue(line: 3, reason: .table, arguments: ["names"]),
        ConfigurationIssue(
          line: 5, reason: .choice, arguments: ["names.latin", "first"], values: ["given-first", "family-first"]),
        ConfigurationIssue(line: 6, reason: .unknown, arguments: ["names.greek"]),
      ])
    #expect(reader.configuration.columns == ["name", "title"].compactMap(ContactColumn.init))
    #expect(ConfigurationReader("columns = [\"phone\"]").issues.map(\.reason) == [.columnsOfName])
    for text in ["columns = \"name\"", "columns = [1]", "columns = true"] {
      #expect(ConfigurationReader(text).issues.map(\.reason) == [.columns], "\(text)")
    }
    for language in Language.allCases {
      let strings = Strings(Localization(language: language))
      for issue in reader.issues { #expect(!issue.text(strings).contains("%"), "\(issue)") }
    }
  }

  @Test(arguments: ["true", "\"always\"", "0"])
  func anUnknownValueOfLinksIsReported(value: String) {
    let reader = ConfigurationReader("links = \(value)\n")
    #expect(reader.issues.map { "\($0.line) \($0.reason)" } == ["1 choice"])
    #expect(reader.issues.first?.values == ["auto", "on", "off"])
    #expect(reader.configuration.links == .auto)
    #expect(LinkSetting.allCases.map(\.links) == [.automatic, .always, .never])
    #expect(AmbiguousWidthSetting.allCases.map(\.option) == [.automatic, .narrow, .wide])
  }

  @Test(arguments: Language.allCases)
  func theMessageNamesTheValueAndTheChoices(language: Language) throws {
    let issue = try #require(ConfigurationReader("pictures = \"regis\"").issues.first)
    let text = issue.text(Strings(Localization(language: language)))
    let list = language == .english ? "auto, kitty, sixel, iterm, symbols, off" : "auto、kitty、sixel、iterm、symbols、off"
    #expect(text.contains("regis") && text.contains(list), "\(text)")
  }

  @Test func eachPictureSettingSelectsItsProtocol() {
    #expect(
      PictureSetting.allCases.map(\.images)
        == [.automatic, .always(.kitty), .always(.sixel), .always(.iterm), .never, .never])
  }

  @Test func customKeysOverrideDefaultsAndTheFirstOfTwoWins() {
    let reader = ConfigurationReader("[keys]\nmoveDown = [\"d\"]\nmoveUp = [\"d\", \"U\"]\nopen = [\"g\"]\n")
    #expect(reader.issues == [ConfigurationIssue(line: 3, reason: .taken, arguments: ["d", "moveDown"])])
    #expect(labels(.moveDown, reader) == ["d"])
    #expect(labels(.delete, reader) == ["Del"])
    #expect(labels(.moveUp, reader) == ["U"])
    // `g` alone would hide `g g`.
    #expect(labels(.first, reader) == ["Home"])
    #expect(reader.configuration.keys.conflicts.isEmpty)
  }

  @Test func everyDefaultKeyCanBeConfigured() {
    let table = KeyTable.standard
    // Each alone, and all of them together.
    let lines = Command.allCases.map { command in
      let sequences = table.bindings.filter { $0.action == command }.flatMap(\.sequences)
      let keys = sequences.map { "\"" + $0.notation.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
      return "\"\(command.rawValue)\" = [" + keys.joined(separator: ", ") + "]\n"
    }
    for text in lines + [lines.joined()] {
      let reader = ConfigurationReader("[keys]\n" + text)
      #expect(reader.issues == [], "\(text)")
      #expect(reader.configuration.keys.bindings.map(\.sequences) == table.bindings.map(\.sequences), "\(text)")
    }
  }

  @Test func aPrintableKeyWorksOutsideTextInput() {
    let reader = ConfigurationReader(
      """
      [keys]
      help = ["H"]
      redraw = ["r", "F5"]
      "prompt.accept" = ["z"]
      """)
    #expect(reader.issues == [ConfigurationIssue(line: 4, reason: .typed, arguments: ["z"])])
    let keys = reader.configuration.keys
    #expect(keys.sequence(for: .help, in: .list)?.notation == "H")
    #expect(keys.sequence(for: .help, in: .form) == nil)
    #expect(keys.sequence(for: .redraw, in: .form)?.notation == "F5")
  }

  @Test func aMalformedTableIsReportedOnce() {
    let cases = [
      ("[colors]\nred = 1\ngreen = 2\n[keys]\nfly = 'x'\n", ["2 unknownTable", "6 command"]),
      ("[keys\nmoveDown = ['n']\nnonsense\n[search]\nt9 = 1\n", ["2 syntax", "6 boolean"]),
      ("[[keys]]\nmoveDown = ['n']\n", ["2 syntax"]), ("[keys.fly]\nx = ['n']\n", ["2 unknownTable"]),
      ("[theme]\nname = 'dark'\n", ["2 unknownTable"]), ("[]\n[.]\n[keys] x\n", ["2 syntax", "3 syntax", "4 syntax"]),
      ("keys = 5\nsearch = true\nkeys.form = 1\n", ["2 table", "3 table", "4 table"]),
      ("theme = 'dark'\ntheme = 'light'\n", ["3 duplicate"]),
    ]
    for (text, expected) in cases {
      let reader = ConfigurationReader("mouse = false\n" + text)
      #expect(reader.issues.map { "\($0.line) \($0.reason)" } == expected, "\(text)")
      #expect(!reader.configuration.usesMouse, "\(text)")
      #expect(labels(.moveDown, reader) == ["j", "Down", "^N"], "\(text)")
    }
  }

  @Test func unknownSectionsAreReported() {
    let reader = ConfigurationReader("sections = \"cyrillic\"\n")
    #expect(
      reader.issues == [
        ConfigurationIssue(
          line: 1, reason: .choice, arguments: ["sections", "cyrillic"],
          values: ["latin", "scripts", "cs", "da", "es", "sv", "zh-u-co-zhuyin", "zh-u-co-stroke", "…"])
      ])
    #expect(reader.configuration.sections == .latin)
    let english = reader.issues[0].text(Strings(Localization(language: .english)))
    #expect(english.contains("sections cannot be “cyrillic”; available: latin, scripts"))
    let chinese = reader.issues[0].text(Strings(Localization(language: .simplifiedChinese)))
    #expect(chinese.contains("sections 不能设为“cyrillic”；可用：latin、scripts"))
  }

  @Test func aListMaySpanSeveralLines() {
    let reader = ConfigurationReader("[keys]\r\nmoveDown = [\r\n  \"n\", # next\r\n  'Down',\r\n]\r\nmoveUp = [\r\n")
    #expect(labels(.moveDown, reader) == ["n", "Down"])
    #expect(reader.issues == [ConfigurationIssue(line: 6, reason: .syntax)])
  }

  /// A string is split at blanks, except between quotation marks; nothing else has a meaning.
  @Test(arguments: [
    ("'mutt {}'", ["mutt", "{}"]), ("' mutt\t -s  x '", ["mutt", "-s", "x"]),
    ("'\"my program\" --to=\"a b\"c {}'", ["my program", "--to=a bc", "{}"]),
    ("\"a 'b \\\"' ''\"", ["a", "b \"", ""]), ("'a $HOME \\ | `id` *'", ["a", "$HOME", "\\", "|", "`id`", "*"]),
    ("[\"a b\", 'c \"d']", ["a b", "c \"d"]),
  ])
  func aProgramIsSplitIntoWords(text: String, words: [String]) {
    let reader = ConfigurationReader("copy = \(text)")
    #expect(reader.issues == [] && reader.configuration.copyCommand == words)
  }

  @Test func eachKindOfLinkCanHaveAProgram() {
    let reader = ConfigurationReader(
      "open.mail = \"mutt {}\"\n[open]\nweb = ['w3m']\ntel = 'linphone'\nmap = 'marble {}'\nterminal = ['mail', 'web']\n"
    )
    #expect(reader.issues == [])
    #expect(
      reader.configuration.openCommands == [
        .mail: ["mutt", "{}"], .web: ["w3m"], .tel: ["linphone"], .map: ["marble", "{}"],
      ])
    #expect(reader.configuration.openInTerminal == [.mail, .web])
    let wrong = ConfigurationReader("[open]\nterminal = ['fax']\nmail = \"mutt '\"\nfax = 'x'\n")
    #expect(wrong.issues.map(\.reason) == [.choice, .program, .unknown] && wrong.issues.map(\.line) == [2, 3, 4])
  }

  @Test func openTakesAListOrAName() {
    for (text, command) in [
      ("open = [\"firefox\", \"--new-tab\", \"{}\"]", ["firefox", "--new-tab", "{}"]), ("open = 'w3m'", ["w3m"]),
      ("open = [\"sh\", \"-c\", \"echo {}\"]", ["sh", "-c", "echo {}"]),
    ] {
      let reader = ConfigurationReader(text)
      #expect(reader.issues == [] && reader.configuration.openCommand == command, "\(text)")
    }
    for text in ["open = []", "open = true", "open = \"\"", "open = [\"{}\"]", "open = [\"a\", 3]", "open = ['', 'a']"]
    {
      let reader = ConfigurationReader("mouse = true\n" + text)
      #expect(
        reader.issues == [ConfigurationIssue(line: 2, reason: .program, arguments: ["open", "[\"firefox\", \"{}\"]"])],
        "\(text)")
      #expect(reader.configuration.openCommand == nil)
    }
  }

  @Test func copyTakesAListOrAName() {
    for (text, command) in [
      ("copy = \"wl-copy\"", ["wl-copy"]),
      ("copy = [\"xclip\", \"-selection\", \"clipboard\"]", ["xclip", "-selection", "clipboard"]),
    ] {
      let reader = ConfigurationReader(text)
      #expect(reader.issues == [] && reader.configuration.copyCommand == command)
    }
    for text in ["copy = []", "copy = \"\"", "copy = 5", "copy = [\"a\", 5]"] {
      let reader = ConfigurationReader(text)
      #expect(
        reader.issues == [ConfigurationIssue(line: 1, reason: .program, arguments: ["copy", "[\"wl-copy\"]"])],
        "\(text)")
      #expect(reader.configuration.copyCommand == nil)
    }
  }

  @Test func noTextCrashesTheParser() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces = [
      "theme", "=", "[", "]", "\"", "'", "keys", ".", "\n", "moveDown", "true", "{", "}", ",", "#", "\u{0}", "\u{1b}",
      "é",
      "\"\"\"", "[.", "= [}", "a = _", "b = +", "1979-05-27", " ", "[[", "]]", "\\u", "dark",
    ]
    for _ in 0..<3000 {
      let text = (0..<next(40)).map { _ in pieces[next(pieces.count)] }.joined()
      let reader = ConfigurationReader(text)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(reader.issues.allSatisfy { (0...lines).contains($0.line) }, "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test func aMissingFileIsIgnoredButAFolderIsReported() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(ConfigurationFile.read(in: nil).issues.isEmpty)
    #expect(ConfigurationFile.read(in: folder.path).issues.isEmpty)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("config.toml"), withIntermediateDirectories: true)
    #expect(ConfigurationFile.read(in: folder.path).issues.map(\.reason) == [.unreadable])
  }

  @Test(arguments: [Language.english, .simplifiedChinese])
  func theStatusLineCountsTheProblemsAndSaysWhereToReadThem(language: Language) throws {
    let harness = try ScreenHarness(language: language, ScreenPeople.few)
    harness.browser.parts.status.show(ConfigurationReader("\nmouse = 1\ntheme = 2\nlinks = 3\nsort = 4\n").issues)
    let bottom = harness.screen.split(separator: "\n").last.map(String.init) ?? ""
    let expected =
      language == .english
      ? "4 problems; “addressbook config --check” lists them"
      : "4 处问题；可用“addressbook config --check”查看"
    #expect(bottom.contains(expected), "\(bottom)")
    harness.press("j")
    #expect(!harness.screen.contains("config.toml"))
  }

  @Test(arguments: Theme.Name.allCases)
  func everyThemeIsUsableWithoutColor(name: Theme.Name) {
    for colors in [0, 8, 16, 256] {
      let theme = Theme.named(name, colors: colors)
      if colors == 0 { #expect(theme == .monochrome) }
      if colors == 16, name == .contrast { #expect(theme == .contrast) }
      #expect(theme.selection != theme.text)
      #expect(!theme.match.attributes.isDisjoint(with: [.bold, .underline]))
      #expect(!theme.error.attributes.isEmpty)
      #expect(theme.focusedField != theme.field)
    }
  }
}
