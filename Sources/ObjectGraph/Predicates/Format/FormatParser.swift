extension ObjectPredicate {
  /// Parses the format language: `name BEGINSWITH[cd] %@ AND ANY courses.name == 'CAD'`.
  ///
  /// `%@` takes one argument, which may be a list; `%K` takes the string of one key path. `$NAME` stays unbound until a
  /// request or ``binding(_:)`` gives it a value.
  /// - Throws: ``InvalidPredicate/syntax(offset:)`` or ``InvalidPredicate/argumentCount(expected:given:)``. The
  ///   arguments of `%K` and CAST, and everything that depends on the entity, are checked when a request is run, and
  ///   errors are then reported in the order of the text.
  public init(_ format: String, _ arguments: any PredicateArgument...) throws(InvalidPredicate) {
    try self.init(format, arguments: arguments.map(\.predicateConstant))
  }

  /// Parses the format language, with values for the placeholders.
  /// - Throws: the same as ``init(_:_:)``.
  public init(_ format: String, arguments: [PredicateConstant]) throws(InvalidPredicate) {
    self = try FormatParser.predicate(format, arguments: arguments)
  }
}

extension PredicatePath {
  /// Parses a path: `myclass.name`, `courses.@count`.
  /// - Throws: ``InvalidPredicate/syntax(offset:)``.
  public init(parsing text: String) throws(InvalidPredicate) {
    self = try FormatParser.path(text)
  }
}

/// Parses the format language. The grammar needs one token of lookahead, so every error is at the first token that does not
/// fit.
struct FormatParser {
  /// The maximum nesting of parentheses, lists, SUBQUERYs and operators: without one, long input could overflow the call
  /// stack.
  static let maximumDepth = 200

  private var tokenizer: FormatTokenizer
  private var peeked: FormatToken?
  /// Values of the placeholders; nil while the placeholders are only counted.
  private let arguments: [PredicateConstant]?
  private(set) var placeholders = 0
  /// Variables of the enclosing SUBQUERYs, the innermost last.
  private var elements: [String]
  private var depth = 0

  private init(_ text: String, arguments: [PredicateConstant]?, elements: [String] = []) {
    tokenizer = FormatTokenizer(text)
    self.arguments = arguments
    self.elements = elements
  }

  /// Parses a predicate. Syntax and the number of arguments are checked, in this order; other errors are kept in the
  /// predicate and reported when it is checked against an entity.
  static func predicate(_ text: String, arguments: [PredicateConstant]) throws(InvalidPredicate) -> ObjectPredicate {
    var counting = FormatParser(text, arguments: nil)
    _ = try counting.whole()
    guard counting.placeholders == arguments.count else {
      throw .argumentCount(expected: counting.placeholders, given: arguments.count)
    }
    var parser = FormatParser(text, arguments: arguments)
    return try parser.whole()
  }

  static func path(_ text: String) throws(InvalidPredicate) -> PredicatePath {
    var parser = FormatParser(text, arguments: nil)
    let path = try parser.path()
    let end = try parser.next()
    guard end.kind == .end else { throw .syntax(offset: end.offset) }
    guard parser.placeholders == 0 else { throw .syntax(offset: 0) }
    return path
  }

  private mutating func whole() throws(InvalidPredicate) -> ObjectPredicate {
    let predicate = try predicate()
    guard try next().kind == .end else { throw .syntax(offset: lastOffset) }
    return predicate
  }

  // MARK: Tokens

  private(set) var lastOffset = 0

  mutating func peek() throws(InvalidPredicate) -> FormatToken {
    if let peeked { return peeked }
    let token = try tokenizer.next()
    peeked = token
    return token
  }

  @discardableResult
  mutating func next() throws(InvalidPredicate) -> FormatToken {
    let token = try peek()
    peeked = nil
    lastOffset = token.offset
    return token
  }

  /// Consumes the next token if it is one of these.
  mutating func accept(_ kinds: FormatToken.Kind...) throws(InvalidPredicate) -> Bool {
    guard kinds.contains(try peek().kind) else { return false }
    try next()
    return true
  }

  /// Consumes the next token if it is one of these signs. The sign of a number after a term is an operator.
  mutating func accept(_ functions: PredicateFunction...) throws(InvalidPredicate) -> PredicateFunction? {
    let token = try peek()
    switch token.kind {
    case .function(let function) where functions.contains(function):
      try next()
      return function
    case .integer where functions.contains(.subtract), .double where functions.contains(.subtract):
      guard tokenizer.readsSign(at: token.offset) else { return nil }
      (peeked, lastOffset) = (nil, token.offset)
      return .subtract
    default: return nil
    }
  }

  mutating func expect(_ kind: FormatToken.Kind) throws(InvalidPredicate) {
    let token = try next()
    guard token.kind == kind else { throw .syntax(offset: token.offset) }
  }

  /// Parses the options that directly follow the operator.
  mutating func options() throws(InvalidPredicate) -> TextOptions {
    try tokenizer.options()
  }

  mutating func nested<Result>(
    _ body: (inout FormatParser) throws(InvalidPredicate) -> Result
  ) throws(InvalidPredicate) -> Result {
    guard depth < Self.maximumDepth else { throw .tooDeep(offset: lastOffset) }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Arguments and variables

  /// Returns the value of the next placeholder; nil while placeholders are only counted.
  mutating func nextArgument() -> PredicateConstant? {
    defer { placeholders += 1 }
    guard let arguments, arguments.indices.contains(placeholders) else { return nil }
    return arguments[placeholders]
  }

  func isElement(_ variable: String) -> Bool { elements.contains(variable) }

  mutating func withElement<Result>(
    _ variable: String, _ body: (inout FormatParser) throws(InvalidPredicate) -> Result
  ) throws(InvalidPredicate) -> Result {
    elements.append(variable)
    defer { elements.removeLast() }
    return try body(&self)
  }

  /// Returns the path in the argument of `%K`. All of its keys have the offset of the `%K`.
  func path(argument: PredicateConstant?, offset: Int) -> PredicatePath {
    guard let argument else { return PredicatePath() }
    guard case .value(.string(let text)) = argument else {
      return PredicatePath(root: .invalid(.argumentType(offset: offset)), offset: SourceOffset(offset))
    }
    var parser = FormatParser(text, arguments: nil, elements: elements)
    do throws(InvalidPredicate) {
      let path = try parser.path()
      guard try parser.next().kind == .end, parser.placeholders == 0 else { throw .syntax(offset: nil) }
      return path.moved(to: SourceOffset(offset))
    } catch {
      return PredicatePath(root: .invalid(.syntax(offset: offset)), offset: SourceOffset(offset))
    }
  }
}

extension PredicatePath {
  fileprivate func moved(to offset: SourceOffset) -> PredicatePath {
    let moved = { (key: Key) in Key(key.name, offset: offset) }
    return PredicatePath(
      root: root, keys: keys.map(moved),
      aggregate: aggregate.map { Aggregate($0.function, keys: $0.keys.map(moved), offset: offset) }, offset: offset)
  }
}
