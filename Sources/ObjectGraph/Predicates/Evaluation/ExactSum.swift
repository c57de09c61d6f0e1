/// Combines many values into one, ignoring nulls.
struct Accumulator {
  private let function: AggregateFunction
  private var sum = ExactSum()
  private var count: Int64 = 0
  private var extreme = Value.null

  init(_ function: AggregateFunction) {
    self.function = function
  }

  mutating func add(_ value: Value) {
    if value.isNull { return }
    count += 1
    switch function {
    case .count: break
    case .sum, .average: sum.add(value)
    case .minimum: if extreme.isNull || value.order(to: extreme) == .less { extreme = value }
    case .maximum: if extreme.isNull || value.order(to: extreme) == .greater { extreme = value }
    }
  }

  var result: Value {
    switch function {
    case .count: .integer(count)
    case .sum: sum.sum
    case .average: sum.average
    case .minimum, .maximum: extreme
    }
  }
}

extension PredicateFunction {
  /// Computes the function as SQLite does: integers that overflow become doubles, and a division by zero is nil.
  func value(of values: [Value]) -> Value {
    switch self {
    case .minimum: combined(.minimum, values)
    case .maximum: combined(.maximum, values)
    case .sum: combined(.sum, values)
    case .lowercase: cased(values) { $0.lowercased() }
    case .uppercase: cased(values) { $0.uppercased() }
    case .add: computed(values, { $0.addingReportingOverflow($1) }, +)
    case .subtract: computed(values, { $0.subtractingReportingOverflow($1) }, -)
    case .multiply: computed(values, { $0.multipliedReportingOverflow(by: $1) }, *)
    case .divide:
      values.count == 2 && values[1].order(to: .integer(0)) == .equal
        ? .null : computed(values, { $0.dividedReportingOverflow(by: $1) }, /)
    }
  }

  private func combined(_ function: AggregateFunction, _ values: [Value]) -> Value {
    var accumulator = Accumulator(function)
    for value in values { accumulator.add(value) }
    return accumulator.result
  }

  private func cased(_ values: [Value], _ change: (String) -> String) -> Value {
    if case .string(let text)? = values.first { .string(change(text)) } else { .null }
  }

  private func computed(
    _ values: [Value], _ whole: (Int64, Int64) -> (Int64, overflow: Bool), _ real: (Double, Double) -> Double
  ) -> Value {
    guard values.count == 2, let left = values[0].number, let right = values[1].number else { return .null }
    if case .integer(let left) = left, case .integer(let right) = right {
      let (result, overflow) = whole(left, right)
      if !overflow { return .integer(result) }
    }
    let result = real(left.double, right.double)
    return result.isNaN ? .null : .double(result)
  }
}

extension ExactNumber {
  fileprivate var double: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    }
  }
}

/// A sum that does not depend on the order of its terms, unless a partial sum overflows: integers are added in 128
/// bits, doubles are rounded once at the end (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997). This way
/// SQL and memory agree.
struct ExactSum {
  private var integers: Int128 = 0
  /// Doubles that do not overlap, in ascending order of magnitude, whose sum is exact.
  private var partials: [Double] = []
  /// The sum of infinities and of partial sums that overflowed.
  private var special = 0.0
  private(set) var count = 0
  private var hasDoubles = false

  mutating func add(_ value: Value) {
    switch value.number {
    case .integer(let integer):
      count += 1
      integers += Int128(integer)
    case .double(let double):
      count += 1
      hasDoubles = true
      add(double)
    case nil: break
    }
  }

  private mutating func add(_ term: Double) {
    guard term.isFinite else { return special += term }
    var x = term
    var kept = 0
    for partial in partials {
      var y = partial
      if x.magnitude < y.magnitude { swap(&x, &y) }
      let high = x + y
      guard high.isFinite else { return special += high }
      let low = y - (high - x)
      if low != 0 {
        partials[kept] = low
        kept += 1
      }
      x = high
    }
    partials.removeSubrange(kept...)
    if x != 0 { partials.append(x) }
  }

  /// The sum: an integer if all terms are integers and it fits, otherwise a double; 0 without terms, null instead of
  /// NaN.
  var sum: Value {
    if !hasDoubles, let integer = Int64(exactly: integers) { return .integer(integer) }
    let double = double
    return double.isNaN ? .null : .double(double)
  }

  /// The mean; null without terms, and instead of NaN.
  var average: Value {
    if count == 0 { return .null }
    let double = double / Double(count)
    return double.isNaN ? .null : .double(double)
  }

  /// The sum, rounded once.
  private var double: Double {
    var sum = self
    var rest = integers
    while rest != 0 {
      let term = Double(rest)
      sum.add(term)
      rest -= Int128(term)
    }
    return sum.doubles
  }

  /// The sum of the doubles.
  private var doubles: Double {
    if !special.isZero { return special }
    guard var high = partials.last else { return 0 }
    var index = partials.count - 1
    var low = 0.0
    while index > 0 {
      index -= 1
      let x = high
      high = x + partials[index]
      low = partials[index] - (high - x)
      if low != 0 { break }
    }
    // Halfway between two doubles, the sign of the remainder decides.
    if index > 0, (low < 0) == (partials[index - 1] < 0), low != 0 {
      let doubled = low * 2
      let rounded = high + doubled
      if doubled == rounded - high { high = rounded }
    }
    return high
  }
}
