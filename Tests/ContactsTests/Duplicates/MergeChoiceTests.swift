import Testing

@testable import Contacts

/// Merging with chosen values: nothing is lost, whichever wins.
struct MergeChoiceTests {
  private let contacts: [Contact]

  init() {
    var (bo, bosse, ann) = (Contact(), Contact(), Contact())
    (bo.id, bo.uid, bo.given, bo.family, bo.nickname) = (1, "a", "Bo", "Ek", "B")
    (bo.organization, bo.title) = ("Acme", "Boss")
    bo.birthday = PartialDate("1980-05-01")
    (bosse.id, bosse.given, bosse.family, bosse.nickname) = (2, "Bosse", "Ek", "Bosse")
    (bosse.organization, bosse.department) = ("Bolaget", "IT")
    bosse.birthday = PartialDate("1981-06-02")
    (ann.id, ann.given, ann.family) = (3, "Ann", "Ek")
    ann.kind = .organization
    contacts = [bo, bosse, ann]
  }

  private func merged(_ choices: [DuplicateMerge.Part: Int64]) -> Contact {
    DuplicateMerge(contacts[0], Array(contacts.dropFirst()), choices: choices) { "\($0.name): \($1)" }.merged
  }

  @Test func withoutAChoiceTheFirstWins() {
    #expect(merged([:]) == merged([.name: 1, .employment: 1, .birthday: 1, .kind: 1]))
    #expect(merged([:]).shownNames == "Bo Ek" && merged([:]).organization == "Acme")
  }

  @Test func chosenValuesStayAndTheRestGoesIntoTheNote() throws {
    let nickname = try #require(ContactFields.standard.texts.first { $0.name == "nickname" })
    let merged = merged([.name: 3, .employment: 2, .text(nickname): 2, .birthday: 2, .kind: 3])
    #expect(merged.id == 1 && merged.uid == "a", "it is still the first one")
    #expect(merged.shownNames == "Ann Ek" && merged.kind == .organization)
    #expect((merged.organization, merged.department, merged.title) == ("Bolaget", "IT", ""))
    #expect(merged.nickname == "Bosse" && merged.birthday == PartialDate("1981-06-02"))
    let lines = Set(merged.note.split(separator: "\n").map(String.init))
    #expect(
      lines == [
        "formattedName: Bosse Ek", "formattedName: Bo Ek", "nickname: B", "organization: Acme", "title: Boss",
        "birthday: 1980-05-01",
      ])
  }

  @Test func listsNotesAndPhotosAreNotChosen() {
    for field in ContactFields.standard.all {
      switch field {
      case .values, .special(.addresses), .special(.groups), .special(.photo), .special(.cardLines):
        #expect(DuplicateMerge.Part(field) == nil)
      case .text(let text): #expect((DuplicateMerge.Part(field) == nil) == (text.role == .prose))
      case .special: #expect(DuplicateMerge.Part(field) != nil)
      }
    }
  }

  @Test func certainDuplicatesNeedTwoStrongReasons() {
    func pair(_ reasons: DuplicateReason...) -> DuplicatePair { DuplicatePair(first: 1, second: 2, reasons: reasons) }
    #expect(pair(.name, .phone).isCertain && pair(.email, .phone).isCertain && pair(.birthday, .name).isCertain)
    #expect(!pair(.phone).isCertain && !pair(.name, .organization).isCertain && !pair(.address, .name).isCertain)
    let other = DuplicatePair(first: 2, second: 3, reasons: [.email, .name])
    let third = DuplicatePair(first: 1, second: 3, reasons: [.email, .name])
    #expect(DuplicateGroup.groups(of: [pair(.name, .phone)]).map(\.isCertain) == [true])
    #expect(DuplicateGroup.groups(of: [pair(.name, .phone), other]).map(\.isCertain) == [false])
    #expect(DuplicateGroup.groups(of: [pair(.name, .phone), other, third]).map(\.isCertain) == [true])
    #expect(DuplicateGroup.groups(of: [pair(.phone), other, third]).map(\.isCertain) == [false])
  }
}

extension Contact {
  /// The displayed name, from the name fields alone.
  fileprivate var shownNames: String { formattedName.isEmpty ? composedName : formattedName }
}
