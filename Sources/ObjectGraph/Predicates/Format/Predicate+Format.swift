extension Predicate {
  /// The predicate that a text of the format language is: `name BEGINSWITH[cd] %@ AND ANY courses.name == 'CAD'`.
  ///
  /// `%@` takes one argument, a list too; `%K` takes the text of one key path. `$NAME` stays open until a request or
  /// ``binding(_:)`` gives it a value.
  /// - Throws: ``InvalidPredicate/syntax(offset:)`` or ``InvalidPredicate/argumentCount(expected:given:)``. What depends on the
  ///   entity is checked when a request is made; so is the argument of a `%K`, for errors come in the order of the text.
  public init(_ format: String, _ arguments: any PredicateArgument...) throws(InvalidPredicate) {
    try self.init(format, arguments: arguments.map(\.predicateConstant))
  }

  /// The predicate that a text of the format language is, with the values of its placeholders.
  /// - Throws: As ``init(_:_:)``.
  public init(_ format: String, arguments: [PredicateConstant]) throws(InvalidPredicate) {
    self = try FormatParser.predicate(format, arguments: arguments)
  }
}

extension PredicatePath {
  /// The path that a text is: `myclass.name`, `courses.@count`.
  /// - Throws: ``InvalidPredicate/syntax(offset:)``.
  public init(parsing text: String) throws(InvalidPredicate) {
    self = try FormatParser.path(text)
  }
}
