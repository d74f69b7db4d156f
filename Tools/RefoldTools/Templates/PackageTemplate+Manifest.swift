extension PackageTemplate {
  /// `Package.swift`. The dependency is called refold by its name or its URL, so that the package
  /// builds whatever the folder that Refold lies in is called.
  var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      dependencies: [\(refold.dependency)],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "Refold", package: "\(refold.package)"),
            .product(name: "RefoldTools", package: "\(refold.package)"),
            // For states with a screen: .product(name: "Sections", package: "\(refold.package)"),
          ]),
        .testTarget(
          name: "\(name.testTarget)",
          dependencies: [
            "\(name)",
            .product(name: "RefoldTesting", package: "\(refold.package)"),
          ]),
      ],
      swiftLanguageModes: [.v6]
    )

    """
  }
}
