import Foundation
import ObjectGraph

/// A visited place.
final class Location: ManagedObject {
  static let timestamp = AttributeKey<Location, Date>("timestamp")
  static let latitude = AttributeKey<Location, Double>("latitude")
  static let longitude = AttributeKey<Location, Double>("longitude")

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Location",
        attributes: [
          AttributeDescription("timestamp", .date, isOptional: false),
          AttributeDescription("latitude", .double, isOptional: false, minimum: -90, maximum: 90),
          AttributeDescription("longitude", .double, isOptional: false, minimum: -180, maximum: 180),
        ], class: Location.self)
    ])
  }
}
