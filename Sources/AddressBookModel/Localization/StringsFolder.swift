import Glibc

/// Finds the folder that holds `en.lproj` and its sisters.
enum StringsFolder {
  /// Where to look, best first: beside the installed program, in the bundle beside the executable, in the source tree of
  /// this build. `Bundle.module` is not asked: it ends the program when the build folder is gone.
  static var candidates: [String] {
    var folders: [String] = []
    if let folder = executableFolder {
      folders.append(folder + "/../share/addressbook/strings")
      folders.append(folder + "/addressbook_AddressBookModel.resources/strings")
    }
    folders.append(sourceTree)
    return folders
  }

  /// The first candidate that holds the English words.
  static func find() -> String? {
    candidates.first { access($0 + "/en.lproj", R_OK) == 0 }
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
