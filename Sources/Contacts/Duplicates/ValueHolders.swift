/// The contacts that have a value: an email address, a phone number, an account.
///
/// A value's names are the groups of same or compatible names among all contacts that have it; those without a name do
/// not count. A value that many names have is a switchboard or a mailing list, and is no evidence.
struct ValueHolders {
  /// If a value has more different names than this, they are not compared: it is not the value of a single contact.
  static let mostNames = 64

  /// Indexes of the contacts, in order.
  let indexes: [Int]
  /// The contacts, grouped by equal names; the first of each group represents it.
  let classes: [[Int]]
  /// How many names the value has; `Int.max` for more than ``mostNames`` different ones.
  let nameCount: Int
  /// How classes of names compare; empty if there are too many.
  private let relations: [[NameRelation]]

  init(_ indexes: [Int], _ all: [DuplicateTraits]) {
    self.indexes = indexes
    var byIdentity: [String: Int] = [:]
    var classes: [[Int]] = []
    for index in indexes {
      let identity = all[index].name.identity
      if let known = byIdentity[identity] {
        classes[known].append(index)
      } else {
        byIdentity[identity] = classes.count
        classes.append([index])
      }
    }
    self.classes = classes
    guard classes.count <= Self.mostNames else {
      (nameCount, relations) = (Int.max, [])
      return
    }
    let names = classes.map { all[$0[0]].name }
    var roots = Array(names.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while roots[index] != index { index = roots[index] }
      return index
    }
    relations = names.indices.map { one in
      names.indices.map { other in other < one ? NameRelation(names[one], names[other]) : .different }
    }
    for one in names.indices {
      for other in 0..<one where relations[one][other] == .same || relations[one][other] == .compatible {
        roots[root(one)] = root(other)
      }
    }
    nameCount = names.indices.filter { !names[$0].isEmpty && roots[$0] == $0 }.count
  }

  /// Calls `body` with the pairs of contacts whose names may be the same. If very many share a name, each is paired
  /// with only a few others, which still makes them one group.
  func forEachPair(_ body: (Int, Int) -> Void) {
    for members in classes { Self.pair(members, members, body) }
    guard !relations.isEmpty else { return }
    for one in classes.indices {
      for other in 0..<one where relations[one][other] != .different { Self.pair(classes[one], classes[other], body) }
    }
  }

  private static func pair(_ one: [Int], _ other: [Int], _ body: (Int, Int) -> Void) {
    let isMany = one.count * other.count > 4096
    for (offset, index) in one.enumerated() {
      for partner in isMany ? other.dropFirst(offset % other.count).prefix(9) : other[...] where partner != index {
        body(min(index, partner), max(index, partner))
      }
    }
  }
}
