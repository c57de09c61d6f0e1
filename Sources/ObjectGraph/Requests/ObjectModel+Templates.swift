extension ObjectModel {
  /// The request of a template with values for its variables. The template itself stays as it is.
  /// - Parameters:
  ///   - name: a name in ``templates``.
  ///   - variables: values by name without `$`. Unused names are ignored; a variable without a value is an error when
  /// the
  ///     request is made.
  /// - Throws: ``ObjectGraphError/unknownTemplate(_:)``.
  public func template(
    _ name: String, _ variables: [String: any PredicateArgument] = [:]
  ) throws(ObjectGraphError) -> FetchRequest {
    guard let template = templates[name] else { throw .unknownTemplate(name) }
    return template.binding(variables.mapValues(\.predicateConstant))
  }
}
