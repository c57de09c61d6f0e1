import Contacts
import VCard

/// Social accounts: IMPP (RFC 4770) and its predecessors, and SOCIALPROFILE (RFC 9554). The label of an account is its
/// service.
enum CardHandles {
  /// The properties that are named for a service.
  static let services: [(property: String, service: String)] = [
    ("X-AIM", "aim"), ("X-ICQ", "icq"), ("X-JABBER", "jabber"), ("X-MSN", "msn"), ("X-YAHOO", "yahoo"),
    ("X-SKYPE", "skype"), ("X-SKYPE-USERNAME", "skype"), ("X-QQ", "qq"), ("X-GTALK", "googletalk"),
    ("X-GOOGLE-TALK", "googletalk"), ("X-GADUGADU", "gadugadu"), ("X-GROUPWISE", "groupwise"), ("X-SIP", "sip"),
    ("X-TWITTER", "twitter"), ("X-MATRIX", "matrix"), ("X-TELEGRAM", "telegram"),
  ]
  /// The properties of profiles in social networks.
  static let profiles = ["X-SOCIALPROFILE", "SOCIALPROFILE"]

  private static let schemes: [String: String] = [
    "aim": "aim", "icq": "icq", "xmpp": "jabber", "msnim": "msn", "ymsgr": "yahoo", "skype": "skype", "qq": "qq",
    "gtalk": "googletalk", "sip": "sip", "irc": "irc", "x-apple": "", "mxmsg": "", "telegram": "telegram",
    "whatsapp": "whatsapp", "signal": "signal", "matrix": "matrix", "jabber": "jabber", "msn": "msn",
    "facebook": "facebook", "twitter": "twitter", "wechat": "wechat", "weixin": "wechat",
  ]

  // MARK: - Reading

  static func service(_ line: CardLine, _ service: String, _ field: ContactField.Values) -> CardField? {
    let name = line.text.trimmed
    guard !name.isEmpty else { return nil }
    return .value(field, LabeledValue(label: service, value: name))
  }

  /// Reads IMPP. The service is X-SERVICE-TYPE, or else the service of the URI's scheme, or else the label, or else a
  /// TYPE that is not a location.
  static func impp(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    let text = line.text.trimmed
    guard !text.isEmpty else { return nil }
    let declared = declaredService(line, field)
    let otherType = line.types.first { !["home", "work", "other", "pref", "personal", "business"].contains($0) } ?? ""
    let ofScheme = knownScheme(of: text).flatMap { schemes[$0.lowercased()] } ?? ""
    let service = [declared, ofScheme, label ?? "", otherType].first { !$0.isEmpty } ?? ""
    let value = LabeledValue(label: service, value: name(in: text))
    return value.value.isEmpty ? nil : .value(field, value)
  }

  /// Reads a profile: the service is the type, or else the label; the value is the user, or else the URL.
  static func profile(_ line: CardLine, _ label: String?, _ field: ContactField.Values) -> CardField? {
    let text = line.text.trimmed
    guard !text.isEmpty else { return nil }
    let declared = declaredService(line, field)
    let service = declared.isEmpty ? line.types.first { $0 != "pref" } ?? label ?? "" : declared
    return .value(field, LabeledValue(label: service, value: user(line)?.values.first ?? name(in: text)))
  }

  private static func declaredService(_ line: CardLine, _ field: ContactField.Values) -> String {
    guard line.hasParameters else { return "" }
    let declared = line.values(of: "X-SERVICE-TYPE").first ?? line.values(of: "SERVICE-TYPE").first ?? ""
    let small = declared.trimmed.lowercased()
    return names.contains(small) || field.labels.contains(small) ? small : declared.trimmed
  }

  private static let names = Set(schemes.values).union(services.map(\.service))

  private static func user(_ line: CardLine) -> CardParameter? {
    guard line.hasParameters else { return nil }
    return line.parameters.first { ["X-USER", "USERNAME"].contains($0.name) && $0.values.first?.isEmpty == false }
  }

