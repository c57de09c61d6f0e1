import Foundation

/// Data and tools that are not part of the project, each named by an environment variable. A test that needs one uses
/// `.enabled(if:)`, so that it is skipped, not passed, if the variable is not set.
public enum SharedMaterial: String, Sendable {
  case resultsCases = "RESULTS_CASES"
  case sectionCases = "SECTION_CASES"
  case searchCases = "SEARCH_CASES"
  case objectCases = "OBJECT_CASES"
  case mergeCases = "MERGE_CASES"
  case duplicateCases = "DUPLICATE_CASES"
  case syncCases = "SYNC_CASES"
  case formatCases = "FORMAT_CASES"
  case fileCases = "FILE_CASES"
  case nameCases = "NAME_CASES"
  case pinyinOverrides = "PINYIN_OVERRIDES"
  case vCards = "VCARD_CORPUS"
  case hostileFiles = "HOSTILE_CORPUS"
  case images = "IMAGE_CORPUS"
  case terminalCheck = "TERM_RESTORE_CHECK"
  case cardGenerator = "GEN_VCARDS"

  private var named: String? {
    ProcessInfo.processInfo.environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the variable is set and not empty. The file or folder that it names must exist then.
  public var isNamed: Bool { named != nil }

  /// The file or folder. Only for tests that are enabled by `isNamed`.
  public var path: String {
    guard let named else { preconditionFailure("\(rawValue) is not set") }
    return named
  }

  /// The file or folder as a URL.
  public var url: URL { URL(fileURLWithPath: path) }
}
