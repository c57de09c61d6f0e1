import ContactInterchange
import Testing

@Suite struct JSONElementsTests {
  private func elements(_ text: String, chunk: Int) -> [String] {
    var rest = Array(text.utf8)[...]
    var elements = JSONElements { () throws(Never) -> [UInt8]? in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
    var found: [String] = []
    while let element = elements.next() {
      switch element {
      case .object(let line, let bytes): found.append("\(line) " + String(decoding: bytes, as: UTF8.self))
      case .malformed(let line): found.append("\(line) is malformed")
      }
    }
    return found
  }

  @Test(arguments: [1, 2, 7, 4096]) func objectsAreFoundAcrossChunkBoundaries(_ chunk: Int) {
    let text = "\u{FEFF}[\n {\"a\": \"}\\\"{\", \"b\": [1, {\"c\": []}]},\n\n {}\n]\n"
    #expect(elements(text, chunk: chunk) == ["2 {\"a\": \"}\\\"{\", \"b\": [1, {\"c\": []}]}", "4 {}"])
    #expect(elements("{}\n{}", chunk: chunk) == ["1 {}", "2 {}"])
    #expect(elements("[]", chunk: chunk).isEmpty)
  }

  @Test(arguments: ["[{}", "{", "nonsense", "[{}] x", "{\"a\": \"", "[[{}]]"]) func brokenJSONIsAnError(_ text: String)
  {
    #expect(elements(text, chunk: 3).last?.hasSuffix(" is malformed") == true)
  }
}
