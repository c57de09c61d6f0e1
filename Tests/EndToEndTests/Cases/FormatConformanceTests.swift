import SharedMaterial
import Testing

/// Runs the program on every case of the files that `FORMAT_CASES`, `FILE_CASES` and `NAME_CASES` name, with a separate
/// folder and book for each case.
@Suite struct FormatConformanceTests {
  @Test(
    .enabled(if: SharedMaterial.formatCases.isNamed, "FORMAT_CASES is not set"),
    arguments: FormatCase.all(.formatCases))
  func formatsOfOtherPrograms(_ item: FormatCase) throws { try item.check() }

  @Test(
    .enabled(if: SharedMaterial.fileCases.isNamed, "FILE_CASES is not set"), arguments: FormatCase.all(.fileCases))
  func filesOfOtherPrograms(_ item: FormatCase) throws { try item.check() }

  @Test(
    .enabled(if: SharedMaterial.nameCases.isNamed, "NAME_CASES is not set"), arguments: FormatCase.all(.nameCases))
  func names(_ item: FormatCase) throws { try item.check() }
}
