import Pinyin
import Testing

/// Phonetic names entered by the user take precedence over guesses.
@Suite struct PhoneticNameTests {
  private func said(_ text: String, _ parts: (String, String)...) -> String {
    transcription(of: text, isPerson: true, parts: parts.map { NamePart($0.0, phonetic: $0.1) })
  }

  @Test func aPartInPinyinReplacesTheGuess() {
    #expect(said("覃海洋") == "qín hǎi yáng")
    #expect(said("覃海洋", ("覃", "qin"), ("海洋", "")) == "qín hǎi yáng")
    #expect(said("覃海洋", ("覃", "Tán"), ("海洋", "")) == "tán hǎi yáng")
    #expect(said("陈小明", ("陈", "tan"), ("小明", "xiǎo míng")) == "tan xiǎo míng")
    #expect(said("张乐", ("张", ""), ("乐", "yue")) == "zhāng yuè")
    #expect(said("张乐", ("张", ""), ("乐", "le4")) == "zhāng lè")
  }

  @Test func aNameInOneFieldIsSplitByItsPhoneticName() {
    #expect(said("单于田", ("", "chan yu"), ("", "tian")) == "chán yú tián")
    #expect(said("覃海洋", ("", "qin"), ("", "")) == "qín hǎi yáng")
  }

  @Test func partsAreFoundAtAnyPosition() {
    #expect(said("海洋 覃", ("覃", "qin"), ("海洋", "")) == "hǎi yáng qín")
    #expect(said("Dr. 陈陈", ("陈", "tan"), ("陈", "chen")) == "Dr tan chén")
    #expect(said("老师", ("陈", "tan")) == "lǎo shī", "the part is not in the shown name")
  }

  @Test func phoneticNamesThatAreNotPinyinDisableTheGuess() {
    #expect(said("山田太郎", ("山田", "Yamada"), ("太郎", "Tarō")) == "Yamada Tarō")
    #expect(said("山田太郎", ("山田", "やまだ"), ("太郎", "")) == "やまだ")
    #expect(said("Yamada", ("Yamada", "yah-mah-dah")) == "", "a name without Han characters has no reading")
    #expect(said("李", ("李", " ")) == "lǐ", "a phonetic name of spaces counts as none")
  }
}
