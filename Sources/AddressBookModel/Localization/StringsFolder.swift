import Glibc
import SystemCalls

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
    RealPath.destination(ofLink: "/proc/self/exe").map { Folder.split($0).folder }
  }

  private static var sourceTree: String {
    let file = #filePath.split(separator: "/")
    return "/" + file.dropLast(4).joined(separator: "/") + "/Resources/strings"
  }
}
