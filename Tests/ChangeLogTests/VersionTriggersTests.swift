import GRDB
import Testing

@testable import ChangeLog

/// A row's version grows with each write of the row or of its parts, except while the triggers are paused.
struct VersionTriggersTests {
  private let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  private func run(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

  private func versions() throws -> [Int] {
    try queue.read { try Int.fetchAll($0, sql: "SELECT version FROM owner ORDER BY 1") }
  }

  @Test(arguments: [false, true]) func partsRaiseTheirOwner(isRecursive: Bool) throws {
    try run(
      """
      PRAGMA recursive_triggers = \(isRecursive);
      CREATE TABLE owner(version INTEGER NOT NULL DEFAULT 1, id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE part(owner_id INTEGER, x); CREATE TABLE busy(x);
      """)
    let triggers = VersionTriggers(
      table: "owner", parts: [.init(table: "part", owner: ["owner_id"])], pause: "EXISTS (SELECT 1 FROM busy)")
    try queue.write { try triggers.install(in: $0) }
    try run("INSERT INTO owner(id) VALUES (1), (2)")
    let writes: [(String, [Int])] = [
      ("INSERT INTO part VALUES (1, 'a')", [2, 1]), ("UPDATE part SET x = 'b'", [3, 1]),
      ("UPDATE part SET owner_id = 2", [4, 2]), ("DELETE FROM part", [4, 3]),
      ("UPDATE owner SET name = 'n' WHERE id = 1", [5, 3]),
      ("UPDATE owner SET name = 'm', version = 9 WHERE id = 1", [9, 3]),
      ("INSERT INTO busy VALUES (1); UPDATE owner SET name = 'q'; INSERT INTO part VALUES (2, 'z')", [9, 3]),
      ("DELETE FROM busy; DELETE FROM part", [9, 4]),
    ]
    for (sql, expected) in writes {
      try run(sql)
      #expect(
        try queue.read { try Int.fetchAll($0, sql: "SELECT version FROM owner ORDER BY id") } == expected, "\(sql)")
    }
    try queue.write { try triggers.uninstall(in: $0) }
    try run("INSERT INTO part VALUES (1, 'a')")
    #expect(try versions() == [4, 9])
  }

  @Test func anOwnerMayHaveAnyKey() throws {
    try run(
      """
      CREATE TABLE owner(version INTEGER DEFAULT 1, a TEXT, b INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TABLE part(x, of_a, of_b);
      INSERT INTO owner VALUES (1, 'p', 1), (1, 'p', 2), (1, 'q', 1);
      """)
    let triggers = VersionTriggers(table: "owner", parts: [.init(table: "part", owner: ["of_a", "of_b"])])
    try queue.write { try triggers.install(in: $0) }
    try queue.write { try triggers.install(in: $0) }
    try run("INSERT INTO part VALUES (1, 'p', 2)")
    try run("UPDATE part SET of_a = 'q', of_b = 1")
    #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT version FROM owner ORDER BY a, b") } == [1, 3, 2])
  }

  @Test func aMismatchedTableIsAnError() throws {
    try run("CREATE TABLE owner(id INTEGER PRIMARY KEY, version); CREATE TABLE part(x)")
    func failure(_ triggers: VersionTriggers) throws -> ChangeLogError? {
      do {
        try queue.write { try triggers.install(in: $0) }
        return nil
      } catch {
        return error as? ChangeLogError
      }
    }
    #expect(try failure(VersionTriggers(table: "none", parts: [])) == .unknownTable("none"))
    #expect(
      try failure(VersionTriggers(table: "owner", version: "v", parts: [])) == .unknownColumn("v", table: "owner"))
    #expect(
      try failure(VersionTriggers(table: "owner", parts: [.init(table: "part", owner: ["id"])]))
        == .unknownColumn("id", table: "part"))
    #expect(
      try failure(VersionTriggers(table: "owner", parts: [.init(table: "part", owner: [])]))
        == .unknownColumn("id", table: "part"))
  }
}
