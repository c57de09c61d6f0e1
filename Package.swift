// swift-tools-version: 6.2
import PackageDescription

// The arrows between modules are drawn in ARCHITECTURE.md. A new arrow is a commit of its own.

// `make check` builds with every warning an error; other builds must not break with a newer compiler's new warning.
let strict: [SwiftSetting] =
  Context.environment["WARNINGS_AS_ERRORS"] == nil
  ? [.swiftLanguageMode(.v6)] : [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "addressbook",
  defaultLocalization: "en",
  products: [
    .executable(name: "addressbook", targets: ["addressbook"]),
    .library(name: "AddressBookModel", targets: ["AddressBookModel"]),
    .library(name: "AvatarImage", targets: ["AvatarImage"]),
    .library(name: "ChangeLog", targets: ["ChangeLog"]),
    .library(name: "ContactInterchange", targets: ["ContactInterchange"]),
    .library(name: "ContactSearch", targets: ["ContactSearch"]),
    .library(name: "Contacts", targets: ["Contacts"]),
    .library(name: "PictureFormat", targets: ["PictureFormat"]),
    .library(name: "LiveResults", targets: ["LiveResults"]),
    .library(name: "ObjectGraph", targets: ["ObjectGraph"]),
    .library(name: "Pinyin", targets: ["Pinyin"]),
    .library(name: "ResultsController", targets: ["ResultsController"]),
    .library(name: "TerminalKit", targets: ["TerminalKit"]),
    .library(name: "TerminalKitTesting", targets: ["TerminalKitTesting"]),
    .library(name: "VCard", targets: ["VCard"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // C libraries: one shim each, imported by one Swift file each.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"])]),
    // Plain functions over ICU, so that no type of its headers reaches Swift. The Makefile puts it into a released program;
    // its static form needs the last two.
    .target(
      name: "CICU",
      linkerSettings: [
        .linkedLibrary("icui18n"), .linkedLibrary("icuuc"), .linkedLibrary("icudata"), .linkedLibrary("stdc++"),
      ]),
    // What the handler of a fatal signal may do is written in C: nothing of Swift's run time is safe there.
    .target(name: "CTerminalGuard"),
    // A stack for that handler in every thread of a program.
    .target(name: "CCoveredThreads", dependencies: ["CTerminalGuard"]),
    // So is what becomes of a page that is gone from a mapped file.
    .target(name: "CPageGuard"),
    // One function of SQLite that Swift cannot call.
    .target(name: "CSQLiteClosing", linkerSettings: [.linkedLibrary("sqlite3")]),
    // The table of readings, made by Resources/pinyin/make-readings.py.
    .target(name: "CPinyinTable"),

    // Opened on first use, not linked: see their headers.
    .target(name: "CChafa"),
    .target(name: "CPixbuf"),
    // A process with nothing but a socket, limits and a filter of system calls.
    .target(name: "CPictureProcess"),

    // Pure: no files, no clock, no database.
    .target(name: "Pinyin", dependencies: ["CICU", "CPinyinTable"], swiftSettings: strict),
    .target(name: "ContactSearch", dependencies: ["Pinyin"], swiftSettings: strict),
    .target(name: "VCard", swiftSettings: strict),
    .target(name: "Contacts", dependencies: ["Pinyin"], swiftSettings: strict),
    .target(name: "ContactInterchange", dependencies: ["Contacts", "VCard"], swiftSettings: strict),
    .target(name: "PictureFormat", swiftSettings: strict),

    // Pictures as bytes, pixels and character cells.
    .target(
      name: "AvatarImage", dependencies: ["CChafa", "CPictureProcess", "CPixbuf", "PictureFormat"],
      swiftSettings: strict),

    // Any table.
    .target(
      name: "ChangeLog",
      dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .target(
      name: "ResultsController",
      dependencies: ["ChangeLog", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),

    // Any model.
    .target(
      name: "ObjectGraph",
      dependencies: ["ChangeLog", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),

    // Any model, listed.
    .target(
      name: "LiveResults",
      dependencies: ["ObjectGraph", "ResultsController", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),

    // Any full-screen program.
    .target(name: "TerminalKit", dependencies: ["CNcurses", "CTerminalGuard"], swiftSettings: strict),
    // A terminal, an input and a loop for the tests of such programs, made of what TerminalKit shows to everybody.
    .target(name: "TerminalKitTesting", dependencies: ["TerminalKit"], swiftSettings: strict),

    // The address book.
    .target(
      name: "AddressBookModel",
      dependencies: [
        "CPageGuard", "CSQLiteClosing", "ChangeLog", "ContactInterchange", "ContactSearch", "Contacts", "ObjectGraph",
        "PictureFormat",
        "Pinyin", "VCard",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("../../Resources/strings")],
      swiftSettings: strict),
    .target(
      name: "AddressBookTUI",
      dependencies: [
        "AddressBookModel", "AvatarImage", "Contacts", "PictureFormat", "ResultsController", "TerminalKit",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "addressbook",
      dependencies: [
        "AddressBookModel", "AddressBookTUI", "AvatarImage", "CCoveredThreads", "ContactInterchange", "Contacts",
        "PictureFormat",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    .target(name: "SharedMaterial", path: "Tests/SharedMaterial", swiftSettings: strict),
    // What a terminal shows of the bytes that it is sent: an emulator, and tmux, which judges it.
    .target(
      name: "TerminalJudge", dependencies: ["SharedMaterial", "TerminalKit"], path: "Tests/TerminalJudge",
      swiftSettings: strict),
    .testTarget(
      name: "AvatarImageTests", dependencies: ["AvatarImage", "PictureFormat", "SharedMaterial"], swiftSettings: strict),
    .testTarget(
      name: "PictureFormatTests", dependencies: ["PictureFormat", "SharedMaterial"], swiftSettings: strict),
    .testTarget(name: "PinyinTests", dependencies: ["Pinyin", "SharedMaterial"], swiftSettings: strict),
    .testTarget(
      name: "ContactSearchTests", dependencies: ["ContactSearch", "SeededRandom", "SharedMaterial"],
      swiftSettings: strict),
    .testTarget(name: "VCardTests", dependencies: ["Contacts", "VCard", "SharedMaterial"], swiftSettings: strict),
    .testTarget(
      name: "ContactsTests", dependencies: ["Contacts", "SeededRandom", "SharedMaterial"], swiftSettings: strict),
    .testTarget(
      name: "ContactInterchangeTests", dependencies: ["ContactInterchange", "Contacts", "VCard", "SharedMaterial"],
      swiftSettings: strict),
    .testTarget(
      name: "ChangeLogTests", dependencies: ["ChangeLog"], swiftSettings: strict),
    .testTarget(
      name: "ResultsControllerTests",
      dependencies: ["ChangeLog", "ResultsController", "SeededRandom", "SharedMaterial"],
      swiftSettings: strict),
    // A program that edits a store, of which the tests of ObjectGraph run several at once.
    .executableTarget(
      name: "StoreProbe", dependencies: ["ObjectGraph"], path: "Tests/StoreProbe", swiftSettings: strict),
    .testTarget(
      name: "ObjectGraphTests", dependencies: ["ObjectGraph", "StoreProbe", "SeededRandom", "SharedMaterial"],
      swiftSettings: strict),
    .testTarget(
      name: "LiveResultsTests", dependencies: ["LiveResults", "ObjectGraph", "ResultsController", "SeededRandom"],
      swiftSettings: strict),
    // Other systems than an address book, on objects and live lists together, as a program outside would use them.
    .testTarget(name: "TutorialTests", dependencies: ["ObjectGraph", "ResultsController"], swiftSettings: strict),
    // Programs that crash on purpose, run by the tests of TerminalKit.
    .executableTarget(
      name: "TerminalProbe", dependencies: ["TerminalKit"], path: "Tests/TerminalProbe", swiftSettings: strict),
    .executableTarget(
      name: "CoveredProbe", dependencies: ["CCoveredThreads", "TerminalKit"], path: "Tests/CoveredProbe",
      swiftSettings: strict),
    .testTarget(
      name: "TerminalKitTests",
      dependencies: [
        "CoveredProbe", "TerminalJudge", "TerminalKit", "TerminalKitTesting", "TerminalProbe", "SeededRandom",
        "SharedMaterial",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AddressBookModelTests",
      dependencies: [
        "AddressBookModel", "ChangeLog", "ContactInterchange", "Contacts", "ObjectGraph", "SeededRandom",
        "SharedMaterial",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AddressBookTUITests",
      dependencies: [
        "AddressBookTUI", "AvatarImage", "Contacts", "SeededRandom", "SharedMaterial", "TerminalJudge",
        "TerminalKitTesting",
      ],
      swiftSettings: strict),
    // These run the built program as a process.
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["addressbook", "AddressBookModel", "AvatarImage", "Contacts", "PictureFormat", "SharedMaterial"],
      swiftSettings: strict),
  ]
)
