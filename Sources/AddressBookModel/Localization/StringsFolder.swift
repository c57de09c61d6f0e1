import Glibc

enum StringsFolder {
  /// Returns the folder that contains `en.lproj` and the other languages: in `../share` of an installed program, in the
  /// bundle next to the executable, or in the source tree of this build; nil if there is none. `Bundle.module` is not
  /// used, because it ends the program if the build folder is gone.
  static func find() -> String? {
    if let folder = executableFolder {
      if let strings = checked(folder + "/../share/addressbook/strings") { return strings }
      if let strings = checked(folder + "/addressbook_AddressBookModel.resources/strings") { return strings }
    }
    return checked(sourceTree)
  }

  private static func checked(_ folder: String) -> String? {
    access(folder + "/en.lproj", R_OK) == 0 ? folder : nil
  }

  private static var executableFolder: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return 0 }
      return readlink("/proc/self/exe", start, bytes.count)
    }
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[0..<count], as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static var sourceTree: String {
    let file = #filePath.split(separator: "/")
    return "/" + file.dropLast(4).joined(separator: "/") + "/Resources/strings"
  }
}
