import Foundation
import LiveResults

/// Visited places, newest first: new ones appear at the top and deleted ones disappear, without rereading the list.
@main
struct Program {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locations-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let stack = try ObjectStack(.sqlite(folder.appendingPathComponent("locations.db").path), Location.self)
    let context = stack.newContext()
    for place in walk.dropLast() { try add(place, to: context) }
    try context.save()

    let list = try await LocationList(context)
    print("The walk, newest first")
    list.printAll()

    print("\nAdd one while the window shows rows 1 to 3")
    list.scroll(to: 1, cursor: 2)
    if let place = walk.last { try add(place, to: context) }
    try context.save()
    try await list.takeChange()
    print("The window keeps its rows, and the cursor stays on its location")
    list.printWindow()

    print("\nDelete the one under the cursor")
    if let location = list.focus {
      try context.delete(location)
      try context.save()
      try await list.takeChange()
    }
    list.printAll()

    print("\nUndo the deletion")
    context.undo()
    try context.save()
    try await list.takeChange()
    list.printAll()

    print("\nA latitude beyond the pole is refused")
    try add((minute: 9, latitude: 91, longitude: 0), to: context)
    do {
      try context.save()
    } catch {
      guard case .validation(let issues) = error else { throw error }
      for issue in issues { print("  \(issue.property): \(issue.rule.message)") }
    }
    context.rollback()
    try stack.close()
  }

  private typealias Place = (minute: Int, latitude: Double, longitude: Double)

  private static let walk: [Place] = [
    (0, 31.2397, 121.4998), (3, 31.2376, 121.4905), (7, 31.2304, 121.4737), (12, 31.2231, 121.4452),
    (20, -33.8568, 151.2153),
  ]

  private static func add(_ place: Place, to context: ObjectContext) throws {
    let start = 800_000_000.0
    try context.insert(Location.self) {
      $0.timestamp = Date(timeIntervalSinceReferenceDate: start + Double(place.minute) * 60)
      $0.latitude = place.latitude
      $0.longitude = place.longitude
    }
  }
}
