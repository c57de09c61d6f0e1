/// A token of the format language and where it begins.
struct FormatToken: Equatable {
  enum Kind: Equatable {
    case word(Word)
    case key(String)
    case variable(String)
    case string(String)
    case integer(Int64)
    case double(Double)
    case comparison(PredicateComparison.Operator)
    case aggregate(AggregateFunction)
    /// A sign, or a name with its colon.
    case function(PredicateFunction)
    case symbol(Symbol)
    case end
  }

  /// The reserved words, which are not case-sensitive.
  enum Word: String, CaseIterable {
    case and, or, not, truepredicate, falsepredicate
    case any, some, all, none
    case `in`, beginswith, endswith, contains, like, matches, between
    case `true`, yes, `false`, no, `nil`, null, cast, `self`, subquery
  }

  enum Symbol: String {
    case open = "("
    case close = ")"
    case openList = "{"
    case closeList = "}"
    case comma = ","
    case dot = "."
    case and = "&&"
    case or = "||"
    case not = "!"
    case argument = "%@"
    case keyArgument = "%K"
    case integerArgument = "%d"
    case numberArgument = "%f"
    case openIndex = "["
    case closeIndex = "]"
  }

  let kind: Kind
  /// In Unicode scalars from 0.
  let offset: Int
  /// The spelling of a key or a word in the text.
  var spelling = ""

  /// Returns the reserved word that a string spells, if any. Characters that only look like ASCII letters do not match.
  static func word(_ text: String) -> Word? {
    text.utf8.allSatisfy { $0 < 0x80 } ? Word(rawValue: text.lowercased()) : nil
  }
}

