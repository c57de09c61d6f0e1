import AddressBookModel
import AvatarImage
import BookCare
import BookInterchange
import BookSearching
import ChangeLog
import ContactInterchange
import ContactSearch
import Contacts
import FolderSync
import Foundation
import GRDB
import IDSets
import LDAPDirectory
import LiveResults
import Messages
import ObjectGraph
import PictureFormat
import Pinyin
import ResultsController
import TerminalKit
import TerminalKitTesting
import Testing
import VCard

private struct Record: FetchableRecord, Sendable {
  init(row: Row) {}
}

// Every public type of every library, in type position: none is ambiguous, with Foundation and GRDB beside them.

private typealias AddressBookModelTypes = (
  AddressBook, BookContext, BookStatistics, BulkEdit, BulkWriter, ContactChange, ContactCollection, ContactCondition,
  ContactConditionError, ContactEdit, ContactFolder, ContactMergePolicy, ContactRow, ContactSection, ContactSortOrder,
  ContactURI, DamageLog, DeletedContact, EditConflict, EditError, EditSession, EditStep, FieldDifference, Group,
  GroupEdit, GroupSummary, Person, Photo, PhotoChange, Reversal, RevertConflict, SampleContacts, SmartGroup, StepName,
  StoreError, StoreLocation, StoredContact, TypedValues
)

private typealias AvatarImageTypes = (
  AvatarPhoto, AvatarRenderer, CellColor, CellColors, CellPicture, CellSymbols, DecodingProcess, DecodingService,
  ImageDecoder, ImageFile, ImageFileError, InitialPicture, PixelPicture, QRCode, RasterImage, SixelPicture, SquareCrop
)

private typealias BookCareTypes = (
  AutomaticBackup, BackupError, BackupSummary, BookDoctor, BookRestore, DoctorProgress, Examination, Finding,
  NamedContact, RepairReport
)

private typealias BookInterchangeTypes = (
  CardExporter, ContactColumn, ContactSections, ContactTextEdit, ContactTextFailure, CopiedContact, ImportChange,
  ImportError, ImportFormat, ImportNotice, ImportOutline, KnownCorrespondent, MailFolder, ReadMail,
  ImportProgress, ImportReading, ImportReport, Importer, JSONFile, PhotoRefusal, SplitExport
)

private typealias BookSearchingTypes = (
  BookQueries, BookSearch, ContactMatch, ContactMatcher, FoundContact, MailEntry, MailLineForm, PinyinSpelling,
  RelatedContact
)

private typealias ChangeLogTypes = (
  ChangeLogError, ChangeLogReader, ChangeTracking, EarlierRow, LogCursor, LoggedWrites, PrimaryKey, RowKey,
  TableChanges, VersionTriggers
)

private typealias ContactInterchangeTypes = (
  AbookReader<Never>, BirthdayCalendar, CSVFormat, CSVMapping, CSVOutline, CSVReader<Never>, CSVReading, CSVWriter,
  CardTemplate,
  CompactCard, Correspondents, ContactTemplate,
  ContactCardReader, ContactCardWriter, ContactJSON, ContactJSONError, ContactPatch, DirectoryEntryReader,
  EarlierReading, FieldSlot, FurtherTexts, ImportedCard, ImportedRecord, JCardReader<Never>, JCardWriter,
  JSContactReader, JSContactWriter, JSONElements<Never>, KeptLines, LDIFReader<Never>, LDIFWriter, LossTally,
  MailAddress, MailHeader, MuttAliases,
  PackedTexts, RecordEvent, RecordProblem, any RecordReader, TemplateContact, TemplateProblem, TemplateReader<Never>
)

private typealias ContactSearchTypes = (
  FieldMatch, IndexMemory, LastContactTerm, SearchDocument, SearchField, SearchHit, SearchIndex, SearchOptions,
  SearchQuery,
  SearchResult, SearchSession
)

private typealias ContactsTypes = (
  AddressPart, AddressText, Anniversary, CalendarDay, TypedDate, CardLineUnit, ComposedName, Contact, ContactField,
  ContactFields,
  ContactIssue,
  ContactRules, ContentKey, CustomFields, DuplicateFinder, DuplicateGroup, DuplicateIndex, DuplicateMerge,
  DuplicatePair,
  DuplicateReason, FieldPath, LabeledValue, Limits, MatchIndex, MatchKind, MergeConflict, NameStyle, PartialDate,
  PhotoSummary, PostalAddress, SHA256, ThreeWayMerge, ValueKey, WholeContactMerge
)

