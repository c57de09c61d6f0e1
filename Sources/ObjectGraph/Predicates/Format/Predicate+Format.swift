extension Predicate {
  /// Parses the format language: `name BEGINSWITH[cd] %@ AND ANY courses.name == 'CAD'`.
  ///
  /// `%@` takes one argument, which may be a list; `%K` takes the string of one key path. `$NAME` stays unbound until a
  /// request or ``binding(_:)`` gives it a value.
  /// - Throws: ``InvalidPredicate/syntax(offset:)`` or ``InvalidPredicate/argumentCount(expected:given:)``. The
  ///   arguments of `%K` and CAST, and everything that depends on the entity, are checked when a request is run, and
  ///   errors are then reported in the order of the text.
  public init(_ format: String, _ arguments: any PredicateArgument...) throws(InvalidPredicate) {
    try self.init(format, arguments: arguments.map(\.predicateConstant))
  }

  /// Parses the format language, with values for the placeholders.
  /// - Throws: the same as ``init(_:_:)``.
  public init(_ format: String, arguments: [PredicateConstant]) throws(InvalidPredicate) {
    self = try FormatParser.predicate(format, arguments: arguments)
  }
}

extension PredicatePath {
  /// Parses a path: `myclass.name`, `courses.@count`.
  /// - Throws: ``InvalidPredicate/syntax(offset:)``.
  public init(parsing text: String) throws(InvalidPredicate) {
    self = try FormatParser.path(text)
  }
}
