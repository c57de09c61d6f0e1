import Foundation

/// Values of the cases and of the program as text. Equal values give equal text.
extension SyncCasePlayer {
  /// Returns any JSON value as text; the keys of objects are sorted.
  static func letters(_ value: Any?) -> String {
    switch value {
    case let list as [Any]: "[" + list.map(letters).joined(separator: ", ") + "]"
    case let object as Object:
      "{" + object.sorted { $0.key < $1.key }.map { "\($0.key): \(letters($0.value))" }.joined(separator: ", ") + "}"
    case nil, is NSNull: "null"
    case let text as String: "“\(text)”"
    case let value?: "\(value)"
    }
  }

  /// Returns any JSON value as text; of an object, only the keys that the case names.
  static func letters(_ value: Any?, like wanted: Any?) -> String {
    guard let object = value as? Object, let wanted = wanted as? Object else { return letters(value) }
    return letters(object.filter { wanted[$0.key] != nil })
  }

  /// Returns the nonempty fields of a contact as text. Groups are sorted, and unknown vCard lines are normalized by
  /// `units`.
  /// - Parameter wanted: the contacts of the case. If none of them has this contact's UID, the UID is replaced by `*`.
  static func letters(_ contact: Object, like wanted: [Object], _ ignored: [String]) -> String {
    var result: [String] = []
    let isAnyUID = !wanted.contains { $0["uid"] as? String == contact["uid"] as? String }
    let skipped = ["id", "section", "created", "modified", "name", "version", "handles", "phonetic"] + ignored
    for (key, value) in contact where !skipped.contains(key) {
      switch key {
      case "uid": result.append("uid: \(isAnyUID ? "*" : value)")
      case "kind": if value as? String == "organization" { result.append("kind: organization") }
      case "groups": result.append("groups: \((value as? [String] ?? []).sorted())")
      case "lines", "vcardLines": result.append("lines: \(units(value as? [String] ?? []))")
      case "photo":
        if let photo = value as? Object { result.append("photo: \(photo["sha256"] ?? "")") }
      default:
        let text = values(value)
        if !text.isEmpty { result.append("\(key): \(text)") }
      }
    }
    return result.filter { !$0.hasSuffix(": []") }.sorted().joined(separator: "; ")
  }

  private static func values(_ value: Any) -> String {
    switch value {
    case let text as String: text
    case let list as [Any]: list.map(values).joined(separator: ", ")
    case let object as Object:
      object.sorted { $0.key < $1.key }.map { (values($0.value).isEmpty ? "" : "\($0.key)=\(values($0.value))") }
        .filter { !$0.isEmpty }.joined(separator: " ")
    default: ""
    }
  }

  /// Returns the properties that the book does not know, with lowercase names. The properties of a property group are
  /// one text without the group's name; a group with a known property is left out.
  private static func units(_ lines: [String]) -> [String] {
    let known = [
      "uid", "n", "fn", "org", "title", "tel", "email", "categories", "note", "bday", "rev", "prodid", "version",
      "photo",
      "nickname", "adr", "url", "anniversary", "impp", "related", "kind", "x-abshowas",
    ]
    var groups: [String: [String]] = [:]
    var single: [String] = []
    for line in lines {
      let head = line.prefix { $0 != ":" && $0 != ";" }
      let rest = line.dropFirst(head.count)
      let parts = head.split(separator: ".", maxSplits: 1).map { $0.lowercased() }
      let colon = rest.firstIndex(of: ":") ?? rest.startIndex
      let parameters = rest[..<colon].split(separator: ";").map { parameter -> String in
        let pieces = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return pieces[0].lowercased() + (pieces.count > 1 ? "=" + pieces[1] : "")
      }
      let text = (parts.last ?? "") + ";" + parameters.joined(separator: ";") + rest[colon...]
      if parts.count == 2 { groups[parts[0], default: []].append(text) } else { single.append(text) }
    }
    func isKnown(_ text: String) -> Bool { known.contains(String(text.prefix { $0 != ";" })) }
    let units = groups.values.filter { !$0.contains(where: isKnown) }.map { $0.sorted().joined(separator: " + ") }
    return (single.filter { !isKnown($0) } + units).sorted()
  }
}
