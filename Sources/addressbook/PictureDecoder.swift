import AvatarImage

extension DecodingProcess {
  /// This program again, which decodes pictures apart from the book; started when the first one is needed.
  static func ofProgram() -> DecodingProcess {
    // The child is this very file, also where another one has taken its path meanwhile.
    DecodingProcess(executable: "/proc/self/exe")
  }
}
