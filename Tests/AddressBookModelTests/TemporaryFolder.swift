import Contacts
import Foundation

@testable import AddressBookModel

/// A folder that is removed after the test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array((NSTemporaryDirectory() + "/addressbook-test-XXXXXX").utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func book(_ name: String = "book.db") -> StoreLocation { .file(file(name)) }

  func write(_ bytes: [UInt8], to name: String) -> String {
    _ = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
    return file(name)
  }

  func bytes(of name: String) -> [UInt8] { FileManager.default.contents(atPath: file(name)).map(Array.init) ?? [] }

  func mode(of name: String) -> Int {
    var status = stat()
    return stat(file(name), &status) == 0 ? Int(status.st_mode & 0o777) : -1
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension Contact {
  /// A contact with a little of everything.
  static var example: Contact {
    var contact = Contact()
    contact.family = "李"
    contact.given = "小龙"
    contact.organization = "Golden Harvest"
    contact.title = "Actor"
    contact.birthday = PartialDate("--11-27")
    contact.note = "first line\nsecond line"
    contact.phones = [
      LabeledValue(label: "mobile", value: "139 2222 3333"), LabeledValue(label: "home", value: "555"),
    ]
    contact.emails = [LabeledValue(label: "home", value: "lee@example.com")]
    contact.addresses = [PostalAddress(label: "home", street: "41 Cumberland Road", city: "Kowloon Tong")]
    contact.urls = [LabeledValue(label: "", value: "https://example.com")]
    contact.dates = [LabeledValue(label: "anniversary", value: "1964-08-17")]
    contact.handles = [LabeledValue(label: "chat", value: "lee")]
    contact.related = [LabeledValue(label: "spouse", value: "Linda")]
    contact.groups = ["Friends", "Hong Kong"]
    contact.cardLines = ["X-SIFU:Yip Man", "item1.X-ABLabel:dojo"]
    return contact
  }

  /// The contact without the values that a save assigns.
  var content: Contact {
    var contact = self
    contact.id = 0
    contact.uid = ""
    contact.version = 0
    contact.created = ""
    contact.modified = ""
    return contact
  }
}
