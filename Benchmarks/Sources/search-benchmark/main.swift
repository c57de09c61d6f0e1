import AddressBookModel
import BookSearching
import ContactSearch
import Glibc

// The time of one key in the search index of a book, and the memory of the index: `search-benchmark BOOK`.
// Prints `name<TAB>number<TAB>unit` lines for bench.py. `search-benchmark BOOK QUERY…` prints the shortest of many
// times for each query, and for comparison the time of a bare pass over as much memory.

/// Returns the wall-clock time of a body in milliseconds: what the user waits for, with any number of threads.
func milliseconds(_ body: () -> Void) -> Double {
  let time = ContinuousClock().measure(body).components
  return Double(time.seconds) * 1e3 + Double(time.attoseconds) / 1e15
}

func report(_ name: String, _ value: Double, _ unit: String) { print("\(name)\t\(value)\t\(unit)") }

let kinds: [(name: String, texts: [String])] = [
  ("one letter", ["l", "z", "w", "a", "s"]),
  ("initials", ["lx", "wxm", "zgl", "bjrj", "js"]),
  ("full pinyin", ["lixiaolong", "wangwei", "zhang", "chongqing", "xiaom"]),
  ("Latin word", ["smith", "muller", "jsmith", "acme", "gmail"]),
  ("Han", ["李", "王强", "有限公司", "重庆", "张伟"]),
  ("digits", ["138", "5678", "0", "13812", "+86 139"]),
  ("two terms", ["li qiang", "wang 138", "smith acme", "z gcs", "j s"]),
]

guard CommandLine.arguments.count > 1 else {
  print("usage: search-benchmark BOOK [QUERY…]")
  exit(2)
}
let book = try AddressBook.open(at: .file(CommandLine.arguments[1]), mode: .readOnly)
var documents: [SearchDocument] = []
try book.forEachSearchDocument {
  documents.append($0)
  return true
}
book.close()
let index = SearchIndex()
report("index build", milliseconds { index.rebuild(from: documents) }, "ms")
report("index memory", Double(index.footprint) / Double(max(1, documents.count)), "bytes a contact")

if CommandLine.arguments.count > 2 {
  let memory = [UInt8](repeating: 7, count: index.footprint)
  var found = 0
  let bare = (0..<50).map { _ in milliseconds { found += memory.contains(8) ? 1 : 0 } }
  report("bare pass (\(found))", bare.min() ?? 0, "ms")
  for text in CommandLine.arguments.dropFirst(2) {
    var count = 0
    let times = (0..<50).map { _ in
      milliseconds { count = index.find(SearchQuery(text), keepingTies: true)?.count ?? 0 }
    }
    report("\(text) (\(count))", times.min() ?? 0, "ms")
  }
  exit(0)
}

for (name, texts) in kinds {
  var times: [Double] = []
  for text in texts {
    for _ in 0..<9 { times.append(milliseconds { _ = index.find(SearchQuery(text), keepingTies: true) }) }
  }
  times.sort()
  report(name, times[times.count / 2], "ms")
}

var narrowing: [Double] = []
var backspace: [Double] = []
for text in ["lixiaolong", "wangxm", "smith j", "王小", "13812345"] {
  for _ in 0..<5 {
    var session = SearchSession(index)
    for length in 1...text.count {
      let query = SearchQuery(String(text.prefix(length)))
      let time = milliseconds { _ = session.update(query) }
      if length > 1 { narrowing.append(time) }
    }
    for length in (1..<text.count).reversed() {
      backspace.append(milliseconds { _ = session.update(SearchQuery(String(text.prefix(length)))) })
    }
  }
}
narrowing.sort()
backspace.sort()
report("narrowing", narrowing[narrowing.count / 2], "ms")
report("backspace", backspace[backspace.count / 2], "ms")
