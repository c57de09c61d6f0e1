import Foundation
import Testing

/// The language of the program: the setting, or else the locale.
@Suite struct LanguageTests {
  @Test func traditionalChineseIsNotTakenForSimplified() throws {
    var program = try Program()
    func nothing() throws -> String { try program.run("show", "1").errors }
    let english = "No address book was found"
    for locale in ["zh_TW.UTF-8", "zh_HK.UTF-8", "zh_Hant.UTF-8"] {
      program.environment["LANG"] = locale
      #expect(try nothing().contains(english), "\(locale)")
    }
    // What was chosen on the screen counts in such a locale only.
    let state = program.folder.path + "/.local/state/addressbook"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try "zh-Hans\n".write(toFile: state + "/language", atomically: true, encoding: .utf8)
    #expect(try !nothing().contains(english))
    program.environment["LANG"] = "en_US.UTF-8"
    #expect(try nothing().contains(english))
    // The setting comes first.
    let configuration = program.folder.path + "/.config/addressbook"
    try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
    try "theme = \"dark\"\nlanguage = \"zh-Hans\"\n".write(
      toFile: configuration + "/config.toml", atomically: true, encoding: .utf8)
    #expect(try !nothing().contains(english))
    try "language = \"en\"\n".write(toFile: configuration + "/config.toml", atomically: true, encoding: .utf8)
    program.environment["LANG"] = "zh_CN.UTF-8"
    #expect(try nothing().contains(english))
  }

  @Test func theScreenAsksOnceAndChangesAtOnce() throws {
    let session = try TerminalSession()
    try session.run("add", "--set", "name=Ada")
    try session.type("export LC_ALL=zh_TW.UTF-8\n")
    try session.startAsJob(waitingFor: "語言")
    try session.type("z")
    try session.wait(for: "所有联系人")
    try session.type("q")
    try session.wait(forNo: "所有联系人")
    try session.startAsJob(waitingFor: "所有联系人")
    #expect(try !session.screen().contains("語言"))
  }
}
