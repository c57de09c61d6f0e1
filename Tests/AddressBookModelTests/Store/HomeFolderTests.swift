import SystemCalls
import Testing

@testable import AddressBookModel

struct HomeFolderTests {
  @Test func anAbsolutePathInHOMEIsTheHomeFolder() {
    #expect(HomeFolder.path(in: ["HOME": "/home/ann"]) == "/home/ann")
  }

  @Test(arguments: ["", "ann", "./ann"]) func anyOtherValueIsIgnored(_ value: String) {
    #expect(HomeFolder.path(in: ["HOME": value]) == HomeFolder.path(in: [:]))
    #expect(HomeFolder.path(in: [:])?.hasPrefix("/") != false)
  }

  @Test func theBookIsInTheHomeFolderOfTheAccount() throws {
    guard let home = HomeFolder.path(in: [:]) else { return }
    #expect(
      try StoreLocation.resolve(book: nil, environment: [:]).path == home + "/.local/share/addressbook/addressbook.db")
  }
}
