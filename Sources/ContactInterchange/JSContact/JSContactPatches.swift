import VCard

/// What a Card has beyond what its vCard says, as JSPROP (RFC 9555, 3.2.1): members that are in no table.
enum JSContactPatches {
  /// Returns the properties for what one value has and another lacks.
  static func lines(from value: JSONMembers, missingIn other: JSONMembers) -> [CardLine] {
    var patches: [([String], JSONValue)] = []
    collect(value, other, [], &patches)
    return patches.map { path, value in
      CardLine("JSPROP", parameters: [CardParameter("JSPTR", pointer(path))], text: value.json, version: .v40)
    }
  }

  private static func collect(
    _ value: JSONMembers, _ other: JSONMembers, _ path: [String], _ patches: inout [([String], JSONValue)]
  ) {
    for (key, own) in value
    where key != "@type" && path + [key] != ["vCardProps"] && (key != "group" || path.last != "vCardParams") {
      switch (own, other[key]) {
      case (_, nil): patches.append((path + [key], own))
      case (.object, _?) where path == ["localizations"]: if own != other[key] { patches.append((path + [key], own)) }
      case (.object(let own), .object(let other)?): collect(own, other, path + [key], &patches)
      case (.list, let other?): if own.extends(other), !other.extends(own) { patches.append((path + [key], own)) }
      default: break
      }
    }
  }

  /// Puts what a JSPROP says into a Card, unless the value that it belongs to was edited or removed since.
  /// - Returns: false if the property is not a valid JSPROP.
  static func apply(_ line: CardLine, to card: inout JSONMembers) -> Bool {
    guard let text = line.values(of: "JSPTR").first, let value = try? JSONValue(json: Array(line.text.utf8)) else {
      return false
    }
    let path = path(text)
    if let existing = card[path], path.first != "localizations", !value.extends(existing) { return true }
    if path.count <= 2 || card[Array(path.dropLast())] != nil { card[path] = value }
    return true
  }

  private static func pointer(_ path: [String]) -> String {
    path.map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined(separator: "/")
  }

  /// Returns the path of a JSON pointer, whose first slash may be missing.
  static func path(_ pointer: String) -> [String] {
    let path = pointer.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    return path.first == "" ? Array(path.dropFirst()) : path
  }
}

extension JSONValue {
  /// Whether the value is the same as another one, except for further members and elements.
  func extends(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let own), .object(let other)): return other.allSatisfy { own[$0.key]?.extends($0.value) == true }
    case (.list(let own), .list(let other)):
      // In any order, unless there are more than a person could have.
      var rest = own
      return other.allSatisfy { element in
        let index = rest.prefix(own.count > 100 ? 1 : own.count).firstIndex { $0.extends(element) }
        return index.map { rest.remove(at: $0) } != nil
      }
    default: return self == other
    }
  }
}

extension JSONMembers {
  /// The value at a path of members. Setting one makes the objects that lead to it.
  subscript(path: [String]) -> JSONValue? {
    get {
      path.reduce(.object(self)) { $0?.members?[$1] }
    }
    set {
      guard let key = path.first else { return }
      let rest = Array(path.dropFirst())
      if rest.isEmpty {
        self[key] = newValue
      } else {
        // Taken out of the object first, so that it is changed in place.
        var inner = take(key)
        inner[rest] = newValue
        self[key] = .object(inner)
      }
    }
  }
}
