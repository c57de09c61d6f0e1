/// Copies of a property with one part changed.
extension CardLine {
  /// Returns the same property with the value of another property of the same version.
  ///
  /// Group, name and parameters stay, except for the parameters that say how the value is encoded and those in `names`,
  /// which are taken from the other property.
  public func withValue(of other: CardLine, replacing names: Set<String> = []) -> CardLine {
    let ofValue = names.union(["ENCODING", "CHARSET"])
    let isReplaced = { (parameter: CardParameter) in ofValue.contains(parameter.name) }
    let own = hasParameters ? parameters : []
    let others = other.hasParameters ? other.parameters.filter(isReplaced) : []
    guard own.contains(where: isReplaced) || !others.isEmpty else {
      let header = source.bytes[Int(span.start)..<Int(span.valueStart)]
      return CardLine(bytes: Array(header) + other.valueBytes, version: version) ?? other
    }
    return CardLine(
      rawName: name, group: group, parameters: own.filter { !isReplaced($0) } + others, value: other.valueBytes,
      version: version)
  }

  /// Returns the same property with these types; the PREF of 4.0 is not a type.
  public func withTypes(_ types: [String]) -> CardLine {
    var all = parameters
    let index = all.firstIndex { $0.name == "TYPE" } ?? 0
    all.removeAll { $0.name == "TYPE" }
    if !types.isEmpty { all.insert(CardParameter(name: "TYPE", values: types), at: min(index, all.count)) }
    return CardLine(rawName: name, group: group, parameters: all, value: valueBytes, version: version)
  }

  /// Returns the same property under another name.
  public func named(_ name: String) -> CardLine {
    CardLine(rawName: name, group: group, parameters: parameters, value: valueBytes, version: version)
  }

  /// Returns the same property with another parameter, instead of those of its name.
  public func withParameter(_ parameter: CardParameter) -> CardLine {
    let others = parameters.filter { $0.name != parameter.name }
    return CardLine(
      rawName: name, group: group, parameters: others + [parameter], value: valueBytes, version: version)
  }

  /// Returns the same property without the parameters of these names, which are in upper case.
  public func withoutParameters(_ names: Set<String>) -> CardLine {
    guard hasParameters, parameters.contains(where: { names.contains($0.name) }) else { return self }
    let kept = parameters.filter { !names.contains($0.name) }
    return CardLine(rawName: name, group: group, parameters: kept, value: valueBytes, version: version)
  }

  /// Returns the same property with other texts for some parts of its structured value. The other parts stay as they
  /// are, except empty ones at the end.
  /// - Parameters:
  ///   - texts: the texts by the index of their part.
  ///   - least: how many parts stay even if they are empty.
  public func withComponents(_ texts: [Int: String], least: Int) -> CardLine {
    let count = (texts.keys.max() ?? -1) + 1
    guard encoding == .none, version != .v21 else {
      var all = components
      all += Array(repeating: "", count: max(0, count - all.count))
      for (index, text) in texts { all[index] = text }
      while all.count > least, all.last?.isEmpty == true { all.removeLast() }
      let kept = parameters.filter { !["ENCODING", "CHARSET"].contains($0.name) }
      return CardLine(name, group: group, parameters: kept, components: all, version: version)
    }
    var parts = Escapes.split(valueBytes, at: Byte.semicolon).map { Array($0) }
    parts += Array(repeating: [], count: max(0, count - parts.count))
    for (index, text) in texts { parts[index] = ValueText.component(text, version) }
    while parts.count > least, parts.last?.isEmpty == true { parts.removeLast() }
    let header = source.bytes[Int(span.start)..<Int(span.valueStart)]
    return CardLine(bytes: Array(header) + parts.joined(separator: [Byte.semicolon]), version: version) ?? self
  }

  /// The rank of a preferred value, 1 for the most preferred one; nil if it is not preferred. 4.0 has PREF from 1 to
  /// 100, earlier versions a type.
  public var preference: Int? {
    guard parameterBytes.count > 4, mayBePreferred else { return nil }
    // In nearly all lines the preference is a type.
    if hasOnlyPlainTypes { return types.contains("pref") ? 1 : nil }
    if let rank = values(of: "PREF").first { return Int(rank).map { min(max($0, 1), 100) } ?? 1 }
    return types.contains("pref") ? 1 : nil
  }

  /// False for most lines, without parsing the parameters.
  private var mayBePreferred: Bool {
    let letters = parameterBytes
    guard let end = letters.index(letters.endIndex, offsetBy: -3, limitedBy: letters.startIndex) else { return false }
    return letters[..<end].indices.contains { index in
      Byte.upper(letters[index]) == UInt8(ascii: "P") && Byte.upper(letters[index + 1]) == UInt8(ascii: "R")
        && Byte.upper(letters[index + 2]) == UInt8(ascii: "E") && Byte.upper(letters[index + 3]) == UInt8(ascii: "F")
    }
  }

  /// Returns the same property, preferred or not.
  public func preferred(_ isPreferred: Bool) -> CardLine {
    guard isPreferred ? preference != 1 : preference != nil else { return self }
    var all = parameters.filter { $0.name != "PREF" }
    for index in all.indices where all[index].name == "TYPE" {
      all[index].values.removeAll { $0.lowercased() == "pref" }
    }
    all.removeAll { $0.name == "TYPE" && $0.values.isEmpty }
    if isPreferred {
      all.append(version == .v40 ? CardParameter("PREF", "1") : CardParameter("TYPE", "PREF"))
    }
    return CardLine(rawName: name, group: group, parameters: all, value: valueBytes, version: version)
  }

  /// Returns the property with its value cut off after some bytes, and a text in place of the rest.
  /// - Parameters:
  ///   - kept: the number of bytes of the value that stay.
  ///   - text: replaces the bytes after them.
  public func replacingValue(after kept: Int, with text: String) -> CardLine {
    let head = source.bytes[Int(span.start)..<min(Int(span.end), Int(span.valueStart) + kept)]
    return CardLine(bytes: Array(head) + Array(text.utf8), version: version) ?? self
  }

  /// Creates a property whose value is already escaped and encoded.
  init(
    rawName name: String, group: String, parameters: [CardParameter], value: ArraySlice<UInt8>, version: CardVersion
  ) {
    var bytes: [UInt8] = group.isEmpty ? [] : Array(group.utf8) + [Byte.dot]
    bytes += Array(name.utf8)
    for parameter in parameters { bytes += ParameterText.encode(parameter, version) }
    bytes.append(Byte.colon)
    bytes += value
    self = CardLine(bytes: bytes, version: version) ?? CardLine(name, text: "", version: version)
  }
}
