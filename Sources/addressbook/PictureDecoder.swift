import AvatarImage

extension DecodingProcess {
  /// Decodes photos in a second process of this program, started when it is first needed.
  static func ofProgram() -> DecodingProcess {
    // The child is this very file, even if another one has taken its path in the meantime.
    DecodingProcess(executable: "/proc/self/exe")
  }
}
