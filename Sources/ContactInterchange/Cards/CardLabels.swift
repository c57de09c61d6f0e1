import VCard

/// Conversion between the labels of values in the book and TYPE and X-ABLabel in cards.
enum CardLabels {
  /// Types that are never labels, such as capabilities of a number, kinds of delivery and the preference.
  static let qualities: Set<String> = [
    "pref", "voice", "internet", "msg", "video", "text", "textphone", "modem", "bbs", "isdn", "pcs", "dom", "intl",
    "postal", "parcel", "x400", "uri",
  ]

  /// Returns the label for these TYPEs, which are in lower case; empty if none of them is a label.
  static func label(ofTypes types: [String]) -> String {
    if types.contains("fax") {
      for label in ["home", "work", "other"] where types.contains(label) { return label + " fax" }
      return "fax"
    }
    if types.contains("iphone") { return "iphone" }
    if types.contains("work"), types.contains("cell") || types.contains("mobile") { return "work mobile" }
    for (type, label) in byType where types.contains(type) { return label }
    return types.first { !qualities.contains($0) }.map(word) ?? ""
  }

  /// Returns the label of a related person for these TYPEs: the person's own word, if there is one beside the standard's.
  static func relation(ofTypes types: [String]) -> String {
    let words = types.filter { !qualities.contains($0) && $0 != "home" && $0 != "work" }.map(word)
    return words.first { !relatedTypes.contains($0) } ?? words.first ?? ""
  }

  /// Returns a type without the prefix that marks one which is not standard (RFC 6350, 3.3).
  private static func word(_ type: String) -> String { type.hasPrefix("x-") ? String(type.dropFirst(2)) : type }

  private static let byType: [(String, String)] = [
    ("cell", "mobile"), ("mobile", "mobile"), ("pager", "pager"), ("main", "main"), ("work", "work"), ("home", "home"),
    ("other", "other"),
  ]

  /// Returns the TYPEs for a label, in upper case as in 2.1 and 3.0; nil if only X-ABLabel can represent it.
  static func types(ofLabel label: String) -> [String]? {
    switch label {
    case "": return []
    case "mobile": return ["CELL"]
    case "home": return ["HOME"]
    case "work": return ["WORK"]
    case "main": return ["MAIN"]
    case "other": return ["OTHER"]
    case "pager": return ["PAGER"]
    case "fax": return ["FAX"]
    case "home fax": return ["HOME", "FAX"]
    case "work fax": return ["WORK", "FAX"]
    case "other fax": return ["OTHER", "FAX"]
    case "iphone": return ["IPHONE", "CELL"]
    case "work mobile": return ["WORK", "CELL"]
    default: return nil
    }
  }

  /// Returns the label of an X-ABLabel: Apple writes its own labels as `_$!<Mobile>!$_`, and custom ones as they are.
  static func label(ofAppleLabel text: String) -> String {
    var inner = text[...]
    if inner.hasPrefix("_") { inner = inner.dropFirst() }
    if inner.hasPrefix("$!<"), let end = inner.range(of: ">!$") {
      return standard(String(inner.dropFirst(3).prefix(upTo: end.lowerBound)))
    }
    return standard(text)
  }

  private static func standard(_ text: String) -> String {
    let small = text.lowercased()
    switch small {
    case "homefax": return "home fax"
    case "workfax": return "work fax"
    case "otherfax": return "other fax"
    default: return appleNames[small] != nil || types(ofLabel: small) != nil ? small : text
    }
  }

  static func appleLabel(of label: String) -> String {
    appleNames[label].map { "_$!<\($0)>!$_" } ?? label
  }

  private static let appleNames: [String: String] = [
    "mobile": "Mobile", "home": "Home", "work": "Work", "main": "Main", "other": "Other", "pager": "Pager",
    "home fax": "HomeFAX", "work fax": "WorkFAX", "other fax": "OtherFAX", "school": "School", "homepage": "HomePage",
    "anniversary": "Anniversary", "spouse": "Spouse", "partner": "Partner", "child": "Child", "parent": "Parent",
    "mother": "Mother", "father": "Father", "brother": "Brother", "sister": "Sister", "friend": "Friend",
    "son": "Son", "daughter": "Daughter", "assistant": "Assistant", "manager": "Manager", "colleague": "Colleague",
  ]

  /// The TYPEs of RELATED (RFC 6350, 6.6.6) that are labels of a related person.
  static let relatedTypes: Set<String> = [
    "contact", "acquaintance", "friend", "met", "co-worker", "colleague", "co-resident", "neighbor", "child", "parent",
    "sibling", "spouse", "kin", "muse", "crush", "date", "sweetheart", "agent", "emergency",
  ]
}
