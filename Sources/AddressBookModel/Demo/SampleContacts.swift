import Contacts

/// Sample contacts for trying the program: about half of them Chinese, the others from many places, with phones,
/// emails, birthdays, notes and groups. The same seed gives the same contacts on every machine. Names, numbers and
/// addresses are random; a phone number may exist by coincidence.
public struct SampleContacts: Sequence, IteratorProtocol {
  private var chance: SplitMix64
  private var left: Int
  private var number = 0

  /// Creates a sequence of sample contacts.
  /// - Parameters:
  ///   - count: the number of contacts.
  ///   - seed: the seed of the random numbers.
  public init(count: Int, seed: UInt64) {
    left = Swift.max(0, count)
    chance = SplitMix64(seed: seed)
  }

  /// Returns the next contact; nil after the last.
  public mutating func next() -> Contact? {
    guard left > 0 else { return nil }
    left -= 1
    number += 1
    var contact = Contact()
    contact.uid = UniqueID.make(using: &chance)
    switch chance.below(100) {
    case 0..<4: fillOrganization(&contact)
    case 4..<52: fillChinese(&contact)
    case 52..<84: fillLatin(&contact)
    default: fillOther(&contact)
    }
    addDetails(&contact)
    return contact
  }

  // MARK: - Names

  private mutating func fillOrganization(_ contact: inout Contact) {
    contact.kind = .organization
    if chance.below(2) == 0 {
      contact.organization = chance.pick(DemoNames.cities) + chance.pick(DemoNames.chineseTrades) + "有限公司"
      contact.phones = [LabeledValue(label: "work", value: "010-5550 \(digits(4))")]
      contact.addresses = [chineseAddress("work")]
    } else {
      contact.organization = chance.pick(DemoNames.companies)
      contact.phones = [LabeledValue(label: "work", value: "+1 415 555 \(digits(4))")]
    }
    contact.emails = [LabeledValue(label: "work", value: "office\(number)@example.org")]
    contact.urls = [LabeledValue(value: "https://www.example.org/\(number)")]
  }

  private mutating func fillChinese(_ contact: inout Contact) {
    contact.family = chance.pick(DemoNames.chineseFamilies)
    contact.given = chance.pick(DemoNames.chineseGiven)
    if chance.below(3) > 0 { contact.given += chance.pick(DemoNames.chineseGiven) }
    contact.phones = [
      LabeledValue(label: "mobile", value: "1\(chance.pick(["38", "39", "50", "86", "99"])) \(digits(4)) \(digits(4))")
    ]
    if chance.below(4) == 0 { contact.phones.append(LabeledValue(label: "home", value: "010-5550 \(digits(4))")) }
    if chance.below(10) < 6 {
      contact.emails = [LabeledValue(label: "home", value: "user\(digits(5))@example.cn")]
    }
    if chance.below(10) < 5 {
      contact.organization = chance.pick(DemoNames.cities) + chance.pick(DemoNames.chineseTrades) + "有限公司"
      contact.title = chance.pick(DemoNames.chineseTitles)
    }
    if chance.below(3) == 0 { contact.addresses = [chineseAddress("home")] }
    if chance.below(5) == 0 { contact.note = chance.pick(DemoNames.chineseNotes) }
    addGroups(DemoNames.chineseGroups, to: &contact)
  }

  private mutating func fillLatin(_ contact: inout Contact) {
    contact.given = chance.pick(DemoNames.latinGiven)
    contact.family = chance.pick(DemoNames.latinFamilies)
    if chance.below(12) == 0 { contact.prefix = "Dr." }
    if chance.below(30) == 0 { contact.suffix = "Jr." }
    if chance.below(8) == 0 { contact.nickname = String(contact.given.prefix(3)) }
    let place = chance.pick(DemoNames.latinPlaces)
    contact.phones = [LabeledValue(label: "mobile", value: "\(place.dialing) 555 \(digits(4))")]
    if chance.below(4) == 0 {
      contact.phones.append(LabeledValue(label: "work", value: "\(place.dialing) 555 \(digits(4))"))
    }
    if chance.below(10) < 8 {
      contact.emails = [LabeledValue(label: "home", value: "mail\(digits(5))@example.com")]
    }
    if chance.below(10) < 5 {
      contact.organization = chance.pick(DemoNames.companies)
      contact.title = chance.pick(DemoNames.latinTitles)
    }
    if chance.below(3) == 0 {
      contact.addresses = [
        PostalAddress(
          label: "home", street: "\(chance.pick(DemoNames.latinStreets)) \(1 + chance.below(99))", city: place.city,
          postalCode: digits(5), country: place.country)
      ]
    }
    if chance.below(5) == 0 { contact.note = chance.pick(DemoNames.latinNotes) }
    addGroups(DemoNames.latinGroups, to: &contact)
  }

