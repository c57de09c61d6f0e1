import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

/// To-one relationships: rows inserted in any order, one-to-one inverses, cascades, prefetching.
struct ToOneTests {
  private let store: Store
  private let context: ObjectContext

  init() throws {
    store = try Tree.store()
    context = Tree.context(store)
  }

  private func insert(_ entity: String, _ name: String) -> ManagedObject {
    let object = context.insert(entity)
    object.setText(name, of: "name")
    return object
  }

  private func count(_ what: String) throws -> Int {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(what)") ?? 0 }
  }

  @Test func aLinkToAnObjectThatIsInsertedLaterIsWritten() throws {
    let first = insert("Node", "1")
    let second = insert("Node", "2")
    try first.relate("next", to: second)
    try second.relate("next", to: first)
    let itself = insert("Node", "3")
    try itself.relate("next", to: itself)
    try context.save()
    let links = try store.read { db in
      try Row.fetchAll(db, sql: "SELECT name, next_id FROM node ORDER BY id").map { row in
        "\(row[0] as String)>\(row[1] as Int? ?? 0)"
      }
    }
    #expect(links == ["1>2", "2>1", "3>3"])
  }

  @Test func rowsThatNeedEachOtherAreBothWritten() throws {
    let pairs = (0..<3).map { (insert("Node", "n\($0)"), insert("Badge", "b\($0)")) }
    for (node, badge) in pairs { try badge.relate("node", to: node) }
    #expect(try pairs[1].0.related("badge") === pairs[1].1)
    try context.save()
    #expect(try count("node JOIN badge ON badge.node_id = node.id AND node.badge_id = badge.id") == 3)
  }

  @Test func bothEndsOfAPairFollow() throws {
    let nodes = (0..<4).map { insert("Node", "\($0)") }
    try nodes[0].relate("partner", to: nodes[1])
    try nodes[2].relate("partner", to: nodes[3])
    try context.save()
    #expect(try nodes[1].related("partner") === nodes[0])
    try context.action("Swap") { () throws(StoreError) in try nodes[1].relate("partner", to: nodes[2]) }
    #expect(try nodes.map { try $0.related("partner")?.text("name") } == [nil, "2", "1", nil])
    try context.save()
    let stored = try store.read { try Int?.fetchAll($0, sql: "SELECT partner_id FROM node ORDER BY id") }
    #expect(stored == [nil, 3, 2, nil])
    try context.undo()
    try context.save()
    #expect(try nodes.map { try $0.related("partner")?.text("name") } == ["1", "0", "3", "2"])
    try nodes[0].relate("partner", to: nil)
    #expect(try nodes[1].related("partner") == nil)
    // Another context sees the same, and a child of it keeps both ends too.
    try context.save()
    let other = Tree.context(store)
    let child = other.makeChild()
    let node = try #require(try child.object(nodes[0].objectID))
    try node.relate("partner", to: child.object(nodes[3].objectID))
    try child.save()
    try other.save()
    #expect(try other.object(nodes[3].objectID)?.related("partner")?.objectID == nodes[0].objectID)
    #expect(try other.object(nodes[2].objectID)?.related("partner") == nil)
  }

  @Test func aPartnerThatIsDeletedLeavesNone() throws {
    let (left, right) = (insert("Node", "l"), insert("Node", "r"))
    try left.relate("partner", to: right)
    try context.save()
    try context.action("Delete") { () throws(StoreError) in try context.delete(left) }
    #expect(try right.related("partner") == nil)
    try context.save()
    #expect(try count("node WHERE partner_id IS NULL") == 1)
    try context.undo()
    try context.save()
    #expect(try right.related("partner") === left)
    #expect(try count("node WHERE partner_id IS NOT NULL") == 2)
  }

  @Test func aCascadeFollowsToOneAndManyToMany() throws {
    let (node, badge) = (insert("Node", "n"), insert("Badge", "b"))
    try node.relate("badge", to: badge)
    let tags = (0..<3).map { insert("Tag", "\($0)") }
    for tag in tags { try node.add(tag, to: "tags") }
    let other = insert("Node", "o")
    try other.add(tags[0], to: "tags")
    try context.save()
    try context.action("Delete") { () throws(StoreError) in try context.delete(node) }
    #expect(!badge.isLive && tags.allSatisfy { !$0.isLive })
    #expect(try other.ids("tags").isEmpty)
    try context.save()
    #expect(try [count("node"), count("badge"), count("tag"), count("node_tag")] == [1, 0, 0, 0])
    try context.undo()
    try context.save()
    #expect(try [count("node"), count("badge"), count("tag"), count("node_tag")] == [2, 1, 3, 4])
    #expect(try node.related("badge") === badge)
  }

