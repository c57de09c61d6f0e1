import Foundation
import Testing

/// The language of the program: the setting, or else the locale.
@Suite struct LanguageTests {
  @Test func theLocaleOrTheSettingDecides() throws {
    var program = try Program()
    func nothing() throws -> String { try program.run("show", "1").errors }
    let (english, traditional) = ("No address book was found", "處沒有通訊錄")
    #expect(try nothing().contains(english))
    for locale in ["zh_TW.UTF-8", "zh_HK.UTF-8", "zh_Hant.UTF-8"] {
      program.environment["LANG"] = locale
      #expect(try nothing().contains(traditional), "\(locale)")
    }
    let configuration = program.folder.path + "/.config/addressbook"
    try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
    func set(_ text: String) throws {
      try text.write(toFile: configuration + "/config.toml", atomically: true, encoding: .utf8)
    }
    try set("language = \"en\"\n")
    #expect(try nothing().contains(english))
    program.environment["LANG"] = "en_US.UTF-8"
    try set("theme = \"dark\"\nlanguage = \"zh-Hant\"\n")
    #expect(try nothing().contains(traditional))
  }
}
