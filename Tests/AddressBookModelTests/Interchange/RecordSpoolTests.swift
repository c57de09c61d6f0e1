import Testing

@testable import AddressBookModel
@testable import BookInterchange

struct RecordSpoolTests {
  /// The largest limit keeps all records in memory; with the others, only the one that arrives first.
  @Test("Records that arrive in reverse order are read in the order of their numbers", arguments: [1, 50, 1 << 20])
  func order(limit: Int) throws {
    var spool = RecordSpool(count: 100, limit: limit)
    for number in (0..<100).reversed() where number % 10 != 3 {
      try spool.put(number) { $0 += Array(repeating: UInt8(number), count: number) }
    }
    var found: [UInt8] = []
    try spool.forEach {
      found += $0
      return true
    }
    #expect(found == (0..<100).filter { $0 % 10 != 3 }.flatMap { Array(repeating: UInt8($0), count: $0) })
  }

  @Test("Reading stops when the reader has enough", arguments: [1, 1 << 20])
  func stop(limit: Int) throws {
    var spool = RecordSpool(count: 10, limit: limit)
    for number in 0..<10 { try spool.put(number) { $0.append(UInt8(number)) } }
    var found: [UInt8] = []
    try spool.forEach {
      found += $0
      return found.count < 4
    }
    #expect(found == [0, 1, 2, 3])
  }
}