private typealias FolderSyncTypes = (
  Account, AccountFolder, AccountProblem, AccountSync, CardMerge, FolderSync, FolderWatch, PreviousCards,
  RefusedAddressBook, SyncError, SyncProblem, SyncProgress, SyncRecord, SyncRecords, SyncReport, SyncWatcher,
  Vdirsyncer,
  VdirsyncerProblem
)

private typealias IDSetsTypes = IDSet

private typealias LDAPDirectoryTypes = (
  DirectoryAccess, DirectoryConnection, DirectoryContact, DirectoryError, DirectoryFilter, DirectoryURL, PasswordProgram
)

private typealias LiveResultsTypes = (
  FetchedResultsController, LiveList<Object>, LiveResultsError, LiveSection<Object>, LiveUpdates<Object>
)

private typealias MessagesTypes = (
  Language, Localization
)

private typealias ObjectGraphTypes = (
  AggregateFunction, Attribute<String>, AttributeDescription, AttributeOption, AttributeType, any AttributeValue,
  BatchObject, BatchWriter, CheckedPredicate, CheckedRequest, any DeclaredObject, DefaultFalse, DeleteRule,
  DeletedObject, Entity, EntityAttribute, EntityDescription, EntityMapping, FetchColumn, FetchResult, any GraphReader,
  any ObjectCondition,
  GroupedQuery<Object, String, Int>, HistoryToken, InvalidMapping, InvalidPredicate, JoinTable, any LengthRange,
  LocalizationDictionary, ManagedObject, MappedColumn, MappedTables, MembersPath<Object>, MemoryStorage, MergePolicy,
  Object, ObjectChanges, ObjectContext, ObjectFetchRequest, ObjectGraphError, ObjectGroup<Object, String>,
  ObjectHistory, ObjectID, ObjectModel, ObjectPath<Object>, ObjectPredicate, ObjectQuery<Object>, ObjectStack,
  PendingChanges, any PredicateArgument, PredicateComparison, PredicateConstant, PredicateFunction,
  any PredicateOperand, PredicatePath, PredicateSubject, PredicateSubquery, PredicateTerm, PredicateToken<Int>,
  Property, PropertyMapping, QuantifiedPath<Object>, Relationship, RelationshipDescription, any RelationshipSide,
  RelationshipStorage, RequestRun, RowDeletion, SQLTraceEvent, any SQLiteHost, SaveConflict, SaveHooks, SortKey,
  SourceOffset, StackOptions, StoreDescription, StoreFailure, StoreMapping, StoreMigration, TextOptions, any TextValue,
  ToMany<Object>, ToOne<Object>, ValidationIssue, ValidationRule, Value
)

private typealias PictureFormatTypes = (
  ForeignFormat, ImageFacts, ImageFormat, ImageHeader, ImageLimits, ImageOrientation, ImageRefusal, PictureMetadata
)

private typealias PinyinTypes = (
  ASCIILetters, CompatibleForm, HanVariants, LatinFolding, LocaleIndex, NameCollation, NamePart, Readings,
  Romanization, ScriptSection, Section, SortableName, Syllable, SyllableList
)

private typealias ResultsControllerTypes = (
  ChangeBatch, ChangeSet, FetchMode, FetchedRecordsController<Record>, ListState, any ResultsDelegate, ResultsDelivery,
  ResultsError, ResultsEvent, ResultsFilter, ResultsRequest, ResultsSnapshot, ResultsUpdate, ResultsUpdates,
  ResultsWrites, RowChange, RowPath, RowSortKey, SectionChange, SectionCounts, SectionInfo, SectionKey, SectionValue
)

