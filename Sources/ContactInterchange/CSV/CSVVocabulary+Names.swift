import Contacts

/// The names of columns that other programs write, in English and Chinese.
extension CSVVocabulary {
  static let textNames: [(field: String, names: [String])] = [
    ("formattedName", ["Full Name"]),
    ("prefix", ["Name Prefix", "Prefix", "Personal Title"]),
    ("given", ["First Name", "Given Name", "First", "Firstname", "名", "名字"]),
    ("middle", ["Middle Name", "Additional Name", "Middle", "中间名"]),
    ("family", ["Last Name", "Family Name", "Surname", "Last", "Lastname", "姓", "姓氏"]),
    ("suffix", ["Name Suffix", "Suffix"]),
    ("phoneticGiven", ["Phonetic First Name", "Given Name Yomi", "Given Yomi"]),
    ("phoneticMiddle", ["Phonetic Middle Name", "Additional Name Yomi"]),
    ("phoneticFamily", ["Phonetic Last Name", "Family Name Yomi", "Surname Yomi"]),
    ("nickname", ["Nickname", "Nick Name", "Nick", "昵称"]),
    (
      "organization",
      ["Organization Name", "Organization", "Organisation", "Company", "Company Name", "公司", "单位", "公司名称"]
    ),
    ("department", ["Organization Department", "Department", "部门"]),
    ("title", ["Organization Title", "Job Title", "Title", "Position", "职务", "职位"]),
    ("note", ["Notes", "Note", "Comments", "附注", "备注", "便笺"]),
  ]

  static let wholeNames = ["Name", "Display Name", "Displayname", "姓名", "显示名称", "联系人"]

  static let others: [(FieldSlot, [String])] = [
    (.birthday, ["Birthday", "Birth Date", "Date of Birth", "生日", "出生日期"]),
    (.groups, ["Labels", "Group Membership", "Categories", "Groups", "Group", "类别", "分组", "群组"]),
    (.kind, ["Kind"]),
    (.uid, ["UID"]),
    (.address(.street, label: ""), ["地址"]),
    (.address(.street, label: "work"), ["商务地址 街道", "商务街道", "公司地址"]),
    (.address(.city, label: "work"), ["商务地址 市/县", "商务市/县"]),
    (.address(.region, label: "work"), ["商务地址 省/市/自治区", "商务省/市/自治区"]),
    (.address(.postalCode, label: "work"), ["商务地址 邮政编码", "商务邮政编码"]),
    (.address(.country, label: "work"), ["商务地址 国家/地区", "商务国家/地区"]),
    (.address(.street, label: "home"), ["住宅地址 街道", "住宅街道", "家庭地址"]),
    (.address(.city, label: "home"), ["住宅地址 市/县", "住宅市/县"]),
    (.address(.region, label: "home"), ["住宅地址 省/市/自治区", "住宅省/市/自治区"]),
    (.address(.postalCode, label: "home"), ["住宅地址 邮政编码", "住宅邮政编码"]),
    (.address(.country, label: "home"), ["住宅地址 国家/地区", "住宅国家/地区"]),
  ]

  /// Columns for one value with a certain label.
  static let labeled: [(label: String, name: String, list: String)] = [
    ("anniversary", "Anniversary", "dates"), ("anniversary", "纪念日", "dates"),
    ("spouse", "Spouse", "related"), ("spouse", "配偶", "related"), ("child", "Children", "related"),
    ("child", "Child", "related"), ("manager", "Manager's Name", "related"), ("manager", "Manager", "related"),
    ("manager", "经理姓名", "related"), ("assistant", "Assistant's Name", "related"),
    ("assistant", "Assistant", "related"), ("assistant", "助理的姓名", "related"),
    ("", "IMAddress", "handles"), ("aim", "Screen Name", "handles"),
    ("", "邮箱", "emails"), ("", "电子邮件", "emails"), ("", "电子邮件地址", "emails"), ("", "邮件", "emails"),
    ("", "电子邮件 2 地址", "emails"), ("", "电子邮件 3 地址", "emails"), ("", "电子邮箱", "emails"),
    ("", "电话", "phones"), ("", "电话号码", "phones"), ("mobile", "手机", "phones"), ("mobile", "手机号", "phones"),
    ("mobile", "手机号码", "phones"), ("mobile", "移动电话", "phones"), ("work", "商务电话", "phones"),
    ("work", "办公电话", "phones"), ("work", "单位电话", "phones"), ("work", "公司电话", "phones"),
    ("home", "住宅电话", "phones"), ("home", "家庭电话", "phones"), ("fax", "传真", "phones"),
    ("work fax", "商务传真", "phones"), ("home fax", "住宅传真", "phones"), ("pager", "寻呼机", "phones"),
    ("", "网址", "urls"), ("", "网页", "urls"), ("", "主页", "urls"), ("qq", "QQ", "handles"),
    ("wechat", "微信", "handles"), ("custom 1", "Custom 1", "custom"), ("custom 2", "Custom 2", "custom"),
    ("custom 3", "Custom 3", "custom"), ("custom 4", "Custom 4", "custom"),
  ]

