/// What is made of many values; nil values are left out.
public enum AggregateFunction: String, Codable, Hashable, Sendable, CaseIterable {
  /// The number of values.
  case count
  /// The sum, 0 of nothing.
  case sum
  /// The mean, a double; nil of nothing.
  case average = "avg"
  /// The least value, nil of nothing.
  case minimum = "min"
  /// The greatest value, nil of nothing.
  case maximum = "max"
}
