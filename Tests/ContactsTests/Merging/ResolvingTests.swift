import Testing

@testable import Contacts

/// Conflicts of a merge, decided one by one.
struct ResolvingTests {
  private func merge(_ mine: (inout Contact) -> Void, _ theirs: (inout Contact) -> Void) -> (Contact, [MergeConflict]) {
    var base = Contact()
    base.title = "Actor"
    base.note = "one\ntwo"
    base.birthday = PartialDate("1940-11-27")
    base.phones = [LabeledValue(label: "home", value: "110"), LabeledValue(label: "work", value: "120")]
    base.addresses = [PostalAddress(label: "home", street: "Main Street")]
    base.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "base")
    var (my, their) = (base, base)
    mine(&my)
    theirs(&their)
    var merge = ThreeWayMerge(base: base, mine: my, theirs: their)
    return (merge.run(), merge.conflicts)
  }

  @Test func eachFieldTakesTheChosenValue() throws {
    var (merged, conflicts) = merge {
      $0.title = "Mine"
      $0.birthday = nil
      $0.phones[0].label = "mobile"
      $0.addresses[0].label = "work"
      $0.photo?.sha256 = "mine"
    } _: {
      $0.title = "Theirs"
      $0.birthday = PartialDate("1941-01-01")
      $0.phones[0].label = "other"
      $0.addresses[0].label = "school"
      $0.photo = nil
    }
    #expect(Set(conflicts.map(\.fieldName)) == ["title", "birthday", "phones", "addresses", "photo"])
    #expect(merged.title == "Mine" && merged.birthday == nil && merged.phones[0].label == "mobile")
    let asMerged = merged
    for conflict in conflicts { merged.resolve(conflict, as: conflict.mine) }
    #expect(merged == asMerged)
    for conflict in conflicts { merged.resolve(conflict, as: conflict.theirs) }
    #expect(merged.title == "Theirs" && merged.birthday == PartialDate("1941-01-01") && merged.photo == nil)
    #expect(merged.phones.map(\.label) == ["other", "work"] && merged.addresses.map(\.label) == ["school"])
    for conflict in conflicts { merged.resolve(conflict, as: conflict.base) }
    #expect(merged.title == "Actor" && merged.photo?.sha256 == "base")
    #expect(merged.phones.map(\.label) == ["home", "work"] && merged.addresses.map(\.label) == ["home"])
  }

  @Test func aRemovedValueCanBeRemovedOrKept() throws {
    var (merged, conflicts) = merge {
      $0.phones.remove(at: 0)
    } _: {
      $0.phones[0].label = "mobile"
    }
    let conflict = try #require(conflicts.first)
    #expect(conflict.kept == .theirs && merged.phones.map(\.value) == ["110", "120"])
    merged.resolve(conflict, as: conflict.mine)
    #expect(merged.phones.map(\.value) == ["120"])
    merged.resolve(conflict, as: conflict.theirs)
    #expect(merged.phones.map(\.value) == ["120", "110"])
  }

  @Test func aTypedTextCanReplaceAllVersions() throws {
    var (merged, conflicts) = merge {
      $0.note = "mine"
    } _: {
      $0.note = "theirs"
    }
    merged.resolve(try #require(conflicts.first), as: .text("both"))
    #expect(merged.note == "both")
  }

  @Test func changedFieldsAreNamed() {
    var before = Contact()
    before.groups = ["B", "A"]
    var after = before
    #expect(after.changedFields(since: before).isEmpty)
    after.groups = ["A", "B"]
    after.family = "Lee"
    after.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "x")
    #expect(after.changedFields(since: before).map(\.name) == ["family", "photo"])
  }
}
