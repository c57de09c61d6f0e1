import ContactSearch
import SeededRandom

extension SeededGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }
  mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }
  mutating func digits(_ count: Int) -> String { (0..<count).map { _ in String(next() % 10) }.joined() }
}

/// Generated contacts, half of them Chinese.
struct RandomPeople {
  var generator: SeededGenerator

  static let surnames =
    "王李张刘陈杨黄吴赵周徐孙马朱胡林郭何高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢".map(String.init)
    + ["欧阳", "上官", "司马", "诸葛", "单", "仇", "曲", "解", "查", "区", "乐", "翟", "万俟", "尉迟"]
  static let given = Array(
    "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂文华建国志永海波宁红玉兰春梅雪琳晨阳宇浩轩子涵梓萱欣怡佳琪雨桐诗思远嘉懿煜城博瑶鑫鹏飞龙凤凯乐家豪俊峰振东旭昊天一诺可馨若曦清妍婷婉紫逸晓薇锦绍辉立新学良光荣卫民保援朝重长女西安藏行"
  ).map(String.init)
  static let firstNames = [
    "James", "Mary", "John", "Patricia", "Robert", "Jennifer", "Michael", "Linda", "William", "Elizabeth", "Jürgen",
    "Françoise", "Zoë", "José", "Łukasz", "Søren", "Åsa", "Björn", "Chloé", "Đorđe", "Ann", "Li", "Noah", "Иван",
    "Мария",
    "محمد", "สมชาย", "철수", "さくら",
  ]
  static let lastNames = [
    "Smith", "Johnson", "Williams", "Brown", "Garcia", "Müller", "Schmidt", "Dubois", "Lefèvre", "Nowak", "O'Brien",
    "O’Connor", "McDonald", "Núñez", "Yılmaz", "Garcia-Márquez", "Smith-Jones", "Lindström", "van der Berg", "Иванов",
    "علي", "ใจดี", "김", "佐藤",
  ]
  static let places = ["北京", "上海", "深圳", "杭州", "重庆", "厦门", "华夏", "东方", "新世纪"]
  static let trades = ["信息技术", "软件", "贸易", "文化传媒", "物流", "银行", "医药"]
  static let bodies = ["有限公司", "集团", "研究院", "事务所"]
  static let companies = ["Acme", "Globex", "Initech", "Umbrella", "Stark", "Hooli", "R&D", "A_B", "100%"]
  static let titles = ["工程师", "经理", "教师", "律师", "会计", "Engineer", "Manager", "Director", "VP, Sales"]
  static let notes = ["大学同学", "老家邻居", "Prefers e-mail", "Call after 6pm", "房东，每月 5 号交租", "Owes me 20 €"]
  static let streets = ["人民路", "中山路", "解放路", "天府大道", "Market St", "Baker Street", "Hauptstraße"]
  static let groups = ["家人", "朋友", "同事", "Friends", "Work", "VIP"]
  static let domains = ["gmail.com", "qq.com", "163.com", "example.org", "corp.cn", "proton.me"]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next(id: Int64) -> SearchDocument {
    var person = SearchDocument(id: id, name: "")
    let isChinese = generator.chance(50)
    if isChinese {
      let given = generator.pick(Self.given) + (generator.chance(70) ? generator.pick(Self.given) : "")
      person.name = generator.pick(Self.surnames) + given + (generator.chance(2) ? "😀" : "")
      let number = "1" + generator.pick(["38", "39", "50", "86", "99"]) + generator.digits(8)
      person.phones = [generator.chance(30) ? "+86 " + number : generator.chance(10) ? "0086" + number : number]
      if generator.chance(20) { person.phones.append("010-" + generator.digits(8)) }
      if generator.chance(50) {
        person.organization = generator.pick(Self.places) + generator.pick(Self.trades) + generator.pick(Self.bodies)
      }
      if generator.chance(35) { person.emails = [generator.digits(9) + "@" + generator.pick(Self.domains)] }
    } else {
      let first = generator.pick(Self.firstNames)
      let last = generator.pick(Self.lastNames)
      person.name = first + " " + last
      person.given = first
      person.family = last
      person.phones = [
        generator.pick(["+1 415 555 ", "+44 20 7946 ", "(0)31 555 ", "+49 89 5550"]) + generator.digits(4)
      ]
      if generator.chance(50) { person.organization = generator.pick(Self.companies) }
      if generator.chance(70) {
        person.emails = ["\(first).\(last)\(generator.digits(2))@\(generator.pick(Self.domains))".lowercased()]
      }
    }
    if generator.chance(40) { person.title = generator.pick(Self.titles) }
    if generator.chance(10) { person.nickname = generator.pick(Self.given) + generator.pick(Self.given) }
    if generator.chance(25) {
      person.addresses = [generator.pick(Self.streets) + " " + generator.digits(3) + ", " + generator.pick(Self.places)]
    }
    if generator.chance(15) { person.note = generator.pick(Self.notes) }
    if generator.chance(30) { person.groups = [generator.pick(Self.groups)] }
    if generator.chance(5) { person.urls = ["https://" + generator.pick(Self.domains) + "/" + generator.digits(3)] }
    if generator.chance(5) { person.phoneticFamily = "Shan" }
    person.hasPhoto = generator.chance(20)
    person.hasBirthday = generator.chance(30)
    person.isPerson = !generator.chance(5)
    return person
  }

  /// Makes a query that often finds something.
  mutating func query() -> String {
    let count = generator.chance(60) ? 1 : generator.chance(70) ? 2 : 3
    return (0..<count).map { _ in term() }.joined(separator: " ")
  }

  private mutating func term() -> String {
    let words = [
      "l", "li", "lix", "wang", "zh", "zhang", "x", "xian", "an", "nv", "lv", "yue", "chong", "j", "smith",
      "jsm", "obrien", "o'b", "garciam", "muller", "gcs", "bj", "acme", "r&d", "100%", "%", "_", ".", "@", "@q", "com",
      "gmail",
      "13", "138", "0086", "+86", "+861", "010", "+1 415", "44", "5", "55", "0", "1", "99", "有限", "公司", "李", "張", "重庆",
      "王x", "l强", "ив", "м", "สม", "철", "さ", "مح", "engineer", "e-mail", "20", "\"li\"", "\"wang wei\"", "\"smith",
      "\"",
      "org:acme", "org:", "tel:138", "name:li", "nick:a", "email:gm", "url:com", "note:da", "addr:r", "group:v",
      "group:家",
      "title:g", "has:photo", "has:birthday", "has:x", "has:", "foo:li", "-", "-li", "-org:acme", "-has:photo", "'",
      "shan",
      "zhongshan", "beijing", "bjrj", "cq", "xiam", "kuaij", "-\"li\"", "–", "（", "ＬＩ", "é", "z", "sh", "ch",
    ]
    if generator.chance(70) { return generator.pick(words) }
    let letters = "abcdeghijlmnoqrsuwxyz".map(String.init)
    return (0..<(1 + Int(generator.next() % 4))).map { _ in generator.pick(letters) }.joined()
  }
}
