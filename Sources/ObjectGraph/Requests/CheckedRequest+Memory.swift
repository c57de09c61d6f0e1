extension CheckedRequest {
  /// The result of evaluating the whole request in memory, on what a reader shows.
  /// - Throws: What the reader throws.
  public func result(in reader: any GraphReader) throws -> FetchResult {
    let inputs = RequestInputs(self)
    return try ResultAssembler(self, inputs: inputs).result(
      // Only tables keep what was deleted.
      try rows(of: request.onlyDeleted ? [] : try reader.objects(of: entities), inputs, reader))
  }

  /// Those of the objects that fulfil the predicate, with the values of the inputs.
  func rows(of objects: [ObjectID], _ inputs: RequestInputs, _ reader: any GraphReader) throws -> [InputRow] {
    try objects.compactMap { object in
      var evaluator = ConditionEvaluator(.object(object), reader: reader, patterns: predicate.patterns)
      guard try evaluator.evaluate(predicate.condition) == true else { return nil }
      return InputRow(object: object, values: try inputs.entries.map { try evaluator.value(of: $0) })
    }
  }
}

extension ConditionEvaluator {
  fileprivate mutating func value(of entry: RequestInputs.Entry) throws -> Value {
    switch entry {
    case .value(let input): try value(at: input.path)
    case .memberCount(let source): try value(of: .count(source, where: nil))
    case .truth(let predicate): try evaluate(predicate.condition).map { .boolean($0) } ?? .null
    }
  }
}
