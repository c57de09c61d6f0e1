import Foundation

enum ValueOrder: Equatable {
  case less, equal, greater

  init<Compared: Comparable>(_ left: Compared, _ right: Compared) {
    self = left < right ? .less : left == right ? .equal : .greater
  }

  var reversed: ValueOrder {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension Value {
  /// Returns whether two values of one kind are equal, numbers by their exact values; nil if one is absent.
  func isEqual(to other: Value) -> Bool? {
    switch (self, other) {
    case (.null, _), (_, .null): nil
    case (.data(let left), .data(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.string(let left), .string(let right)): TextOrder.isEqual(left, right)
    default: order(to: other).map { $0 == .equal }
    }
  }

  /// Returns the order of two numbers, strings or dates; nil if one is absent or they have no order.
  func order(to other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.string(let left), .string(let right)):
      return TextOrder.isEqual(left, right) ? .equal : TextOrder.isLess(left, right) ? .less : .greater
    case (.date(let left), .date(let right)): return ValueOrder(left, right)
    default:
      guard let left = number, let right = other.number else { return nil }
      return left.order(to: right)
    }
  }

  /// The value as a number; a Boolean is 1 or 0. Nil for NaN and other values.
  var number: ExactNumber? {
    switch self {
    case .integer(let integer): .integer(integer)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let double): double.isNaN ? nil : .double(double)
    default: nil
    }
  }
}

/// A number for comparisons without rounding.
enum ExactNumber {
  case integer(Int64)
  case double(Double)

  func order(to other: ExactNumber) -> ValueOrder {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): ValueOrder(left, right)
    case (.integer(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .integer(let right)): Self.order(right, left).reversed
    }
  }

  private static func order(_ integer: Int64, _ double: Double) -> ValueOrder {
    // 2^63 and beyond exceed every 64-bit integer.
    if double >= 0x1p63 { return .less }
    if double < -0x1p63 { return .greater }
    let whole = double.rounded(.down)
    let floor = Int64(whole)
    if integer != floor { return ValueOrder(integer, floor) }
    return whole < double ? .less : .equal
  }
}
