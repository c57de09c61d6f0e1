import Foundation
import LiveResults

/// A visited place.
final class Location: Object {
  @Attribute var timestamp = Date(timeIntervalSinceReferenceDate: 0)
  @Attribute(.range(-90.0...90)) var latitude = 0.0
  @Attribute(.range(-180.0...180)) var longitude = 0.0

  var text: String {
    "\(timestamp.formatted(.iso8601))  \(degrees(latitude, "N", "S"))  \(degrees(longitude, "E", "W"))"
  }

  private func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    "\((abs(value) * 10_000).rounded() / 10_000)° \(value < 0 ? negative : positive)"
  }
}
