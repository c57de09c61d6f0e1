extension CardLine {
  /// Returns whether two properties of one version say the same, regardless of the case of names and types, the order of
  /// parameters, escapes that are not needed, and names that jCards cannot have.
  public func isSame(as other: CardLine) -> Bool {
    let (one, other) = (withLegalNames, other.withLegalNames)
    guard one.key == other.key, one.group.lowercased() == other.group.lowercased(),
      one.comparableParameters == other.comparableParameters
    else { return false }
    if one.rawValue == other.rawValue { return true }
    return one.componentLists == other.componentLists && one.list == other.list
      || Self.ofURI.contains(one.key) && one.text == other.text
  }

  /// The property with names of letters, digits and hyphens only (RFC 6350, 3.3).
  public var withLegalNames: CardLine {
    let legal = ConvertedNames.legal(name)
    let own = hasParameters ? parameters : []
    let renamed = own.map { CardParameter(name: ConvertedNames.legal($0.name), values: $0.values) }
    if legal == name, renamed == own { return self }
    return CardLine(rawName: legal, group: group, parameters: renamed, value: valueBytes, version: version)
  }

  private var comparableParameters: [String: [String]] {
    guard hasParameters else { return [:] }
    var found: [String: [String]] = ["TYPE": types.sorted()]
    for parameter in parameters where parameter.name != "TYPE" {
      found[parameter.name, default: []] += parameter.values
    }
    return found.filter { !$0.value.isEmpty }
  }

  private static let ofURI: Set<String> = ["URL", "IMPP", "UID", "PHOTO", "LOGO", "SOUND", "KEY", "RELATED", "MEMBER"]
}
