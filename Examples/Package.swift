// swift-tools-version: 6.2
import PackageDescription

// A separate package, as another project would write it. It uses four library products of the address book.
let objects = Target.Dependency.product(name: "ObjectGraph", package: "addressbook")
let lists = Target.Dependency.product(name: "LiveResults", package: "addressbook")
let results = Target.Dependency.product(name: "ResultsController", package: "addressbook")
let terminal = Target.Dependency.product(name: "TerminalKit", package: "addressbook")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

let package = Package(
  name: "examples",
  dependencies: [
    .package(name: "addressbook", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(name: "college", dependencies: [lists], path: "college/Sources"),
    .executableTarget(name: "notes", dependencies: [objects, database], path: "notes/Sources"),
    .executableTarget(name: "locations", dependencies: [lists], path: "locations/Sources"),
    .executableTarget(
      name: "archive", path: "archive/Sources", resources: [.copy("Resources/settings.plist")]),
    .executableTarget(name: "file-lister", dependencies: [terminal], path: "file-lister/Sources"),
    .executableTarget(
      name: "watch-table", dependencies: [results, terminal, database], path: "watch-table/Sources"),
  ],
  swiftLanguageModes: [.v6]
)
