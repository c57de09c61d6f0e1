extension Array {
  /// Returns consecutive parts of the array, each with this many elements, except that the last may have fewer.
  package func batches(of size: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: count, by: size).lazy.map { Array(self[$0..<Swift.min(count, $0 + size)]) }
  }
}
