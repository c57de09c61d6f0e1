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