  /// The database's own rule would delete what leads to a deleted row.
  @Test func whatIsLedElsewhereSurvivesADeletion() throws {
    let (first, second) = (insert("Node", "1"), insert("Node", "2"))
    try second.relate("next", to: first)
    try context.save()
    let third = insert("Node", "3")
    try second.relate("next", to: third)
    try context.delete(first)
    try context.save()
    let rows = try store.read { try Row.fetchAll($0, sql: "SELECT id, next_id FROM node ORDER BY id") }
    #expect(rows.map { [$0[0] as Int?, $0[1]] } == [[2, 3], [3, nil]])
  }

  @Test func aPageOfToOneIsOneQuery() throws {
    for number in 0..<40 { try insert("Badge", "\(number)").relate("node", to: insert("Node", "\(number)")) }
    try context.save()
    let other = Tree.context(store)
    let badges = try other.objects((1...40).map { ObjectID(entity: "Badge", row: $0) })
    let counter = QueryCounter()
    store.database.writeWithoutTransaction { db in db.trace { _ in counter.add() } }
    try other.prefetch(["node"], of: badges)
    let queries = counter.count
    for badge in badges { #expect(try badge.related("node")?.text("name") == badge.text("name")) }
    #expect(counter.count == queries)
    #expect(queries < 8)
    try other.prefetch(["next", "tags"], of: badges.compactMap { try? $0.related("node") })
  }

  /// Random objects, links and deletions, saved now and then: the store has what the context has, and every pair two ends.
  @Test(arguments: [UInt64(1), 12, UInt64.random(in: 0...UInt64.max)])
  func theStoreHasEveryLinkOfTheContext(_ seed: UInt64) throws {
    print("ToOneTests.theStoreHasEveryLinkOfTheContext: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var all: [ManagedObject] = []
    func pick(_ entity: String) -> ManagedObject? {
      all.filter { $0.isLive && $0.entity.name == entity }.randomElement(using: &generator)
    }
    func check(_ step: Int) throws {
      for object in all where object.isLive {
        let row = try #require(object.objectID.row)
        for relationship in object.entity.relationships where relationship.isToOne {
          guard case .column(let column) = relationship.storage else { continue }
          let target = try object.related(relationship.name)
          let stored = try store.read { db in
            try Int64.fetchOne(db, sql: "SELECT \(column) FROM \(object.entity.table) WHERE id = \(row)")
          }
          #expect(stored == target?.objectID.row, "seed \(seed), step \(step): \(object.objectID).\(relationship.name)")
          if let inverse = relationship.inverse {
            #expect(try target == nil || target?.related(inverse) === object, "seed \(seed), step \(step)")
          }
        }
      }
      let rows = try ["node", "badge", "tag"].map { try count($0) }.reduce(0, +)
      #expect(rows == all.filter(\.isLive).count, "seed \(seed), step \(step)")
      #expect(try count("pragma_foreign_key_check") == 0, "seed \(seed), step \(step)")
    }
    for step in 0..<300 {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...2: all.append(insert("Node", "\(step)"))
      case 3:
        // A badge belongs to a node, which loses the one that it had.
        if let node = pick("Node") {
          let former = try node.related("badge")
          let badge = insert("Badge", "\(step)")
          all.append(badge)
          try badge.relate("node", to: node)
          if let former { try context.delete(former) }
        }
      case 4, 5: if let node = pick("Node") { try node.relate("next", to: pick("Node")) }
      case 6, 7: if let node = pick("Node") { try node.relate("partner", to: pick("Node")) }
      case 8:
        let tag = pick("Tag") ?? insert("Tag", "\(step)")
        if !all.contains(where: { $0 === tag }) { all.append(tag) }
        if let node = pick("Node") { try node.add(tag, to: "tags") }
      case 9:
        if let node = pick("Node") {
          // Without an inverse, whoever leads to it must be led elsewhere by hand.
          for other in all where other.isLive && other.entity.name == "Node" {
            if try other.related("next") === node { try other.relate("next", to: nil) }
          }
          try context.delete(node)
        }
      default:
        try context.save()
        try check(step)
      }
    }
    try context.save()
    try check(300)
    while context.canUndo { try context.undo() }
    try context.save()
    #expect(try count("node") + count("badge") + count("tag") == 0)
  }
}
