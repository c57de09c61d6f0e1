/// Maps row ids to the serials of their chunks. Copies share everything that is not changed in them.
///
/// Ids are mostly close together, as SQLite assigns them: these are in an array by id, which takes four bytes for each
/// id in their range, and no search. Other ids are in buckets by hash.
struct IdentityMap: Sendable {
  private var dense: DenseIdentities
  private var scattered: ScatteredIdentities

  /// Fills the map; the serial of a chunk is its index.
  init(_ chunks: [IndexChunk], count: Int) {
    let dense = DenseIdentities(chunks, count: count)
    self.dense = dense
    scattered = ScatteredIdentities(chunks, count: count - dense.count) { !dense.covers($0) }
  }

  var count: Int { dense.count + scattered.count }

  /// Whether so many scattered rows were added that their buckets are too full for fast lookup.
  var isOverfull: Bool { scattered.isOverfull }

  func serial(of id: Int64) -> UInt32? {
    // An id may have become scattered before the dense ones reached it.
    dense.serial(of: id) ?? (scattered.count > 0 ? scattered.serial(of: id) : nil)
  }

  mutating func set(_ id: Int64, _ serial: UInt32) {
    if scattered.count > 0, scattered.replace(id, serial) { return }
    if !dense.set(id, serial, rowCount: count + 1) { scattered.add(id, serial) }
  }

  mutating func remove(_ id: Int64) {
    if !dense.remove(id), scattered.count > 0 { scattered.remove(id) }
  }
}
