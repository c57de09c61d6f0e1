extension CheckedRequest {
  /// Evaluates the whole request in memory, on a reader.
  /// - Throws: errors of the reader.
  public func result(in reader: any GraphReader) throws -> FetchResult {
    let inputs = RequestInputs(self)
    return try ResultAssembler(self, inputs: inputs).result(
      // Only mapped stores keep deleted rows, and SQL finds them.
      try rows(of: request.onlyDeleted ? [] : try reader.objects(of: entities), inputs, reader))
  }

  /// Returns those of the objects that match the predicate, with the values of the inputs.
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
