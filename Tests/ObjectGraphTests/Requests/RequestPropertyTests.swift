import Foundation
import GRDB
import SeededRandom
import Testing

@testable import ObjectGraph

/// Whatever the request, SQL gives the same result as a search in memory, with and without unsaved changes.
@Suite struct RequestPropertyTests {
  private func check(_ run: RequestRun, _ queue: DatabaseQueue, _ graph: SampleGraph, _ seed: UInt64) throws {
    let memory = try run.request.result(in: graph)
    let sql = try queue.read { try run.result($0) }
    #expect(sql == memory, "seed \(seed): \(run.request.request)")
  }

  @Test(.timeLimit(.minutes(5))) func sqlAndMemoryFindTheSame() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    for round in 0..<40 {
      var requests = RandomRequests(random: SeededGenerator(seed: seed &+ UInt64(round)))
      let saved = try #require(try requests.graph())
      let queue = try saved.database()
      for _ in 0..<20 {
        let entity = requests.pick(saved.model.entities)
        let checked = try CheckedRequest(try requests.request(entity, saved), model: saved.model)
        try check(
          RequestRun(checked, store: SampleGraph.store, pending: PendingChanges(), reader: saved), queue, saved,
          seed &+ UInt64(round))
      }
      for _ in 0..<5 {
        let (graph, pending) = try requests.edit(saved)
        for _ in 0..<4 {
          let entity = requests.pick(saved.model.entities)
          let checked = try CheckedRequest(try requests.request(entity, graph), model: saved.model)
          try check(
            RequestRun(checked, store: SampleGraph.store, pending: pending, reader: graph), queue, graph,
            seed &+ UInt64(round))
        }
      }
    }
  }
}
