// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that no benchmark is built or shipped with the program. `make bench` runs it.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "addressbook", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "search-benchmark",
      dependencies: [
        .product(name: "AddressBookModel", package: "addressbook"),
        .product(name: "ContactSearch", package: "addressbook"),
      ]),
    .target(name: "BenchmarkReport"),
    // A loop over rows in C, without Swift or GRDB.
    .target(name: "CBareLoop", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Inserts the rows of a book with bare SQLite: the lower bound for an import.
    .executableTarget(name: "bare-insert", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "results-benchmark",
      dependencies: [
        "BenchmarkReport", "CBareLoop",
        .product(name: "ChangeLog", package: "addressbook"),
        .product(name: "IDSets", package: "addressbook"),
        .product(name: "ResultsController", package: "addressbook"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(
      name: "objects-benchmark",
      dependencies: [
        "BenchmarkReport",
        .product(name: "ObjectGraph", package: "addressbook"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