  private mutating func fillOther(_ contact: inout Contact) {
    let script = chance.pick(DemoNames.scripts)
    contact.family = chance.pick(script.families)
    contact.given = chance.pick(script.given)
    if let phonetic = script.phonetic[contact.family] { contact.phoneticFamily = phonetic }
    contact.phones = [LabeledValue(label: "mobile", value: "\(script.dialing) 555 \(digits(4))")]
    if chance.below(2) == 0 {
      contact.emails = [LabeledValue(label: "home", value: "post\(digits(5))@example.net")]
    }
    addGroups(DemoNames.latinGroups, to: &contact)
  }

  // MARK: - Details

  private mutating func addDetails(_ contact: inout Contact) {
    guard contact.kind == .person else { return }
    if chance.below(10) < 4 {
      let month = 1 + chance.below(12)
      let year = chance.below(3) == 0 ? nil : 1940 + chance.below(70)
      contact.birthday = PartialDate(year: year, month: month, day: 1 + chance.below(28))
    }
    if chance.below(25) == 0 {
      contact.urls = [LabeledValue(label: "homepage", value: "https://example.com/~\(number)")]
    }
    if chance.below(40) == 0 {
      contact.dates = [LabeledValue(label: "anniversary", value: "\(1980 + chance.below(40))-05-20")]
    }
  }

  private mutating func addGroups(_ names: [String], to contact: inout Contact) {
    guard chance.below(10) < 5 else { return }
    contact.groups = [chance.pick(names)]
    if chance.below(4) == 0 { contact.groups = Set(contact.groups + [chance.pick(names)]).sorted() }
  }

  private mutating func chineseAddress(_ label: String) -> PostalAddress {
    PostalAddress(
      label: label, street: "\(chance.pick(DemoNames.chineseStreets))\(1 + chance.below(300))号",
      city: chance.pick(DemoNames.cities) + "市", postalCode: "100\(digits(3))", country: "中国")
  }

  private mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text += String(chance.below(10)) }
    return text
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): a seed gives the same numbers everywhere. `SystemRandomNumberGenerator`
/// cannot be seeded.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// Returns a number from 0 to `limit` - 1.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}

/// The names and other texts of sample contacts.
enum DemoNames {
  /// Surnames in roughly their real proportions, and some with special readings.
  static let chineseFamilies = words(
    """
    王 王 王 王 李 李 李 李 张 张 张 张 刘 刘 刘 陈 陈 陈 杨 杨 黄 黄 赵 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 高 罗 郑 梁 谢 宋 唐 许 邓 冯 韩
    曹 曾 彭 萧 蔡 潘 田 董 袁 于 余 叶 蒋 杜 苏 魏 程 吕 丁 沈 任 姚 卢 傅 钟 姜 崔 谭 廖 范 汪 陆 金 石 戴 贾 韦 夏 邱 方 侯 邹 熊 孟 秦 白 江
    阎 薛 尹 段 雷 黎 史 龙 陶 贺 顾 毛 郝 龚 邵 万 覃 武 钱 单 解 仇 查 盖 区 乐 翟 欧阳 上官 司马 诸葛 慕容 尉迟 夏侯
    """)

  static let chineseGiven = words(
    """
    伟 芳 娜 秀 英 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 霞 平 刚 桂 文 华 建 国 志 永 海 波 宁 红 玉 兰 春 梅 雪 琳 晨 阳 宇 浩 轩 子 涵
    梓 萱 欣 怡 佳 琪 雨 桐 诗 思 远 嘉 懿 煜 城 博 瑶 鑫 鹏 飞 凤 凯 家 豪 俊 峰 振 东 旭 昊 天 一 诺 可 馨 若 曦 清 小 龙 重 长 行 朝
    """)

  static let cities = words("北京 上海 广州 深圳 杭州 南京 成都 武汉 西安 重庆 青岛 厦门 大连 长沙 苏州")
  static let chineseTrades = words("星河软件 恒信贸易 华夏物流 东方文化 新世纪教育 金桥医药 天元设计 联创电子 长风出版 重光机械")
  static let chineseTitles = words("工程师 经理 总监 教师 教授 医生 护士 律师 会计 设计师 记者 程序员 产品经理")
  static let chineseStreets = words("人民路 中山路 解放路 长江路 学院路 和平街 南京西路 延安路 文一西路")
  static let chineseNotes = ["大学同学", "老家邻居", "春节聚会认识", "喜欢喝茶，周末爱钓鱼", "请在工作日联系", "生日别忘了送礼物", "第一行\n第二行"]
  static let chineseGroups = words("家人 朋友 同事 同学 客户 邻居")

