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
