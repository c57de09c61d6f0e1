/// Postal addresses as written on an envelope.
public enum AddressText {
  /// Returns the lines of an address. If its region, city or street has Han characters or Hangul, it begins with the
  /// country and ends with the floor and the post office box (with Hangul, then the postal code); otherwise it has the
  /// format of its country (``AddressFormat``).
  public static func lines(of address: PostalAddress) -> [String] {
    let street = address.street.split(separator: "\n").map(String.init)
    let scalars = (address.region + address.city + address.street).unicodeScalars
    let lines =
      if scalars.contains(where: isHangul) {
        [
          address.country, joined(address.region, address.city == address.region ? "" : address.city),
        ] + street + [address.extended, address.poBox, address.postalCode]
      } else if scalars.contains(where: \.properties.isIdeographic) {
        [
          joined(address.country, postalCode(of: address)),
          locality(of: address) + street.joined() + address.extended
            + address.poBox,
        ]
      } else {
        AddressFormat(country: address.country).lines(of: address, street: [address.poBox, address.extended] + street)
          + [address.country]
      }
    return lines.filter { !$0.isEmpty }
  }

  private static func joined(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }

  /// Returns the region and the city; only the city if it begins with the region, such as 北京市. 吉林 is the one province
  /// that has the name of a city in it.
  private static func locality(of address: PostalAddress) -> String {
    let (region, city) = (address.region, address.city)
    return city.hasPrefix(region) && (region != "吉林" || city == region) ? city : region + city
  }

  private static func postalCode(of address: PostalAddress) -> String {
    let isJapanese = ["日本", "日本国", "japan", "jp"].contains(address.country.lowercased())
    return isJapanese && address.postalCode.first?.isNumber == true ? "〒" + address.postalCode : address.postalCode
  }

  /// Returns true for a Hangul syllable or conjoining letter.
  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0xAC00...0xD7A3).contains(scalar.value) || (0x1100...0x11FF).contains(scalar.value)
  }
}

/// The format of the lines of an address above the country, which depends on the country.
///
/// The order is that of the Universal Postal Union's guides to addressing, as given in the data of Google's
/// libaddressinput (`fmt`). A country that is not in the table has the format of the United States.
struct AddressFormat {
  /// C, S and Z stand for the city, the region and the postal code, `|` for the end of a line. The text before a letter
  /// is written only between two parts that are not empty. A, on a line of its own, stands for the street; without it,
  /// the street comes first.
  private let pattern: String

  /// Chooses the format of a country as it was typed: its name in English or Chinese, for most countries also in its
  /// own language, or its code.
  init(country: String) {
    pattern = Self.patterns[ContentKey.folded(country)] ?? "C, S Z"
  }

