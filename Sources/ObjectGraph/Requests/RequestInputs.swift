/// What a request needs of each object: the values of its order and of its columns.
struct RequestInputs: Sendable {
  private(set) var inputs: [CheckedRequest.Input] = []
  private var indexes: [CheckedRequest.Input: Int] = [:]

  /// No inputs.
  init() {}

  init(_ request: CheckedRequest) {
    for order in request.order {
      if case .input(let input) = order.source { add(input) }
    }
    for column in (request.rows?.groups ?? []) + (request.rows?.columns ?? []) {
      switch column.content {
      case .input(let input), .function(_, let input): add(input)
      }
    }
  }

  private mutating func add(_ input: CheckedRequest.Input) {
    guard indexes[input] == nil else { return }
    indexes[input] = inputs.count
    inputs.append(input)
  }

  func index(of input: CheckedRequest.Input) -> Int { indexes[input] ?? 0 }
}

/// An object that fulfils the predicate, with the values of the inputs.
struct InputRow: Sendable {
  let object: ObjectID
  let values: [Value]
}