  static let birthdayParts: [String: BirthdayParts.Part] = [
    "birth year": .year, "birth month": .month, "birth day": .day,
  ]

  /// Other names of lists with numbered items.
  static let listNames: [String: Set<String>] = [
    "phones": ["telephone", "tel"], "emails": ["mail"], "urls": ["website", "web page", "web"],
    "dates": ["event"], "handles": ["im", "account", "chat"], "related": ["relation", "related name"],
    "custom": ["custom field"],
  ]

  static let addressParts: [String: CSVPart] = [
    "label": .label, "type": .label, "formatted": .formatted, "street": .address(.street), "city": .address(.city),
    "po box": .address(.poBox), "region": .address(.region), "state": .address(.region),
    "postal code": .address(.postalCode), "country": .address(.country), "extended address": .address(.extended),
  ]

  static let organizationParts = ["name": "organization", "title": "title", "department": "department"]

  enum Kind {
    case address(AddressPart)
    /// The name of a list, and the last word of the label; empty if there is none.
    case value(String, String)
  }

  /// The kind of a column, by the last or first words of its name; longer phrases before those that they contain.
  static let kinds: [(words: String, Kind)] = [
    ("address po box", .address(.poBox)), ("po box", .address(.poBox)), ("postal code", .address(.postalCode)),
    ("zip code", .address(.postalCode)), ("zipcode", .address(.postalCode)), ("zip", .address(.postalCode)),
    ("country region", .address(.country)), ("country", .address(.country)), ("state", .address(.region)),
    ("province", .address(.region)), ("region", .address(.region)), ("city", .address(.city)),
    ("street", .address(.street)), ("email address", .value("emails", "")), ("email", .value("emails", "")),
    ("emails", .value("emails", "")), ("mail", .value("emails", "")), ("web page", .value("urls", "")),
    ("website", .value("urls", "")), ("url", .value("urls", "")), ("web", .value("urls", "")),
    ("homepage", .value("urls", "homepage")), ("callback", .value("phones", "callback")),
    ("telex", .value("phones", "telex")), ("isdn", .value("phones", "isdn")), ("fax number", .value("phones", "fax")),
    ("fax", .value("phones", "fax")), ("pager number", .value("phones", "pager")), ("pager", .value("phones", "pager")),
    ("phone number", .value("phones", "")), ("phone", .value("phones", "")), ("telephone", .value("phones", "")),
    ("tel", .value("phones", "")), ("mobile number", .value("phones", "mobile")),
    ("mobile", .value("phones", "mobile")),
    ("cell", .value("phones", "mobile")), ("address", .address(.street)),
  ]

  /// The labels that the other words of a column's name stand for; words without an entry are the label.
  static let labels: [String: String] = [
    "business": "work", "office": "work", "personal": "home", "private": "home", "cell": "mobile",
    "company main": "main", "primary": "", "secondary": "", "assistants": "assistant", "tty tdd": "tty",
  ]

  /// The words that may follow the kind: `Phone (mobile)`.
  static let labelWords: Set<String> = [
    "home", "work", "business", "other", "main", "mobile", "cell", "school", "personal", "private", "primary", "fax",
    "iphone", "pager", "number", "value",
  ]

  /// The protocols of email addresses.
  static let emailTypes: Set<String> = ["email type", "email 2 type", "email 3 type"]
}