/// Splits a string of the format language into tokens.
struct FormatTokenizer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Reads the next token. Text that is not a token is an error at its offset.
  mutating func next() throws(InvalidPredicate) -> FormatToken {
    while let scalar = current, " \t\r\n".unicodeScalars.contains(scalar) { position += 1 }
    let start = position
    if let scalar = current, beginsKey(scalar) {
      let spelling = key()
      if current == ":", let function = Self.functions[spelling.lowercased()] {
        position += 1
        return FormatToken(kind: .function(function), offset: start)
      }
      let kind = FormatToken.word(spelling).map(FormatToken.Kind.word) ?? .key(spelling)
      return FormatToken(kind: kind, offset: start, spelling: spelling)
    }
    return FormatToken(kind: try kind(), offset: start)
  }

  /// Reads `[c]`, `[d]`, `[cd]` or `[dc]` in either case, if a bracket follows directly.
  mutating func options() throws(InvalidPredicate) -> TextOptions {
    guard current == "[" else { return [] }
    let letters = scalars[(position + 1)...].prefix(3)
    guard let end = letters.firstIndex(of: "]") else { throw .syntax(offset: position) }
    var options: TextOptions = []
    for letter in letters[..<end] {
      let option: TextOptions
      switch letter {
      case "c", "C": option = .caseInsensitive
      case "d", "D": option = .diacriticInsensitive
      default: throw .syntax(offset: position)
      }
      guard options.insert(option).inserted else { throw .syntax(offset: position) }
    }
    guard !options.isEmpty else { throw .syntax(offset: position) }
    position = end + 1
    return options
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func kind() throws(InvalidPredicate) -> FormatToken.Kind {
    guard let scalar = current else { return .end }
    if scalar == "'" || scalar == "\"" { return .string(try string(quote: scalar)) }
    if isDigit(scalar) || scalar == "-" && peek(1).map(isDigit) == true { return number() }
    if scalar == "$" { return .variable(try variable()) }
    if scalar == "@" { return .aggregate(try aggregate()) }
    for length in [4, 3, 2, 1] where position + length <= scalars.count {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[position..<(position + length)])
      guard let kind = Self.symbols[String(view)] else { continue }
      position += length
      return kind
    }
    throw .syntax(offset: position)
  }

  private static let symbols: [String: FormatToken.Kind] = [
    "=": .comparison(.equal), "==": .comparison(.equal), "!=": .comparison(.notEqual), "<>": .comparison(.notEqual),
    "<": .comparison(.less), "<=": .comparison(.lessOrEqual), "=<": .comparison(.lessOrEqual),
    ">": .comparison(.greater), ">=": .comparison(.greaterOrEqual), "=>": .comparison(.greaterOrEqual),
    "(": .symbol(.open), ")": .symbol(.close), "{": .symbol(.openList), "}": .symbol(.closeList), ",": .symbol(.comma),
    ".": .symbol(.dot), "&&": .symbol(.and), "||": .symbol(.or), "!": .symbol(.not), "%@": .symbol(.argument),
    "%K": .symbol(.keyArgument), "[": .symbol(.openIndex), "]": .symbol(.closeIndex), "%d": .symbol(.integerArgument),
    "%i": .symbol(.integerArgument), "%ld": .symbol(.integerArgument), "%lld": .symbol(.integerArgument),
    "%f": .symbol(.numberArgument), "%lf": .symbol(.numberArgument), "+": .function(.add), "-": .function(.subtract),
    "*": .function(.multiply), "/": .function(.divide),
  ]

  private static let functions: [String: PredicateFunction] = [
    "lowercase": .lowercase, "uppercase": .uppercase, "min": .minimum, "max": .maximum, "sum": .sum,
  ]

  /// Goes back to the number at this offset if it begins with a sign, and reads only the sign.
  mutating func readsSign(at offset: Int) -> Bool {
    guard scalars[offset] == "-" else { return false }
    position = offset + 1
    return true
  }

  // MARK: Keys and words

  private func beginsKey(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isLetter
  }

  private mutating func key() -> String {
    var view = String.UnicodeScalarView()
    while let scalar = current, beginsKey(scalar) || scalar.properties.continuesKey {
      view.append(scalar)
      position += 1
    }
    return String(view)
  }

  private mutating func variable() throws(InvalidPredicate) -> String {
    let start = position
    position += 1
    guard let scalar = current, beginsKey(scalar) else { throw .syntax(offset: start) }
    let name = key()
    guard FormatToken.word(name) == nil else { throw .syntax(offset: start) }
    return name
  }

  private mutating func aggregate() throws(InvalidPredicate) -> AggregateFunction {
    let start = position
    position += 1
    guard let function = AggregateFunction(rawValue: key().lowercased()) else { throw .syntax(offset: start) }
    return function
  }

  // MARK: Constants

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func digits() {
    while let scalar = current, isDigit(scalar) { position += 1 }
  }

  private mutating func number() -> FormatToken.Kind {
    let start = position
    var isWhole = true
    if current == "-" { position += 1 }
    if current == "0", peek(1) == "x" || peek(1) == "X", peek(2)?.properties.isASCIIHexDigit == true {
      position += 2
      let first = position
      while current?.properties.isASCIIHexDigit == true { position += 1 }
      let sign = scalars[start] == "-" ? "-" : ""
      let text = String(String.UnicodeScalarView(scalars[first..<position]))
      if let integer = Int64(sign + text, radix: 16) { return .integer(integer) }
      return .double(Double("\(sign)0x\(text)") ?? .infinity)
    }
    digits()
    if current == ".", peek(1).map(isDigit) == true {
      isWhole = false
      position += 1
      digits()
    }
    if current == "e" || current == "E" {
      let sign = peek(1) == "+" || peek(1) == "-" ? 1 : 0
      if peek(1 + sign).map(isDigit) == true {
        isWhole = false
        position += 1 + sign
        digits()
      }
    }
    let text = String(String.UnicodeScalarView(scalars[start..<position]))
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    // Digits always form a double; one out of range is infinite.
    return .double(Double(text) ?? .infinity)
  }

  private mutating func string(quote: Unicode.Scalar) throws(InvalidPredicate) -> String {
    let start = position
    var view = String.UnicodeScalarView()
    position += 1
    while let scalar = current {
      if scalar == quote {
        position += 1
        return String(view)
      }
      if scalar == "\\" {
        guard peek(1) != nil else { break }
        view.append(try escape())
      } else {
        view.append(scalar)
        position += 1
      }
    }
    throw .syntax(offset: start)
  }

  /// Reads the scalar of an escape. Two escapes that form a surrogate pair are one scalar.
  private mutating func escape() throws(InvalidPredicate) -> Unicode.Scalar {
    let start = position
    let plain: [Unicode.Scalar: Unicode.Scalar] = [
      "'": "'", "\"": "\"", "\\": "\\", "n": "\n", "t": "\t", "r": "\r",
    ]
    if let letter = peek(1), let scalar = plain[letter] {
      position += 2
      return scalar
    }
    guard let unit = codeUnit(at: position) else { throw .syntax(offset: start) }
    position += 6
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if (0xD800..<0xDC00).contains(unit), let low = codeUnit(at: position), (0xDC00..<0xE000).contains(low) {
      let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00
      if let scalar = Unicode.Scalar(value) {
        position += 6
        return scalar
      }
    }
    throw .syntax(offset: start)
  }

  private func codeUnit(at index: Int) -> UInt16? {
    guard index + 6 <= scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else { return nil }
    let digits = scalars[(index + 2)..<(index + 6)]
    guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
    return UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isLetter: Bool {
    switch generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  fileprivate var continuesKey: Bool {
    switch generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
