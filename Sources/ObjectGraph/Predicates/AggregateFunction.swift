/// A function that combines many values into one. It ignores nil.
public enum AggregateFunction: String, Codable, Hashable, Sendable, CaseIterable {
  /// The number of values.
  case count
  /// The sum; 0 if there are no values, nil if infinities cancel out.
  case sum
  /// The mean, a double; nil if there are no values, or infinities cancel out.
  case average = "avg"
  /// The smallest value; nil if there are none.
  case minimum = "min"
  /// The largest value; nil if there are none.
  case maximum = "max"
}