/// The names of the columns of Outlook's exports in German, French, Spanish, Italian and Japanese. Punctuation does not
/// matter, and numbers stand for further values.
extension CSVVocabulary {
  static let foreignTexts: [(field: String, names: [String])] = [
    ("prefix", ["Anrede", "Titre", "Tratamiento", "Titolo", "敬称"]),
    ("given", ["Vorname", "Prénom", "Nombre", "Nome"]),
    ("middle", ["Weitere Vornamen", "Deuxième prénom", "Segundo nombre", "Secondo nome", "ミドル ネーム"]),
    ("family", ["Nachname", "Nom", "Apellidos", "Apellido", "Cognome"]),
    ("suffix", ["Suffixe", "Sufijo", "Suffisso"]),
    ("phoneticGiven", ["名フリガナ", "フリガナ (名)", "名 (フリガナ)", "名 フリガナ"]),
    ("phoneticFamily", ["姓フリガナ", "フリガナ (姓)", "姓 (フリガナ)", "姓 フリガナ"]),
    ("nickname", ["Spitzname", "Surnom", "Apodo", "Soprannome", "ニックネーム"]),
    (
      "organization",
      ["Firma", "Société", "Entreprise", "Organización", "Empresa", "Compañía", "Società", "会社名", "会社", "勤務先"]
    ),
    ("department", ["Abteilung", "Service", "Département", "Departamento", "Reparto", "Ufficio reparto", "部署", "部門"]),
    ("title", ["Fonction", "Puesto", "Cargo", "Posizione", "Qualifica", "役職", "肩書き"]),
    ("note", ["Notizen", "Notas", "Note", "Remarques", "メモ"]),
  ]

  static let foreignNames = ["Anzeigename", "Nom complet", "Nombre completo", "Nome completo", "氏名", "表示名"]

  static let foreignBirthdays = ["Geburtstag", "Date de naissance", "Anniversaire", "Cumpleaños", "Compleanno", "誕生日"]

  static let foreignGroups = ["Kategorien", "Catégories", "Categorías", "Categorie", "分類", "分類項目"]

  static let foreignAddresses: [(label: String, part: AddressPart, names: [String])] = [
    (
      "work", .street,
      ["Straße geschäftlich", "Rue (bureau)", "Calle del trabajo", "Via (uff.)", "Indirizzo (uff.)", "番地 (会社)"]
    ),
    (
      "work", .city,
      ["Ort geschäftlich", "Ville (bureau)", "Ciudad de trabajo", "Ciudad del trabajo", "Città (uff.)", "市区町村 (会社)"]
    ),
    (
      "work", .region,
      [
        "Region geschäftlich", "Bundesland/Kanton geschäftlich", "Dép/Région (bureau)",
        "Provincia o estado de trabajo", "Provincia o estado del trabajo", "Provincia (uff.)", "都道府県 (会社)",
      ]
    ),
    (
      "work", .postalCode,
      [
        "Postleitzahl geschäftlich", "Code postal (bureau)", "Código postal del trabajo", "CAP (uff.)", "郵便番号 (会社)",
      ]
    ),
    (
      "work", .country,
      [
        "Land/Region geschäftlich", "Pays/Région (bureau)", "País o región del trabajo", "País del trabajo",
        "Paese (uff.)", "Paese/Area geografica (uff.)", "国 (会社)/地域", "国/地域 (会社)",
      ]
    ),
    (
      "work", .poBox,
      ["Postfach geschäftlich", "Boîte postale (bureau)", "Apartado postal del trabajo", "Casella postale (uff.)"]
    ),
    (
      "home", .street,
      ["Straße privat", "Rue (domicile)", "Calle particular", "Calle (particular)", "Via (ab.)", "番地 (自宅)"]
    ),
    (
      "home", .city,
      ["Ort privat", "Ville (domicile)", "Ciudad particular", "Ciudad (particular)", "Città (ab.)", "市区町村 (自宅)"]
    ),
    (
      "home", .region,
      [
        "Region privat", "Bundesland/Kanton privat", "Dép/Région (domicile)", "Provincia o estado particular",
        "Provincia o estado (particular)", "Provincia (ab.)", "都道府県 (自宅)",
      ]
    ),
    (
      "home", .postalCode,
      [
        "Postleitzahl privat", "Code postal (domicile)", "Código postal particular", "Código postal (particular)",
        "CAP (ab.)", "郵便番号 (自宅)",
      ]
    ),
    (
      "home", .country,
      [
        "Land/Region privat", "Pays/Région (domicile)", "País o región particular", "País o región (particular)",
        "Paese (ab.)", "Paese/Area geografica (ab.)", "国 (自宅)/地域", "国/地域 (自宅)",
      ]
    ),
    (
      "home", .poBox,
      ["Postfach privat", "Boîte postale (domicile)", "Apartado postal particular", "Casella postale (ab.)"]
    ),
    ("other", .street, ["Weitere Straße", "Rue (autre)", "Otra calle", "Altra via", "番地 (その他)"]),
    ("other", .city, ["Weiterer Ort", "Ville (autre)", "Otra ciudad", "Altra città", "市区町村 (その他)"]),
    (
      "other", .region,
      [
        "Weiteres/r Bundesland/Kanton", "Weitere Region", "Dép/Région (autre)", "Otra provincia o estado",
        "Altra provincia", "都道府県 (その他)",
      ]
    ),
    (
      "other", .postalCode,
      ["Weitere Postleitzahl", "Code postal (autre)", "Otro código postal", "Altro CAP", "郵便番号 (その他)"]
    ),
    (
      "other", .country,
      [
        "Weiteres/e Land/Region", "Weiteres Land/Region", "Pays/Région (autre)", "Otro país o región", "Altro paese",
        "国 (その他)/地域",
      ]
    ),
  ]