  static let latinGiven = words(
    """
    James Mary John Patricia Robert Jennifer Linda William Elizabeth David Barbara Emma Olivia Liam Noah Ava Sophia Lucas
    Hans Jürgen Françoise Zoë José María Jesús Ángel Łukasz Małgorzata Søren Åsa Björn Günther Renée Chloé Nuño Ayşe Đorđe
    Žofie Jiří Siobhán Niamh Anaïs Þór
    """)
  static let latinFamilies = [
    "Smith", "Johnson", "Williams", "Brown", "Jones", "Garcia", "Miller", "Davis", "Wilson", "Anderson", "Taylor",
    "Moore", "Jackson", "Martin", "Lee", "Thompson", "White", "Müller", "Schmidt", "Schneider", "Fischer", "Weber",
    "Dubois", "Lefèvre", "Moreau", "Rossi", "Russo", "Ferrari", "Nowak", "Kowalski", "Wiśniewski", "Jensen", "Sørensen",
    "Andersson", "Lindström", "Virtanen", "Korhonen", "Novák", "Dvořák", "O’Brien", "McDonald", "Núñez", "Yılmaz",
    "Popescu", "Horváth", "García-Márquez", "von Berg", "van der Meer", "de la Cruz", "Øverland", "Łapiński", "Åkesson",
  ]
  static let companies = [
    "Acme Inc.", "Globex Ltd.", "Initech", "Umbrella GmbH", "Northwind", "Vandelay & Sons", "Soylent AB",
    "Tyrell Consulting", "Hooli Labs", "3 Rivers Co-op",
  ]
  static let latinTitles = [
    "Engineer", "Manager", "Director", "Teacher", "Professor", "Doctor", "Nurse", "Lawyer", "Designer", "Assistant",
  ]
  static let latinStreets = ["Baker Street", "Hauptstraße", "rue de la Paix", "Calle Mayor", "Storgatan", "Via Roma"]
  static let latinPlaces: [(city: String, country: String, dialing: String)] = [
    ("London", "UK", "+44 20 7946"), ("München", "Deutschland", "+49 89"), ("Paris", "France", "+33 1"),
    ("Madrid", "España", "+34 91"), ("Göteborg", "Sverige", "+46 31"), ("San Francisco", "USA", "+1 415"),
  ]
  static let latinNotes = [
    "Met at the library conference", "Prefers email", "Call after 6 pm, not on Sundays", "Allergic to nuts",
    "Kids: Anna, Ben", "Owes me 20 €", "First line\nSecond line\nThird line",
  ]
  static let latinGroups = words("Family Friends Work School Customers Neighbors")

  /// Names in other languages, some with phonetic names.
  static let scripts: [(families: [String], given: [String], dialing: String, phonetic: [String: String])] = [
    (
      words("佐藤 鈴木 高橋 田中 渡辺 山本"), words("翔太 美咲 大輔 陽子 さくら ひろし"), "+81 90",
      ["佐藤": "Satō", "鈴木": "Suzuki", "高橋": "Takahashi", "田中": "Tanaka", "渡辺": "Watanabe", "山本": "Yamamoto"]
    ),
    (words("김 이 박 최 정 강"), words("민준 서연 지우 하준 영희 철수"), "+82 10", [:]),
    (words("Иванов Смирнов Попова Петрова Соколов"), words("Александр Мария Дмитрий Анна Пётр"), "+7 916", [:]),
    (words("محمد أحمد حسن إبراهيم"), words("فاطمة خالد يوسف مريم"), "+966 50", [:]),
    (words("शर्मा वर्मा गुप्ता सिंह"), words("प्रिया राहुल अनिता अमित"), "+91 98", [:]),
    (words("สุขใจ ใจดี ศรีสุข"), words("สมชาย สมหญิง ประเสริฐ"), "+66 81", [:]),
    (words("Παπαδόπουλος Γεωργίου"), words("Γιώργος Μαρία Ελένη"), "+30 694", [:]),
    (words("כהן לוי מזרחי"), words("דוד שרה משה"), "+972 50", [:]),
    (words("Nguyễn Trần Phạm Đặng"), words("Văn An Thị Hương Minh Ánh"), "+84 90", [:]),
  ]

  private static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
