// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that it does not slow down the build of the program. `make fuzz` builds this with libFuzzer,
// the instrumentation that it needs, and the address sanitizer (Scripts/fuzz.sh).
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "addressbook", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "ContactInterchange", package: "addressbook"),
        .product(name: "Contacts", package: "addressbook"),
        .product(name: "ContactSearch", package: "addressbook"),
        .product(name: "ObjectGraph", package: "addressbook"),
        .product(name: "PictureFormat", package: "addressbook"),
        .product(name: "TerminalKit", package: "addressbook"),
        .product(name: "VCard", package: "addressbook"),
      ],
      linkerSettings: [.linkedLibrary("stdc++")])
  ],
  swiftLanguageModes: [.v6]
)
