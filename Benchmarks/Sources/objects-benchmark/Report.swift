import Foundation

/// Prints `name<TAB>number<TAB>unit` lines for bench.py.
func report(_ name: String, _ value: Double, _ unit: String = "ms") { print("\(name)\t\(value)\t\(unit)") }

func milliseconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  milliseconds(try ContinuousClock().measure(body))
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func median(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
  median(try (0..<count).map { _ in try milliseconds(body) })
}
