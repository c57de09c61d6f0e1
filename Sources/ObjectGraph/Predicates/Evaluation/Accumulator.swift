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
