import Foundation

/// Three ways to store data other than an object graph: an archive, a property list and user defaults.
@main
struct Program {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try archive(folder.appendingPathComponent("people.archive"))
    try propertyList(folder.appendingPathComponent("settings.plist"))
    userDefaults()
  }

  private static func archive(_ url: URL) throws {
    print("An archive of classes")
    let archive = PersonArchive(url)
    try archive.write([Person(name: "王芳", age: 41), Student(name: "李斌", age: 20, courses: ["CAD", "英语"])])
    for person in try archive.read() { print("  \(type(of: person)): \(person.summary)") }
    do {
      try Data("nothing of the kind".utf8).write(to: url)
      _ = try archive.read()
    } catch is DecodingError {
      print("  a file that is not an archive is refused")
    }
  }

  private static func propertyList(_ url: URL) throws {
    print("\nA property list with a default")
    let file = SettingsFile(url)
    print("  copied: \(try file.copyDefaultIfAbsent())")
    var settings = try file.read()
    print("  \(settings.school), \(settings.terms.joined(separator: " ")), at most \(settings.maximumStudents)")
    settings.maximumStudents = 45
    try file.write(settings)
    print("  copied again: \(try file.copyDefaultIfAbsent())")
    print("  at most \(try file.read().maximumStudents): the change is kept")
  }

  private static func userDefaults() {
    print("\nUser defaults")
    let suite = "addressbook.example.archive"
    guard let store = UserDefaults(suiteName: suite) else { return }
    defer { store.removePersistentDomain(forName: suite) }
    store.removePersistentDomain(forName: suite)
    let defaults = TypedDefaults(store)
    defaults.register(Keys.fontSize, Keys.showsAges, Keys.recent)
    print("  registered: \(defaults[Keys.fontSize]), \(defaults[Keys.showsAges]), \(defaults[Keys.recent])")
    defaults[Keys.fontSize] = 16
    defaults[Keys.recent] = ["电子1班", "网络1班"]
    print("  set: \(defaults[Keys.fontSize]), \(defaults[Keys.showsAges]), \(defaults[Keys.recent])")
    defaults.reset(Keys.fontSize)
    print("  back to the registered value: \(defaults[Keys.fontSize])")
  }

  private enum Keys {
    static let fontSize = DefaultsKey("fontSize", registered: 12)
    static let showsAges = DefaultsKey("showsAges", registered: true)
    static let recent = DefaultsKey("recent", registered: [String]())
  }
}
