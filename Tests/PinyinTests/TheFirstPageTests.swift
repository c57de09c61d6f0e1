import Pinyin
import SharedMaterial
import Testing

struct TheFirstPageTests {
  @Test func theFirstPagePrintsThis() throws {
    let print = PrintedLines()

    let names = ["查良镛", "Zoë", "单田芳", "Sam", "长孙无忌", "李娜", "曾国藩", "Иван", "Åsa"]
    let collation = NameCollation()
    let list = names.map { SortableName(displayName: $0) }
      .sorted { collation.sortKey(of: $0).lexicographicallyPrecedes(collation.sortKey(of: $1)) }
    for name in list {
      print(collation.section(of: name).title, name.displayName, transcription(of: name.displayName, isPerson: true))
    }

    let problems = try DocumentedCode(of: "Pinyin").problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
  }
}
