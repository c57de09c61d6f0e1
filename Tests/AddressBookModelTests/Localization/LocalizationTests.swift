import Contacts
import Foundation
import ObjectGraph
import Testing

@testable import AddressBookModel
@testable import BookCare
@testable import BookInterchange
@testable import FolderSync
@testable import Messages

struct LocalizationTests {
  private let english = Localization(language: .english)
  private let chinese = Localization(language: .simplifiedChinese)

  /// Every table, including those of the screens and the command line.
  @Test(arguments: Language.allCases)
  func eachLanguageHasTheSameKeysAndPlaceholders(language: Language) throws {
    let folder = try #require(StringsFolder.find())
    let tables = try FileManager.default.contentsOfDirectory(atPath: folder + "/en.lproj")
      .filter { $0.hasSuffix(".strings") }.sorted()
    #expect(tables.contains("Model.strings"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/\(language.rawValue).lproj")
        .filter { $0.hasSuffix(".strings") }.sorted() == tables)
    for table in tables {
      func read(_ language: Language) throws -> [String: String] {
        let path = "\(folder)/\(language.rawValue).lproj/\(table)"
        let data = try #require(FileManager.default.contents(atPath: path))
        let strings = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String])
        let pairs = String(decoding: data, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix("\"") }
        #expect(pairs == strings.count, "\(path): a key occurs twice")
        let file = try StringsFile(parsing: Array(data))
        for (key, text) in strings { #expect(file[key] == text) }
        return strings
      }
      let (en, translated) = (try read(.english), try read(language))
      #expect(Set(en.keys).symmetricDifference(translated.keys).isEmpty, "\(table)")
      for (key, text) in en {
        let other = translated[key] ?? ""
        #expect(!text.isEmpty && !other.isEmpty, "\(table): \(key)")
        #expect(placeholders(of: text) == placeholders(of: other), "\(table): \(key)")
      }
    }
  }

  /// The placeholders of a pattern, each with its position, sorted.
  private func placeholders(of pattern: String) -> [String] {
    var next = 0
    return pattern.replacing("%%", with: "").matches(of: /%(?:(\d+)\$)?([@d])/).map { match in
      if match.1 == nil { next += 1 }
      return "\(match.1 ?? "\(next)")\(match.2)"
    }.sorted()
  }

  @Test(arguments: [
    (["LC_ALL": "zh_CN.UTF-8"], "zh-Hans"), (["LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"], "zh-Hans"),
    (["LC_ALL": "C", "LANG": "zh_CN.UTF-8"], "en"), (["LANG": "zh_TW.Big5"], "zh-Hant"), (["LANG": "zh"], "zh-Hans"),
    (["LANG": "zh_HK.UTF-8"], "zh-Hant"), (["LANG": "zh-Hant-CN"], "zh-Hant"), (["LANG": "zh_Hans_HK"], "zh-Hans"),
    (["LANG": "zh_SG.UTF-8"], "zh-Hans"), (["LC_ALL": "zh_MO"], "zh-Hant"), (["LANG": "zh_Hant.UTF-8"], "zh-Hant"),
    (["LANG": "de_DE.UTF-8"], "en"), ([:], "en"), (["LANG": "zhx_XX"], "en"), (["LANG": "zh@pinyin"], "zh-Hans"),
  ])
  func theLanguageIsThatOfTheEnvironment(_ environment: [String: String], _ expected: String) {
    #expect(Language(environment: environment).rawValue == expected)
  }

  @Test func keysOfCoreDataAreFound() {
    #expect(english.entityName("Person") == "Contact")
    #expect(chinese.entityName("Person") == "联系人")
    #expect(chinese.propertyName("givenName", entity: "Person") == "名")
    #expect(english.propertyName("note", entity: "Person") == "Note")
    #expect(english.propertyPath("phones[1].value", entity: "Person") == "Phone 2")
    #expect(chinese.propertyPath("family", entity: "Person") == "姓")
    #expect(english.label("Mobile") == "mobile")
    #expect(chinese.label("mobile") == "手机")
    #expect(chinese.label("Hütte") == "Hütte")
  }

  @Test func everyStoreErrorAndPropertyHasAText() throws {
    for reason in StoreError.Reason.allCases {
      for localization in [english, chinese] {
        let message = StoreError(reason, path: "/p/a%d%@th").message(in: localization)
        #expect(!message.contains("ErrorString"))
        #expect(message.contains("/p/a%d%@th") || reason == .noHome)
      }
    }
    for localization in [english, chinese] {
      let messages =
        BackupError.Reason.allCases.map { BackupError($0, path: "/p").message(in: localization) }
        + SyncError.Reason.allCases.map { SyncError($0, path: "/p").message(in: localization) }
        + ImportError.Reason.allCases.flatMap { reason in
          [false, true].map { ImportError(reason, file: "/p").message(in: localization, isTolerated: $0) }
        }
      for message in messages { #expect(!message.contains("ErrorString"), "\(message)") }
    }
    let titles = Dictionary(uniqueKeysWithValues: ContactFields.standard.texts.map { ($0.name, $0.title) })
    // Derived values never have issues, and no screen shows the properties of a photo by these names.
    let derived: Set = ["section", "name", "created", "modified"]
    for entity in try BookModel.model().entities where entity.name != "Photo" {
      #expect(english.has("Entity/\(entity.name)"))
      for attribute in entity.attributes where !attribute.description.isHidden && !derived.contains(attribute.name) {
        let title = entity.name == "Person" ? titles[attribute.name] ?? attribute.name : attribute.name
        #expect(english.propertyName(title, entity: entity.name) != title, "\(title)")
      }
    }
  }

  @Test func aMissingKeyFallsBackToEnglishThenToItself() throws {
    let folder = TemporaryFolder()
    for (language, text) in [("en", #""a" = "A %@"; "only" = "English";"#), ("zh-Hans", #""a" = "甲 %@";"#)] {
      try FileManager.default.createDirectory(
        atPath: folder.file(language + ".lproj"), withIntermediateDirectories: true)
      _ = folder.write(Array(text.utf8), to: language + ".lproj/Own.strings")
    }
    let words = Localization(language: .simplifiedChinese, folder: folder.path)
    #expect(words.text("a", 7, table: "Own") == "甲 7")
    #expect(words.text("only", table: "Own") == "English")
    #expect(words.text("none", table: "Own") == "none")
    #expect(words.text("none", table: "NoTable") == "none")
  }

  @Test func formatsCannotReadPastTheirArguments() {
    #expect(MessageFormat.fill("%2$@ and %1$d", with: ["1", "two"]) == "two and 1")
    #expect(MessageFormat.fill("100%% of %@", with: ["it"]) == "100% of it")
    #expect(MessageFormat.fill("%@ %@ %s %", with: ["%@"]) == "%@ %@ %s %")
    #expect(MessageFormat.fill("%9$@", with: []) == "%9$@")
    #expect(MessageFormat.fill("%1$@", with: []) == "%1$@")
  }

  @Test func pluralFormsAreChosen() {
    #expect(english.plural("Finding/unchecked", count: 1) == "1 contact has no checksum yet.")
    #expect(english.plural("Finding/unchecked", count: 1204).hasPrefix("1,204 contacts have"))
    #expect(chinese.plural("Finding/unchecked", count: 1).contains("1 位联系人"))
    #expect(english.grouped(-1_234_567) == "-1,234,567")
  }

  @Test func textsAreJoinedWithThePunctuationOfTheLanguage() {
    #expect(english.noted("a", "b") == "a (b)" && chinese.noted("甲", "乙") == "甲（乙）")
    #expect(english.noted("a", "") == "a")
    #expect(english.titled("a", "b") == "a: b" && chinese.titled("甲", "乙") == "甲：乙")
    #expect(english.list(["a", "b"]) == "a, b" && chinese.list(["甲", "乙"]) == "甲、乙")
  }

  @Test func stringsFilesAreReadInApplesFormat() throws {
    let text = """
      /* comment "x" = "y"; */
      // another
      "a" = "line\\nnext\\t\\"quoted\\" \\U4e2d"; "b"="";
      """
    let file = try StringsFile(parsing: Array(text.utf8))
    #expect(file["a"] == "line\nnext\t\"quoted\" 中" && file["b"] == "" && file["x"] == nil)
    for broken in [#""a" = "b""#, #""a" "b";"#, #""a"#, "/* ", #"a = b;"#, #""a" = "\U12";"#] {
      #expect(throws: StringsFile.SyntaxError.self) { try StringsFile(parsing: Array(broken.utf8)) }
    }
  }

  @Test func stringsAreFoundByTheirKeys() throws {
    let text = #""a" = "1"; "q\"\U4e2d" = "2\n"; "" = "3"; "a" = "4";"#
    let file = try StringsFile(parsing: Array(text.utf8))
    #expect(file["a"] == "4")
    #expect(file["q\"中"] == "2\n")
    #expect(file[""] == "3")
    #expect(file["b"] == nil)
  }

  @Test func shortPairsFillTheTable() throws {
    // Far more pairs than the size of the file suggests.
    let keys = (0..<5000).map { String($0, radix: 36) }
    let file = try StringsFile(parsing: Array(keys.map { "\"\($0)\"=\"v\($0)\";" }.joined().utf8))
    for key in keys { #expect(file[key] == "v" + key) }
    #expect(file["none"] == nil)
    #expect(try StringsFile(parsing: [])["a"] == nil)
  }
}
