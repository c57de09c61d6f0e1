/// A section of the list: a letter of the Latin alphabet, or `#` for names that belong to none.
///
/// The raw value, 0 to 26, gives the order of the sections, and is what a store keeps.
public enum Section: UInt8, CaseIterable, Comparable, Hashable, Sendable {
  // swift-format-ignore: OneCasePerLine
  /// Names that are listed under this letter.
  case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z
  /// Names that begin with neither a Latin letter nor a character with a Mandarin reading (digits, emoji, kana,
  /// Cyrillic, Arabic), and empty names. The last section. ``ScriptSection`` divides the scripts in it.
  case other

  /// Creates the section of an ASCII letter in either case; `other` for every other character.
  public init(letter: UInt8) {
    let lower = letter | 0x20
    self = (0x61...0x7A).contains(lower) ? Section(rawValue: lower - 0x61) ?? .other : .other
  }

  /// "A" to "Z", or "#".
  public var title: String { self == .other ? "#" : String(Unicode.Scalar(0x41 + rawValue)) }

  /// The titles of all sections in order: "A" … "Z", "#".
  public static let allTitles: [String] = allCases.map(\.title)

  /// Returns whether `first` comes before `second` in the list.
  public static func < (first: Section, second: Section) -> Bool { first.rawValue < second.rawValue }
}

/// A section for names in another script, in a list that gives these their own letters after Z: А, Б, В …, あ, か …
///
/// Sections are in the order of ICU's root collation, by script and letter. A name belongs to the last letter that does
/// not come after it, so Ё is in Е, and a family name that begins with 까 in ㄱ.
public struct ScriptSection: Hashable, Comparable, Sendable {
  /// The index among all sections plus ``first``.
  public let rawValue: Int

  /// The raw value of the first section. From here on, raw values take two bytes in UTF-8. A sort key holds them in
  /// UTF-8, which keeps their order, and which SQL can convert to a number.
  public static let first = 0x80

