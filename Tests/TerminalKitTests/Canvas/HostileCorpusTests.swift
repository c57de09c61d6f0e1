import Glibc
import SharedMaterial
import Testing

@testable import TerminalKit

/// The cards of the folder named in HOSTILE_CORPUS that were made to break terminals.
@Suite struct HostileCorpusTests {
  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed, "HOSTILE_CORPUS is not set"))
  func everyLineIsSafeAndKeepsTheColumns() throws {
    let folder = SharedMaterial.hostileFiles.path
    for name in ["term-control.vcf", "term-bidi.vcf", "term-width.vcf"] {
      let lines = try lines(of: "\(folder)/\(name)")
      #expect(lines.count > 20)
      for line in lines {
        var canvas = Canvas(size: Size(rows: 1, columns: 40))
        let used = canvas.put(line, at: Point(row: 0, column: 0), limit: 38, style: .plain)
        canvas.put("|", at: Point(row: 0, column: 38), limit: 1, style: .plain)
        let text = canvas.plainText()
        #expect(used <= 38 && TextWidth.columns(of: text) == 39)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
      }
    }
  }

  private func lines(of path: String) throws -> [String] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    // Only at line feeds: other newlines of Unicode occur inside values.
    return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }
}
