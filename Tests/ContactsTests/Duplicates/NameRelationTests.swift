import Testing

@testable import Contacts

@Suite struct NameRelationTests {
  /// Parses `given,family`, `given,middle,family`, or `=` and a full name; a nickname follows `/`.
  private func name(_ text: String) -> ComparedName {
    var contact = Contact()
    let pieces = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if pieces.count > 1 { contact.nickname = pieces[1] }
    if pieces[0].hasPrefix("=") {
      contact.formattedName = String(pieces[0].dropFirst())
    } else {
      let words = pieces[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      contact.given = words[0]
      if words.count == 3 { contact.middle = words[1] }
      if words.count > 1 { contact.family = words[words.count - 1] }
    }
    return ComparedName(contact)
  }

  private func check(_ one: String, _ other: String, _ relation: NameRelation) {
    #expect(NameRelation(name(one), name(other)) == relation, "\(one) and \(other)")
    #expect(NameRelation(name(other), name(one)) == relation, "\(other) and \(one)")
  }

  @Test(arguments: [
    ("Ann,Lee", "Lee,Ann"), ("Ann,Lee", "=LEE, Ann"), ("=Dr. Ann Lee", "Ann,Lee"), ("José,Núñez", "Jose,Nunez"),
    ("Søren,Weiß", "Soren,Weiss"), ("Mary Ann,Smith", "Maryann,Smith"), ("Jean-Paul,Roux", "Jean Paul,Roux"),
    ("Pat,O’Neil", "Pat,O'Neil"), ("Pat,ONeil", "Pat,O'Neil"), ("Ａｎｎ,Lee", "Ann,Lee"), ("=Ann Lee Ph.D.", "Ann,Lee"),
    ("小明,王", "=王小明"), ("偉,張", "伟,张"), ("王,小明", "小明,王"), ("小明,王", "Xiaoming,Wang"),
    ("小明,王", "=Wang Xiao Ming"), ("国藩,曾", "Guofan,Zeng"), ("锋,欧阳", "Feng,Ouyang"), ("锋,欧阳", "=Ou Yang Feng"),
    ("=单田芳", "Tianfang,Shan"), ("秀英,吕", "Xiuying,Lv"), ("秀英,吕", "Xiuying,Lyu"), ("秀英,吕", "Xiuying,Lü"),
  ]) func same(_ one: String, _ other: String) { check(one, other, .same) }

  @Test(arguments: [
    ("Ann", "Ann,Lee"), ("J.,Smith", "John,Smith"), ("Rob,Smith", "Robert,Smith"), ("John,Q,Smith", "John,Smith"),
    ("Robert,Smith/Bob", "Bob,Smith"), ("小明", "小明,王"), ("小明", "=王小明"),
  ]) func compatible(_ one: String, _ other: String) { check(one, other, .compatible) }

  @Test(arguments: [
    ("John,Smith", "Jonh,Smith"), ("John,Smith", "John,Smiht"), ("Catherine,Lee", "Katherine,Lee"), ("云,马", "Jack,Ma"),
    ("Müller,Jens", "Mueller,Jens"),
  ]) func weak(_ one: String, _ other: String) { check(one, other, .weak) }

  @Test(arguments: [
    ("Ann,Lee", "Bob,Lee"), ("Ann,Lee", "Ann,Berg"), ("J", "John"), ("Jo,Smith", "John,Smith"), ("Kim,Lee", "Tim,Lee"),
    ("伟", "伟,张"), ("小明,王", "小红,王"), ("云,马", "Jack,Li"), ("小明,王", "小明,李"), ("J.,Smith", "John,S."),
  ]) func different(_ one: String, _ other: String) { check(one, other, .different) }

  @Test func aMissingNameIsNoEvidence() {
    check("", "Ann,Lee", .none)
    check("", "", .none)
    check("Ann", "/Ann", .same)
  }

  @Test func generationSuffixesAreNotNameWords() {
    var contact = Contact()
    contact.formattedName = "John Smith III"
    #expect(ComparedName(contact).generation == "iii" && ComparedName(contact).words == ["john", "smith"])
    contact.formattedName = "Smith III"
    #expect(ComparedName(contact).generation == nil)
    (contact.formattedName, contact.given, contact.suffix) = ("", "John", "Jr., PhD")
    #expect(ComparedName(contact).generation == "jr")
  }

  @Test func sameNamesHaveAKeyInCommon() {
    for (one, other) in [
      ("Mary Ann,Smith", "Maryann,Smith"), ("小明,王", "Xiaoming,Wang"), ("偉,張", "伟,张"), ("秀英,吕", "Xiuying,Lyu"),
    ] {
      #expect(!Set(name(one).keys).isDisjoint(with: name(other).keys), "\(one) and \(other)")
    }
  }
}
