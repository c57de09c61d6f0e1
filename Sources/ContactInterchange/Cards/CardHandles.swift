import Contacts
import VCard

/// Social accounts: IMPP (RFC 4770) and its predecessors. The label of an account is its service.
enum CardHandles {
  /// The properties that are named for a service.
  static let services: [(property: String, service: String)] = [
    ("X-AIM", "aim"), ("X-ICQ", "icq"), ("X-JABBER", "jabber"), ("X-MSN", "msn"), ("X-YAHOO", "yahoo"),
    ("X-SKYPE", "skype"), ("X-SKYPE-USERNAME", "skype"), ("X-QQ", "qq"), ("X-GTALK", "googletalk"),
    ("X-GOOGLE-TALK", "googletalk"), ("X-GADUGADU", "gadugadu"), ("X-GROUPWISE", "groupwise"), ("X-SIP", "sip"),
    ("X-TWITTER", "twitter"), ("X-MATRIX", "matrix"), ("X-TELEGRAM", "telegram"),
  ]

  private static let schemes: [String: String] = [
    "aim": "aim", "icq": "icq", "xmpp": "jabber", "msnim": "msn", "ymsgr": "yahoo", "skype": "skype", "qq": "qq",
    "gtalk": "googletalk", "sip": "sip", "irc": "irc", "x-apple": "", "mxmsg": "", "telegram": "telegram",
    "whatsapp": "whatsapp", "signal": "signal", "matrix": "matrix", "jabber": "jabber", "msn": "msn",
    "facebook": "facebook", "twitter": "twitter", "wechat": "wechat", "weixin": "wechat",
  ]

  static func service(_ line: CardLine, _ service: String, _ field: ContactField.Values) -> CardField? {
    let name = line.text.trimmedBlanks
    guard !name.isEmpty else { return nil }
    return .value(field, LabeledValue(label: service, value: name))
  }

  /// Reads IMPP. The service is X-SERVICE-TYPE, or else the service of the URI's scheme, or else the label, or else a
  /// TYPE that is not a location.
  static func impp(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    let text = line.text.trimmedBlanks
    guard !text.isEmpty else { return nil }
    let colon = text.firstIndex(of: ":")
    let scheme = colon.map { text[..<$0].lowercased() } ?? ""
    let isKnown = schemes[scheme] != nil
    var name = text
    if isKnown, let colon { name = String(text[text.index(after: colon)...]) }
    let declared = line.values(of: "X-SERVICE-TYPE").first.map(standard) ?? ""
    let otherType = line.types.first { !["home", "work", "other", "pref", "personal", "business"].contains($0) } ?? ""
    let service = [declared, schemes[scheme] ?? "", label ?? "", otherType].first { !$0.isEmpty } ?? ""
    let value = LabeledValue(label: service, value: name.trimmedBlanks)
    return value.value.isEmpty ? nil : .value(field, value)
  }

  /// Returns a known service in lower case, any other name as it is written.
  private static func standard(_ name: String) -> String {
    let small = name.trimmedBlanks.lowercased()
    return names.contains(small) ? small : name.trimmedBlanks
  }

  private static let names = Set(schemes.values).union(services.map(\.service))

  /// Reads Apple's social profiles: the service is the type, or else the label; the value is the user, or else the URL.
  static func profile(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    let text = line.text.trimmedBlanks
    guard !text.isEmpty else { return nil }
    let user = line.values(of: "X-USER").first ?? ""
    let service = line.types.first { $0 != "pref" } ?? label ?? ""
    return .value(field, LabeledValue(label: service, value: user.isEmpty ? text : user))
  }

  /// Returns the IMPP of an account: a URI with the service's scheme, or with Apple's scheme for a service without one.
  static func made(_ handle: LabeledValue, _ version: CardVersion) -> CardLine {
    var parameters: [CardParameter] = []
    if !handle.label.isEmpty { parameters.append(CardParameter("X-SERVICE-TYPE", handle.label)) }
    return CardLine("IMPP", parameters: parameters, uri: uri(handle), version: version)
  }

  /// Returns the IMPP of an account whose service becomes the X-ABLabel, for names that are not possible in a parameter
  /// of 2.1.
  static func madeWithoutService(_ handle: LabeledValue, _ version: CardVersion) -> CardLine {
    CardLine("IMPP", uri: "x-apple:" + handle.value, version: version)
  }

  private static func uri(_ handle: LabeledValue) -> String {
    let service = handle.label.lowercased()
    // RFC 4622 and RFC 4770 name the scheme of XMPP, which used to be Jabber.
    let scheme =
      service == "jabber" ? "xmpp" : service.isEmpty ? nil : schemes.filter { $0.value == service }.keys.min()
    return (scheme ?? "x-apple") + ":" + handle.value
  }
}