private typealias TerminalKitTypes = (
  Bars, BottomLine, Canvas, Cell, ChoiceFilter, ChooserScreen<Int, Int>, ChooserState, Color, CommandRole, CursorShape,
  DetachedProgram, DialogScreen<Int, Int>, DialogState, Dispatcher<Int, Int>, DisplayText, Event, EventLoop,
  HelpLines<Int, Int>, HelpScreen<Int, Int>, KeyLayouts, Hint, ImageLayer, ImageProtocol, ImageStore, InputDecoder,
  InputHistory,
  any InputSource,
  Key, KeyBinding<Int, Int>, KeyMap<Int, Int>, KeyReader<Int, Int>, KeySequence, KeyTarget, KittySequence,
  ListSelection, any MarkSet, Marks<Set<Int>>, Mouse, Movement, NcursesTerminal, Pager, PagerScreen<Int, Int>,
  PagerState, PathCompletion, PixelSize, Point, Popup, Program, any ProgramLoop, PromptScreen<Int, Int>, PromptState,
  Rect, any Screen, ScreenContext<Int, Int>, ScrollBar, Size, Style, any Terminal, TerminalError, TerminalGuard,
  TerminalImage, TerminalLink, TextArea, TextCompletion, TextField, TextPiece, TextRow, TextWidth, TimerID, Truncation,
  WidgetStyle
)

private typealias TerminalKitTestingTypes = (
  ManualLoop, PipeInput, RecordingTerminal
)

private typealias VCardTypes = (
  Base64, Card, CardBinary, CardLine, CardParameter, CardTime, CardVersion, Diagnostic, FileSignature, ForeignText,
  LineForm, ReaderLimits, TextInput<Never>, VCardReader<Never>, VCardWriter
)

/// A program may import all libraries at once, and needs no other import for the types that they mention.
struct EveryTypeTests {
  @Test(arguments: [
    "AddressBookModel",
    "AvatarImage",
    "BookCare",
    "BookInterchange",
    "BookSearching",
    "ChangeLog",
    "ContactInterchange",
    "ContactSearch",
    "Contacts",
    "FolderSync",
    "IDSets",
    "LDAPDirectory",
    "LiveResults",
    "Messages",
    "ObjectGraph",
    "PictureFormat",
    "Pinyin",
    "ResultsController",
    "TerminalKit",
    "TerminalKitTesting",
    "VCard",
  ])
  func everyPublicTypeIsNamed(_ module: String) throws {
    let text = try String(contentsOfFile: #filePath, encoding: .utf8)
    let named = Set(text.matches(of: /\w+/).map { String($0.output) })
    let types = try Self.publicNames(in: module, declaredBy: Self.typeWords)
    #expect(!types.isEmpty)
    for type in types { #expect(named.contains(type), "\(module).\(type)") }
  }

  /// A catalog leads to everything that the module has: each type and function stands in a topic or a guide.
  @Test(arguments: try EveryTypeTests.catalogs())
  func everyPublicTypeIsInTheCatalog(_ module: String) throws {
    var symbols: Set<String> = []
    let catalog = Self.sources.appending(path: "\(module)/\(module).docc")
    for case let article as URL in try Self.files(in: catalog) where article.pathExtension == "md" {
      let text = try String(contentsOf: article, encoding: .utf8)
      symbols.formUnion(text.matches(of: /``(\w+)/).map { String($0.output.1) })
    }
    let names = try Self.publicNames(in: module, declaredBy: Self.typeWords + ["func"])
    #expect(!names.isEmpty)
    for name in names {
      #expect(symbols.contains(name), "\(module).\(name)")
    }
  }

  // MARK: Sources

  private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL
  private static let typeWords = ["struct", "enum", "class", "protocol", "typealias", "actor"]

  /// The modules with a catalog that has a first page.
  private static func catalogs() throws -> [String] {
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
    return modules.filter { module in
      FileManager.default.fileExists(atPath: sources.appending(path: "\(module)/\(module).docc/\(module).md").path)
    }
  }

  private static func files(in folder: URL) throws -> FileManager.DirectoryEnumerator {
    try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
  }

  /// Returns the names of public declarations outside of any type.
  private static func publicNames(in module: String, declaredBy words: [String]) throws -> Set<String> {
    let pattern = try Regex<(Substring, Substring)>(
      "(?m)^(?:public|open) (?:final |indirect )*(?:\(words.joined(separator: "|"))) (\\w+)")
    var names: Set<String> = []
    for case let file as URL in try files(in: sources.appending(path: module)) where file.pathExtension == "swift" {
      names.formUnion(
        try String(contentsOf: file, encoding: .utf8).matches(of: pattern).map { String($0.output.1) })
    }
    return names
  }
}
