import Foundation

/// Prints a line `name<TAB>number<TAB>unit` for bench.py.
public func report(_ name: String, _ value: Double, _ unit: String = "ms") { print("\(name)\t\(value)\t\(unit)") }

/// Returns a duration in milliseconds.
public func milliseconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
}

/// Returns the duration of a body in milliseconds.
public func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  milliseconds(try ContinuousClock().measure(body))
}

/// Returns the median of the values.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Returns the median duration of `count` runs of a body, in milliseconds.
public func median(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
  median(try (0..<count).map { _ in try milliseconds(body) })
}

/// Returns a value of `/proc/self/status` in megabytes, such as `VmHWM` (the peak) or `VmRSS` (the current size).
public func processMemory(_ name: String) -> Double {
  let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
  return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) * 1024 / 1e6
}