  /// Creates a section from its raw value; nil if there is none.
  public init?(rawValue: Int) {
    guard Self.titles.indices.contains(rawValue - Self.first) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates the section of a name that begins with this text; nil if it does not begin with a letter of one of these
  /// scripts.
  public init?(beginning text: String) {
    let scalars = text.unicodeScalars.prefix(Self.compared).map(\.value)
    guard let section = scalars.withUnsafeBufferPointer({ Self($0) }) else { return nil }
    self = section
  }

  /// Creates the section of a name from its first scalars.
  init?(_ scalars: UnsafeBufferPointer<UInt32>) {
    guard let first = scalars.first, let script = Self.script(of: first),
      Unicode.Scalar(first)?.properties.isAlphabetic == true
    else { return nil }
    let weights = Collator.root.primaryWeights(of: scalars.prefix(Self.compared))
    let letters = Self.starts[script]..<Self.starts[script + 1]
    // A letter before the first of its script, such as the hamza, is in the section of the first.
    let index = letters.last { !weights.lexicographicallyPrecedes(Self.letterWeights[$0]) } ?? letters.lowerBound
    rawValue = index + Self.first
  }

  /// Its letter, as a title.
  public var title: String { Self.titles[rawValue - Self.first] }

  /// Returns whether `first` comes before `second` in the list.
  public static func < (first: ScriptSection, second: ScriptSection) -> Bool { first.rawValue < second.rawValue }

  // MARK: Scripts

  /// How many scalars decide: a vowel of Thai is sorted after the consonant that follows it.
  private static let compared = 4

  private struct Script {
    let letters: String
    let blocks: [ClosedRange<UInt32>]

    init(_ letters: String, _ blocks: ClosedRange<UInt32>...) {
      self.letters = letters
      self.blocks = blocks
    }
  }

  /// The letters that are sections, by script in the order of ICU's root collation. A test compares them with ICU.
  private static let scripts = [
    Script("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", 0x370...0x3FF, 0x1F00...0x1FFF),
    Script("АБВГДЂЕЄЖЗЅИІЙЈКЛЉМНЊОПРСТЋУФХЦЧЏШЩЪЫЬЭЮЯ", 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F),
    Script("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F),
    Script("ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ", 0x530...0x58F),
    Script("אבגדהוזחטיכלמנסעפצקרשת", 0x590...0x5FF, 0xFB1D...0xFB4F),
    Script(
      "ابپتثجچحخدذرزژسشصضطظعغفقكگلمنهوي", 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF,
      0xFE70...0xFEFF),
    Script("ሀለሐመሠረሰሸቀበተቸኀነኘአከኸወዐዘዠየደጀገጠጨጰጸፀፈፐ", 0x1200...0x139F),
    Script("अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह", 0x900...0x97F),
    Script("অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহ", 0x980...0x9FF),
    Script("ੳਉਊਓਅਆਐਔੲਇਈਏਸਹਕਖਗਘਙਚਛਜਝਞਟਠਡਢਣਤਥਦਧਨਪਫਬਭਮਯਰਲਵ", 0xA00...0xA7F),
    Script("અઆઇઈઉઊઋએઐઓઔકખગઘઙચછજઝઞટઠડઢણતથદધનપફબભમયરલવશષસહ", 0xA80...0xAFF),
    Script("ଅଆଇଈଉଊଋଏଐଓଔକଖଗଘଙଚଛଜଝଞଟଠଡଢଣତଥଦଧନପଫବଭମଯରଲଶଷସହ", 0xB00...0xB7F),
    Script("அஆஇஈஉஊஎஏஐஒஓஔகஙசஞடணதநபமயரலவழளறனஜஷஸஹ", 0xB80...0xBFF),
    Script("అఆఇఈఉఊఋఎఏఐఒఓఔకఖగఘఙచఛజఝఞటఠడఢణతథదధనపఫబభమయరలవశషసహ", 0xC00...0xC7F),
    Script("ಅಆಇಈಉಊಋಎಏಐಒಓಔಕಖಗಘಙಚಛಜಝಞಟಠಡಢಣತಥದಧನಪಫಬಭಮಯರಲವಶಷಸಹ", 0xC80...0xCFF),
    Script("അആഇഈഉഊഋഎഏഐഒഓഔകഖഗഘങചഛജഝഞടഠഡഢണതഥദധനപഫബഭമയരലവശഷസഹളഴറ", 0xD00...0xD7F),
    Script("අආඇඈඉඊඋඌඑඒඓඔඕඖකඛගඝචඡජටඩණතදනපබමයරලවශෂසහළෆ", 0xD80...0xDFF),
    Script("กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ", 0xE00...0xE7F),
    Script("ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫອຮ", 0xE80...0xEFF),
    Script("ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཝཞཟའཡརལཤསཧཨ", 0xF00...0xFFF),
    Script("ကခဂဃငစဆဇဈညဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟဠအ", 0x1000...0x109F),
    Script("កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរលវសហឡអ", 0x1780...0x17FF),
    Script("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ", 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3130...0x318F, 0xFFA0...0xFFDC),
    Script("あかさたなはまやらわ", 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D),
    Script("ㄅㄆㄇㄈㄉㄊㄋㄌㄍㄎㄏㄐㄑㄒㄓㄔㄕㄖㄗㄘㄙㄚㄛㄜㄝㄞㄟㄠㄡㄢㄣㄤㄥㄦㄧㄨㄩ", 0x3100...0x312F),
  ]

  static let titles = scripts.flatMap { $0.letters.unicodeScalars.map { String($0) } }

  /// The index of the first section of each script, followed by the number of sections.
  private static let starts = scripts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.letters.unicodeScalars.count) }

  /// The primary weights of the sections' letters. Only computed for a name in one of these scripts.
  static let letterWeights = scripts.flatMap { script in
    script.letters.unicodeScalars.map { letter in
      [letter.value].withUnsafeBufferPointer { Collator.root.primaryWeights(of: $0.prefix(1)) }
    }
  }

  private static func script(of scalar: UInt32) -> Int? {
    scalar < 0x370 ? nil : scripts.firstIndex { $0.blocks.contains { $0.contains(scalar) } }
  }
}
