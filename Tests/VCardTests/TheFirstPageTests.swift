import SharedMaterial
import Testing
import VCard

struct TheFirstPageTests {
  @Test func theFirstPagePrintsThis() throws {
    let print = PrintedLines()

    let exported = """
      BEGIN:VCARD
      VERSION:2.1
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E6=9D=8E;=E5=B0=8F=E9=BE=99;;;
      TEL;CELL;PREF:+852 2345 6789
      X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Bruce;1;;;;;;;;;;;;;
      """
    for var card in VCardReader.read(Array(exported.utf8)).cards {
      print(card.first("N")?.components ?? [], card.diagnostics)
      let home = CardParameter("TYPE", "HOME")
      card.lines[1] = CardLine("TEL", parameters: [home], text: "+852 9876 5432", version: .v21)
      print(String(decoding: VCardWriter(version: .v21).bytes(of: card), as: UTF8.self), terminator: "")
    }

    let problems = try DocumentedCode(of: "VCard").problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
  }
}
