extension Array {
  /// Consecutive parts of the array, each of this many elements, but the last may have fewer.
  func batches(of size: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: count, by: size).lazy.map { Array(self[$0..<Swift.min(count, $0 + size)]) }
  }
}
