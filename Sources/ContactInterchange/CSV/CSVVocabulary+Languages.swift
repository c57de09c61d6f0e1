import Contacts

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