  static let foreignValues: [(list: String, label: String, names: [String])] = [
    (
      "emails", "",
      [
        "E-Mail-Adresse", "E-Mail: Adresse", "Adresse de messagerie", "Adresse e-mail", "Courriel",
        "Dirección de correo electrónico", "Dirección de correo", "Correo electrónico", "Indirizzo posta elettronica",
        "Indirizzo di posta elettronica", "電子メール アドレス", "電子メール", "メール アドレス",
      ]
    ),
    (
      "phones", "work",
      [
        "Telefon geschäftlich", "Téléphone (bureau)", "Teléfono del trabajo", "Teléfono (trabajo)", "Ufficio",
        "Telefono (uff.)", "会社電話", "会社電話番号",
      ]
    ),
    (
      "phones", "home",
      [
        "Telefon privat", "Telefon (privat)", "Téléphone (domicile)", "Teléfono particular", "Teléfono (particular)",
        "Abitazione", "Telefono (ab.)", "自宅電話", "自宅電話番号",
      ]
    ),
    (
      "phones", "mobile",
      [
        "Mobiltelefon", "Handy", "Tél. mobile", "Téléphone mobile", "Teléfono móvil", "Móvil", "Cellulare",
        "Telefono cellulare", "携帯電話", "携帯電話番号",
      ]
    ),
    ("phones", "main", ["Haupttelefon", "Téléphone principal", "Teléfono principal", "Telefono principale", "代表電話"]),
    (
      "phones", "other",
      ["Weiteres Telefon", "Téléphone (autre)", "Otro teléfono", "Altro telefono", "その他の電話"]
    ),
    ("phones", "company", ["Telefon Firma", "Téléphone société", "Teléfono de la compañía", "Telefono società"]),
    ("phones", "car", ["Autotelefon", "Téléphone (voiture)", "Teléfono del coche", "Telefono auto", "自動車電話"]),
    ("phones", "pager", ["Récepteur de radiomessagerie", "Localizador", "Cercapersone", "ポケットベル"]),
    ("phones", "work fax", ["Fax geschäftlich", "Télécopie (bureau)", "Fax del trabajo", "Fax (uff.)", "会社 FAX"]),
    ("phones", "home fax", ["Fax privat", "Télécopie (domicile)", "Fax particular", "Fax (ab.)", "自宅 FAX"]),
    ("phones", "other fax", ["Weiteres Fax", "Télécopie (autre)", "Otro fax", "Altro fax", "その他の FAX"]),
    ("urls", "", ["Webseite", "Page Web", "Página Web", "Pagina Web", "Web ページ"]),
    ("dates", "anniversary", ["Jahrestag", "Anniversaire de mariage ou fête", "Aniversario", "Anniversario", "記念日"]),
    ("related", "spouse", ["Partner", "Partner/in", "Conjoint(e)", "Cónyuge", "Nome coniuge", "配偶者", "配偶者の名前"]),
    ("related", "child", ["Kinder", "Enfants", "Hijos", "Figli", "子供"]),
    (
      "related", "assistant",
      ["Name Assistent", "Nom de l'assistant(e)", "Nombre del asistente", "Nome assistente", "秘書の氏名"]
    ),
    (
      "related", "manager",
      ["Name des/der Vorgesetzten", "Responsable", "Nombre del director", "Nome manager", "上司の名前"]
    ),
  ]
}
