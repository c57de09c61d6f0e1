import SharedMaterial
import Testing

/// Runs the program on every case of the files that `FORMAT_CASES`, `FILE_CASES` and `NAME_CASES` name, with a separate
/// folder and book for each case. JSContact is not supported.
@Suite struct FormatConformanceTests {
  @Test(
    .enabled(if: SharedMaterial.formatCases.isNamed, "FORMAT_CASES is not set"),
    arguments: FormatCase.all(.formatCases, without: ["jscontact"]))
  func formatsOfOtherPrograms(_ item: FormatCase) throws { try item.check(knownToFail: Self.failingFormats) }

  @Test(
    .enabled(if: SharedMaterial.fileCases.isNamed, "FILE_CASES is not set"), arguments: FormatCase.all(.fileCases))
  func filesOfOtherPrograms(_ item: FormatCase) throws { try item.check(knownToFail: Self.failingFiles) }

  @Test(
    .enabled(if: SharedMaterial.nameCases.isNamed, "NAME_CASES is not set"), arguments: FormatCase.all(.nameCases))
  func names(_ item: FormatCase) throws { try item.check(knownToFail: Self.failingNames) }

  /// What does not pass yet in `FORMAT_CASES`.
  private static let failingFormats: Set<String> = [
    "stale/label-parameter",
    "stale/label-property-of-two",
    "stale/sort-as-of-the-name",
    "stale/file-as",
    "stale/geo-tz-cc-of-the-address",
    "stale/whatsapp-id-of-the-number",
    "names/jcard-parameter-with-a-blank",
    "names/old-android-label-in-4.0",
    "google/a-star-alone-is-no-label",
    "google/two-addresses-in-one-field",
    "backslash/newline-in-an-account-3.0",
    "backslash/newline-in-a-website-4.0",
    "backslash/comma-in-an-account-jcard",
    "backslash/newline-in-an-account-4.0",
    "rfc9554/seven-parts-of-a-name",
    "rfc9554/new-parts-of-an-address",
    "rfc9554/reading-of-a-name",
    "rfc9554/reading-before-the-name",
    "rfc9554/profiles-are-accounts",
    "related/name-without-value-text",
    "related/two-types-the-special-first",
    "related/apple-names-with-a-type",
    "related/brother-in-another-version",
    "several/preferred-full-name",
    "several/preferred-title-and-organization",
    "several/second-note",
    "several/preferred-nickname",
    "several/second-title",
    "version/geo-to-4.0",
    "version/geo-to-3.0",
    "version/key-to-4.0",
    "version/revision-to-4.0",
    "version/one-name-in-3.0",
    "version/group-to-3.0",
    "version/sort-string-to-4.0",
    "version/apples-group-to-4.0",
    "noyear/birthday-of-1604",
    "sorting/reading-of-an-organization",
    "sorting/sort-as-of-an-organization",
    "sorting/sort-string-of-a-person",
    "profile/edited-twitter",
    "profile/edited-skype",
    "profile/new-account-with-an-address",
    "profile/edited-linkedin-with-its-user",
    "handle/encoded-name-is-read",
    "handle/name-is-encoded",
    "units/two-units",
    "units/three-units-4.0",
    "units/slash-in-a-unit",
    "nameless/note-through-ldif",
    "nameless/address-through-ldif",
    "nameless/website-through-ldif",
    "ldif/number-without-a-label",
    "ldif/address-without-a-label",
    "ldif/address-with-an-own-label-again",
    "ldif/organization-with-another-name",
    "pref/number-and-type-in-one",
    "folding/within-a-letter-of-the-name",
    "folding/within-a-letter-of-the-note",
    "labels/own-label-of-old-android",
    "labels/x-name-in-2.1",
    "labels/x-types-of-davx5",
    "labels/own-label-of-an-address",
    "again/jcard-with-apples-labels",
    "again/jcard-with-a-preferred-number",
    "again/jcard-with-dates-and-relations",
  ]

  /// What does not pass yet in `FILE_CASES`.
  private static let failingFiles: Set<String> = [
    "blanks/180 blanks in a note",
    "blanks/150 blanks in a street, converted",
    "group-values/a group with email and number, no member",
    "media-type/basic sound to 4.0",
    "media-type/certificate to 4.0",
    "label-only/parameter of an empty ADR",
    "label-only/property of 3.0",
    "second-nickname/two nicknames",
    "before-the-header/LinkedIn's notes",
    "camel-case/PowerShell",
    "times-to-4/birthday with time and offset",
    "times-to-4/birthday at midnight",
    "nested/BEGIN:PROFILE",
    "escaped-quote/quotation marks in a note",
    "removed-in-4/mailer, class and name to 4.0",
    "removed-in-4/labels of two addresses to 4.0",
  ]

  /// What does not pass yet in `NAME_CASES`.
  private static let failingNames: Set<String> = [
    "sort-as/N with SORT-AS",
    "sort-as/SORT-STRING in 3.0",
    "sort-as/organization with SORT-AS",
    "sort-as/SORT-STRING in kana",
  ]
}