  /// Returns the lines. A region that the country's format does not contain comes last, on a line of its own, unless it
  /// is the same as the city.
  /// - Parameter street: the lines of the street, with the lines above it, such as a post office box.
  func lines(of address: PostalAddress, street: [String]) -> [String] {
    var lines = pattern.contains("A") ? [] : street
    for line in pattern.split(separator: "|") {
      if line == "A" {
        lines += street
        continue
      }
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

  private static let patterns: [String: String] = {
    var patterns: [String: String] = [:]
    for (pattern, countries) in table {
      for name in countries.split(separator: ",") { patterns[ContentKey.folded(String(name))] = pattern }
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
      MA,Morocco,Maroc,摩洛哥, TN,Tunisia,Tunisie,突尼斯, DZ,Algeria,Algérie,阿尔及利亚, ET,Ethiopia,埃塞俄比亚,
      TZ,Tanzania,坦桑尼亚, MG,Madagascar,马达加斯加, NE,Niger,尼日尔, SN,Senegal,Sénégal,塞内加尔, GN,Guinea,Guinée,几内亚,
      ZM,Zambia,赞比亚, HT,Haiti,Haïti,海地, DO,Dominican Republic,República Dominicana,多米尼加,多米尼加共和国,
      AZ,Azerbaijan,Azərbaycan,阿塞拜疆, TJ,Tajikistan,塔吉克斯坦
      """
    ),
    ("Z C S", "IT,Italy,Italia,意大利, ES,Spain,España,西班牙, MZ,Mozambique,Moçambique,莫桑比克"),
    ("Z- C", "GT,Guatemala,危地马拉"),
    ("Z, C|S", "BY,Belarus,Беларусь,白俄罗斯"),
    ("Z|C", "EC,Ecuador,厄瓜多尔"),
    ("Z C, S", "MX,Mexico,México,墨西哥"),
    ("Z C/S", "TR,Turkey,Türkiye,土耳其"),
    ("Z C|S", "AR,Argentina,阿根廷, CL,Chile,智利, MY,Malaysia,马来西亚, UZ,Uzbekistan,Oʻzbekiston,乌兹别克斯坦"),
    ("C S Z", "CA,Canada,加拿大, AU,Australia,澳大利亚"),
    (
      "C Z",
      """
      NZ,New Zealand,Aotearoa,新西兰, IL,Israel,ישראל,以色列, SG,Singapore,新加坡, SA,Saudi Arabia,沙特阿拉伯, NP,Nepal,नेपाल,尼泊尔,
      KH,Cambodia,柬埔寨, JO,Jordan,الأردن,约旦
      """
    ),
    ("C, Z", "MM,Myanmar,Burma,缅甸"),
    ("C-Z", "PK,Pakistan,پاکستان,巴基斯坦"),
    ("C - Z", "BD,Bangladesh,বাংলাদেশ,孟加拉国"),
    ("C, S, Z", "CO,Colombia,哥伦比亚"),
    ("C Z, S", "VE,Venezuela,委内瑞拉"),
    ("C Z S", "PG,Papua New Guinea,巴布亚新几内亚"),
    ("C Z|S", "IN,India,Bharat,भारत,印度, NG,Nigeria,尼日利亚, PE,Peru,Perú,秘鲁"),
    ("C|S Z", "ID,Indonesia,印度尼西亚, TH,Thailand,ประเทศไทย,ไทย,泰国, VN,Vietnam,Viet Nam,Việt Nam,越南"),
    ("C|S, Z", "CN,China,PRC,P.R. China,People's Republic of China,中国, KP,North Korea,朝鲜"),
    ("C|Z S", "PH,Philippines,The Philippines,Pilipinas,菲律宾"),
    ("C S|Z", "CU,Cuba,古巴"),
    (
      "C|Z",
      """
      ZA,South Africa,Suid-Afrika,南非, KE,Kenya,肯尼亚, SD,Sudan,السودان,苏丹, LK,Sri Lanka,斯里兰卡,
      AF,Afghanistan,افغانستان,阿富汗
      """
    ),
    ("C-S|Z", "BR,Brazil,Brasil,巴西"),
    ("C, S|Z", "JP,Japan,日本, IQ,Iraq,العراق,伊拉克, HN,Honduras,洪都拉斯"),
    ("C|A|Z", "HU,Hungary,Magyarország,匈牙利"),
    ("S|C|A|Z", "IR,Iran,ایران,伊朗"),
    ("Z|S|C|A", "KZ,Kazakhstan,Қазақстан,Казахстан,哈萨克斯坦"),
    (
      "C|S|Z",
      """
      GB,UK,U.K.,United Kingdom,Great Britain,England,Scotland,Wales,Northern Ireland,英国, IE,Ireland,Éire,爱尔兰,
      RU,Russia,Russian Federation,Россия,Российская Федерация,俄罗斯, UA,Ukraine,Україна,乌克兰,
      KR,South Korea,Korea,Republic of Korea,韩国, EG,Egypt,مصر,埃及
      """
    ),
  ]
}
