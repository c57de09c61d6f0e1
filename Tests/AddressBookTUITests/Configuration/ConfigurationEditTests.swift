import Testing

@testable import AddressBookTUI

struct ConfigurationEditTests {
  private func edited(_ text: String, _ name: String, _ value: ConfigurationParser.Value) -> String? {
    ConfigurationEdit.text(text, setting: name, to: value)
  }

  @Test func onlyTheLineOfTheSettingChanges() {
    let text = "# mine\ntheme   = \"dark\"  # at night\n\nmouse=true\n[keys]\nquit = [\"q\"]\n"
    #expect(
      edited(text, "theme", .string("light"))
        == "# mine\ntheme   = \"light\"  # at night\n\nmouse=true\n[keys]\nquit = [\"q\"]\n")
    #expect(edited(text, "mouse", .boolean(false))?.contains("\nmouse= false\n[keys]") == true)
  }

  @Test func aListOnSeveralLinesBecomesOneLine() {
    let text = "columns = [\n  \"name\", # who\n  \"phone\",\n]\ntheme = \"dark\"\n"
    #expect(
      edited(text, "columns", .strings(["name"])) == "columns = [\"name\"]\ntheme = \"dark\"\n")
  }

  @Test func aNewSettingStandsWhereItBelongs() {
    #expect(edited("", "theme", .string("dark")) == "theme = \"dark\"\n")
    #expect(
      edited("mouse = true\n\n[names]\nhan = \"family-first\"\n", "theme", .string("dark"))
        == "mouse = true\ntheme = \"dark\"\n\n[names]\nhan = \"family-first\"\n")
    #expect(
      edited("[names]\nhan = \"family-first\"\n", "names.latin", .string("given-first"))
        == "[names]\nlatin = \"given-first\"\nhan = \"family-first\"\n")
    #expect(
      edited("names.han = \"family-first\"\n", "names.latin", .string("given-first"))
        == "names.han = \"family-first\"\nnames.latin = \"given-first\"\n")
    #expect(
      edited("mouse = true", "names.latin", .string("given-first"))
        == "mouse = true\n\n[names]\nlatin = \"given-first\"\n")
  }

  @Test func lineEndsStayThose() {
    #expect(
      edited("theme = \"dark\"\r\nmouse = true\r\n", "theme", .string("light"))
        == "theme = \"light\"\r\nmouse = true\r\n")
  }

  @Test func aFileThatWouldLoseASettingIsNotChanged() {
    #expect(edited("theme = \"dark\"\ntheme = \"light\"\n", "theme", .string("neon")) == nil)
  }
}
