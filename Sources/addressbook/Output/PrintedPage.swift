import ContactInterchange
import Contacts
import Messages

/// Contacts as one HTML page for paper: an address list by section, or a sheet of labels.
struct PrintedPage {
  /// What is printed.
  enum Layout: Equatable {
    case list
    /// A label for each postal address, in this grid on every sheet.
    case labels(columns: Int, rows: Int)

    /// Reads `list`, `labels` or `labels 3x8`; nil for anything else.
    init?(_ words: [String]) {
      switch words.first ?? "list" {
      case "list" where words.count < 2: self = .list
      case "labels" where words.count < 3:
        let numbers = (words.count == 2 ? words[1] : "3x8").split(separator: "x", omittingEmptySubsequences: false)
          .map { Int($0) ?? 0 }
        guard numbers.count == 2, 1...10 ~= numbers[0], 1...20 ~= numbers[1] else { return nil }
        self = .labels(columns: numbers[0], rows: numbers[1])
      default: return nil
      }
    }
  }

  private let layout: Layout
  private let words: Localization

  init(_ layout: Layout, in words: Localization) {
    self.layout = layout
    self.words = words
  }

  /// What is before the first contact.
  var beginning: String {
    let style =
      switch layout {
      case .list: Self.listStyle
      case .labels(let columns, let rows): Self.labelStyle(columns, rows)
      }
    return """
      <!DOCTYPE html>
      <html lang="\(words.language.rawValue)">
      <head>
      <meta charset="utf-8">
      <title>\(Self.escaped(strings("Paper/title")))</title>
      <style>\(style)</style>
      </head>
      <body>

      """
  }

  /// What is after the last contact.
  var end: String { "</body>\n</html>\n" }

  /// The heading of a section; empty on labels.
  func heading(_ section: String) -> String {
    layout == .list ? "<h2>\(Self.escaped(section))</h2>\n" : ""
  }

  /// A contact: its entry in the list, or its labels, of which there may be none.
  func entry(of contact: Contact) -> String {
    let name = contact.displayName.isEmpty ? strings("Show/noName") : contact.displayName
    guard layout == .list else {
      return contact.addresses.map { address in
        let lines = [name] + AddressText.lines(of: address)
        return "<address>\(lines.map(Self.escaped).joined(separator: "<br>"))</address>\n"
      }.joined()
    }
    let isNamedSo = contact.organization == contact.displayName
    let work = [contact.title, contact.department, isNamedSo ? "" : contact.organization].filter { !$0.isEmpty }
    var lines = work.isEmpty ? [] : ["<p>\(Self.escaped(work.joined(separator: ", ")))</p>"]
    func add(_ title: String, _ values: [String]) {
      let values = values.filter { !$0.isEmpty }.map(Self.escaped)
      guard !values.isEmpty else { return }
      let label = title.isEmpty ? "" : "<b>\(Self.escaped(title))</b> "
      lines.append("<p>\(label)\(values.joined(separator: "<br>"))</p>")
    }
    for value in contact.phones + contact.emails { add(words.label(value.label), [value.value]) }
    for address in contact.addresses { add(words.label(address.label), AddressText.lines(of: address)) }
    add(words.propertyName("birthday", entity: "Person"), [contact.birthday?.iso ?? ""])
    return "<section><h3>\(Self.escaped(name))</h3>\(lines.joined())</section>\n"
  }

  private static let listStyle = """
    @page{margin:15mm}body{font:10pt/1.35 sans-serif;columns:2;column-gap:10mm;margin:0 auto;max-width:190mm}\
    h2{font-size:12pt;border-bottom:.5pt solid;margin:4mm 0 2mm;break-after:avoid}h3{font-size:10pt;margin:0}\
    section{break-inside:avoid;margin-bottom:2.5mm}p{margin:0}b{font-weight:normal;opacity:.65}
    """

  private static func labelStyle(_ columns: Int, _ rows: Int) -> String {
    """
    @page{size:A4;margin:0}body{font:10pt/1.3 sans-serif;margin:0;display:grid;width:210mm;\
    grid-template-columns:repeat(\(columns),1fr);grid-auto-rows:calc(297mm/\(rows))}\
    address{font-style:normal;padding:5mm;overflow:hidden;break-inside:avoid;box-sizing:border-box}
    """
  }

  /// The text as HTML. Control characters, which HTML cannot have, are left out.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "<br>"
      default: if scalar.properties.generalCategory != .control { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
