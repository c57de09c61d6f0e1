import Contacts

/// The lines of an address between the street and the country, by country.
///
/// The order is that of the Universal Postal Union's guides to addressing, as Google's libaddressinput has it in its
/// data (`fmt`). A country that is not in the table is written like the United States.
struct AddressFormat {
  /// C, S and Z stand for the city, the region and the postal code, `|` for the end of a line. The text before a letter
  /// is written only if there is a part on either side of it.
  private let pattern: String

  /// The format of a country as it is typed: its name in its own language, in English or in Chinese, or its code.
  init(country: String) {
    pattern = Self.patterns[Self.folded(country)] ?? "C, S Z"
  }

  /// The lines. A part that the country does not write is on a line of its own, so that nothing is missing.
  func lines(of address: PostalAddress) -> [String] {
    var lines: [String] = []
    for line in pattern.split(separator: "|") {
      var text = ""
      var separator = ""
      for character in line {
        guard let part = Self.part(of: character, address) else {
          separator.append(character)
          continue
        }
        if !part.isEmpty { text += text.isEmpty ? part : separator + part }
        separator = ""
      }
      lines.append(text)
    }
    if !pattern.contains("S"), address.region != address.city { lines.append(address.region) }
    return lines.filter { !$0.isEmpty }
  }

  private static func part(of letter: Character, _ address: PostalAddress) -> String? {
    switch letter {
    case "C": address.city
    case "S": address.region
    case "Z": address.postalCode
    default: nil
    }
  }

  private static func folded(_ country: String) -> String {
    country.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  private static let patterns: [String: String] = {
    var patterns: [String: String] = [:]
    for (pattern, countries) in table {
      for name in countries.split(separator: ",") { patterns[folded(String(name))] = pattern }
    }
    return patterns
  }()

  private static let table = [
    (
      "Z C",
      """
      DE,Germany,Deutschland,Federal Republic of Germany,德国, AT,Austria,Österreich,奥地利,
      CH,Switzerland,Schweiz,Suisse,Svizzera,瑞士, LI,Liechtenstein,列支敦士登, FR,France,法国, MC,Monaco,摩纳哥,
      BE,Belgium,België,Belgique,Belgien,比利时, NL,Netherlands,The Netherlands,Nederland,Holland,荷兰,
      LU,Luxembourg,Luxemburg,Lëtzebuerg,卢森堡, DK,Denmark,Danmark,丹麦, SE,Sweden,Sverige,瑞典, NO,Norway,Norge,Noreg,挪威,
      FI,Finland,Suomi,芬兰, IS,Iceland,Ísland,冰岛, EE,Estonia,Eesti,爱沙尼亚, LT,Lithuania,Lietuva,立陶宛,
      PL,Poland,Polska,波兰, CZ,Czechia,Czech Republic,Česko,Česká republika,捷克, SK,Slovakia,Slovensko,斯洛伐克,
      PT,Portugal,葡萄牙, GR,Greece,Ελλάδα,Hellas,希腊, RO,Romania,România,罗马尼亚, BG,Bulgaria,България,保加利亚,
      HR,Croatia,Hrvatska,克罗地亚, SI,Slovenia,Slovenija,斯洛文尼亚, RS,Serbia,Srbija,Србија,塞尔维亚,
      MA,Morocco,Maroc,摩洛哥, TN,Tunisia,Tunisie,突尼斯
      """
    ),
    ("Z C S", "IT,Italy,Italia,意大利, ES,Spain,España,西班牙"),
    ("Z C, S", "MX,Mexico,México,墨西哥"),
    ("Z C/S", "TR,Turkey,Türkiye,土耳其"),
    ("Z C|S", "AR,Argentina,阿根廷, CL,Chile,智利, MY,Malaysia,马来西亚"),
    ("C S Z", "CA,Canada,加拿大, AU,Australia,澳大利亚"),
    ("C Z", "NZ,New Zealand,Aotearoa,新西兰, IL,Israel,ישראל,以色列, SG,Singapore,新加坡, SA,Saudi Arabia,沙特阿拉伯"),
    ("C Z|S", "IN,India,Bharat,भारत,印度, NG,Nigeria,尼日利亚"),
    ("C|S Z", "ID,Indonesia,印度尼西亚"),
    ("C-S|Z", "BR,Brazil,Brasil,巴西"),
    ("C, S|Z", "JP,Japan,日本"),
    (
      "C|S|Z",
      """
      GB,UK,U.K.,United Kingdom,Great Britain,England,Scotland,Wales,Northern Ireland,英国, IE,Ireland,Éire,爱尔兰,
      RU,Russia,Russian Federation,Россия,Российская Федерация,俄罗斯, UA,Ukraine,Україна,乌克兰,
      KR,South Korea,Korea,Republic of Korea,韩国
      """
    ),
  ]
}
