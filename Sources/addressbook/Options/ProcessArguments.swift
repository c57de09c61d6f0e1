import CArguments

/// What the process was started with.
enum ProcessArguments {
  /// The arguments without the program's name. They do not need /proc, unlike those of `CommandLine`.
  static var afterName: [String] {
    (1..<max(1, addressbook_argument_count())).map { number in
      addressbook_argument(number).map { String(cString: $0) } ?? ""
    }
  }
}
