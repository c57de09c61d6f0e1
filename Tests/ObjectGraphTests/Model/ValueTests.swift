import Foundation
import Testing

@testable import ObjectGraph

struct ValueTests {
  @Test func textsAreComparedByScalars() {
    #expect(Value.string("\u{E9}") != Value.string("e\u{301}"))
    #expect(Set([Value.string("\u{E9}"), .string("e\u{301}"), .string("\u{E9}")]).count == 2)
  }

  @Test func everyValueSurvivesCoding() throws {
    let id = ObjectID(store: UUID(), entity: "A b/c", key: .permanent(7))
    let values: [Value] = [
      .null, .string("x"), .integer(.max), .double(0.1), .boolean(true),
      .date(Date(timeIntervalSinceReferenceDate: 0.1)),
      .data(Data([0])), .uuid(UUID()), .object(id),
    ]
    #expect(try JSONDecoder().decode([Value].self, from: JSONEncoder().encode(values)) == values)
  }

  @Test func anIdIsParsedFromItsURI() {
    for key in [ObjectID.Key.permanent(7), .temporary(UUID())] {
      let id = ObjectID(store: UUID(), entity: "A b/c", key: key)
      #expect(ObjectID(uri: id.uri) == id)
    }
    for text in [
      "", "not a uri", "https://example.com/Author/1", "x-objectgraph://\(UUID())/A/p0",
      "x-objectgraph://\(UUID())/A/p01",
    ] {
      #expect(ObjectID(uri: text) == nil)
    }
  }

  @Test func onlyIntegersToDoublesAreConverted() {
    #expect(AttributeType.double.converted(.integer(3)) == .double(3))
    #expect(AttributeType.boolean.converted(.integer(1)) == nil)
    #expect(AttributeType.integer.converted(.double(1)) == nil)
    #expect(AttributeType.double.converted(.double(.nan)) == nil)
  }
}
