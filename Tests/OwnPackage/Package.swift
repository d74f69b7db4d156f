// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OwnPackage",
  dependencies: [.package(name: "refold", path: "../..")],
  targets: [
    .executableTarget(
      name: "OwnPackage",
      dependencies: [
        .product(name: "Refold", package: "refold"),
        .product(name: "RefoldTools", package: "refold"),
        // For states with a screen: .product(name: "Sections", package: "refold"),
      ]),
    .testTarget(
      name: "OwnPackageTests",
      dependencies: [
        "OwnPackage",
        .product(name: "RefoldTesting", package: "refold"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