  /// Returns the scheme of a service's URI; nil for any other text.
  private static func knownScheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    return schemes[text[..<colon].lowercased()].map { _ in String(text[..<colon]) }
  }

  /// Returns the name in a URI of a service, decoded (RFC 3986, 2.1); any other text as it is.
  private static func name(in text: String) -> String {
    let name = undecodedName(in: text)
    return name == text ? text : decoded(name[...]).trimmed
  }

  static func undecodedName(in text: String) -> String {
    knownScheme(of: text).map { String(text.dropFirst($0.count + 1)).trimmed } ?? text
  }

  // MARK: - Writing

  /// Returns the IMPP of an account: a URI with the service's scheme, or with Apple's scheme for a service without one.
  static func made(_ handle: LabeledValue, _ version: CardVersion) -> CardLine {
    var parameters: [CardParameter] = []
    if !handle.label.isEmpty { parameters.append(CardParameter("X-SERVICE-TYPE", handle.label)) }
    let service = handle.label.lowercased()
    // RFC 4622 and RFC 4770 name the scheme of XMPP, which used to be Jabber.
    let scheme =
      service == "jabber" ? "xmpp" : service.isEmpty ? nil : schemes.filter { $0.value == service }.keys.min()
    return CardLine("IMPP", parameters: parameters, uri: uri(handle.value, scheme ?? "x-apple"), version: version)
  }

  /// Returns the IMPP of an account whose service becomes the X-ABLabel, for names that are not possible in a parameter
  /// of 2.1.
  static func madeWithoutService(_ handle: LabeledValue, _ version: CardVersion) -> CardLine {
    CardLine("IMPP", uri: uri(handle.value, "x-apple"), version: version)
  }

  /// Returns the line of an account of the same service with another value: a URI with its scheme, the address of a
  /// profile, or a name.
  static func edited(_ line: CardLine, _ value: String) -> CardLine {
    let text = line.text.trimmed
    func with(_ value: String) -> CardLine {
      line.withValue(of: CardLine(line.name, uri: value, version: line.version))
    }
    if let user = user(line), profiles.contains(line.key) {
      if isAddress(value) { return with(value).withoutParameters([user.name]) }
      // The address of the profile usually ends with the user.
      let end = user.values.first.flatMap { text.hasSuffix($0) ? text.dropLast($0.count) : nil }
      let address = end.map { $0 + encoded(value) } ?? uri(value, "x-apple")
      return with(address).withParameter(CardParameter(user.name, value))
    }
    if let scheme = knownScheme(of: text), line.isNamed("IMPP") || profiles.contains(line.key) {
      return with(uri(value, scheme))
    }
    let isURI = isAddress(text) && !isAddress(value) && profiles.contains(line.key)
    return isURI
      ? with(uri(value, "x-apple")) : line.withValue(of: CardLine(line.name, text: value, version: line.version))
  }

  /// Returns the URI of a name; that of a profile is one already.
  private static func uri(_ value: String, _ scheme: String) -> String {
    isAddress(value) ? value : scheme + ":" + encoded(value)
  }

  /// Whether a text is a URI with a host, whose scheme is not that of a service.
  private static func isAddress(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), knownScheme(of: text) == nil else {
      return false
    }
    return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      && !text.contains(where: \.isWhitespace)
  }

  private static func encoded(_ name: String) -> String {
    let hasOwnScheme = knownScheme(of: name) != nil
    return PercentEncoding.encode(name.utf8, keeping: hasOwnScheme ? "-._~@/+!$'()*=&" : "-._~@/+!$'()*=&:")
  }

  /// Returns a text without percent-encoding; as it is if the result would not be text.
  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[position + 1...position + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        position += 3
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    guard let decoded = String(validating: result, as: UTF8.self), result.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      return String(text)
    }
    return decoded
  }
}
