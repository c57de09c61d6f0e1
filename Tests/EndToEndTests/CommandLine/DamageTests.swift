import Foundation
import Testing

/// Commands on a book with changed bits in two contacts.
struct DamageTests {
  private func damagedBook() throws -> Program {
    let program = try Program()
    try program.run("add", "--set", "family=Ames", "--set", "note=unmistakable")
    try program.run("add", "--set", "family=Baker", "--set", "email=baker@example.com")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: program.book))
    for text in ["unmistakable", "baker@example.com"] {
      while let range = bytes.range(of: Data(text.utf8)) { bytes[range.lowerBound] ^= 4 }
    }
    try bytes.write(to: URL(fileURLWithPath: program.book))
    return program
  }

  @Test(arguments: [
    ["list", "--format", "json"], ["export"], ["show", "1"], ["query", "baker"],
    ["query", "--format", "json", "baker"],
  ])
  func damagedContactsArePrintedWithStatusThree(_ arguments: [String]) throws {
    let program = try damagedBook()
    let result = try program.run(arguments)
    #expect(result.status == 3)
    #expect(result.output.contains("Ames") || result.output.lowercased().contains("baker"))
    #expect(result.errors.contains("damaged"), "\(result.errors)")
  }

  @Test func damagedContactsAreMarked() throws {
    let program = try damagedBook()
    #expect(try program.run("show", "1").output.hasPrefix("⚠"))
    #expect(try program.run("show", "Baker").errors.contains("2"))
  }

  @Test func damagedContactsAreNotEdited() throws {
    let program = try damagedBook()
    #expect(try program.run("edit", "1", "--set", "given=Ann").status == 3)
    #expect(try program.run("list", "--format", "json").errors.contains("1, 2"))
  }
}
