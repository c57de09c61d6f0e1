// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as another project would write it: of the address book it takes the product ResultsController alone.
let results: [Target.Dependency] = [
  "Printing", .product(name: "ResultsController", package: "addressbook"),
  .product(name: "GRDB", package: "GRDB.swift"),
]

let package = Package(
  name: "examples",
  dependencies: [
    .package(name: "addressbook", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "Printing",
      dependencies: [
        .product(name: "ResultsController", package: "addressbook"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(name: "watch-table", dependencies: results),
    .executableTarget(name: "courses", dependencies: results),
    .executableTarget(name: "notes", dependencies: results),
    .executableTarget(name: "events", dependencies: results),
  ]
)
