extension [String] {
  /// The strings joined by commas. The standard library's `joined` is generic code that looks up types by name when it
  /// is first used in a process, which costs a third of a million instructions before the first screen.
  var sqlList: String {
    var list = first ?? ""
    for part in dropFirst() { list += ", " + part }
    return list
  }
}
