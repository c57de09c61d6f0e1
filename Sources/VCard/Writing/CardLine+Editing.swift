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
  private init(
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
