extension [String] {
  /// The texts with commas between them. The standard library's `joined` is generic code that looks up types by name at
  /// its first use in a process, for a third of a million instructions before the first screen.
  var sqlList: String {
    var list = first ?? ""
    for part in dropFirst() { list += ", " + part }
    return list
  }
}
