// swift-tools-version:5.6
import PackageDescription

// Kitura 2.6.3 is the newest release that compiles with Swift 6: later ones match JSONEncoder's strategies by
// patterns that Foundation no longer allows. For the same reason KituraContracts stays at 1.1.3.
let package = Package(
    name: "Server",
    dependencies: [
        .package(url: "https://github.com/Kitura/Kitura.git", exact: "2.6.3"),
        .package(url: "https://github.com/Kitura/KituraContracts.git", exact: "1.1.3"),
    ],
    targets: [
        .executableTarget(
            name: "Server", dependencies: [.product(name: "Kitura", package: "Kitura")])
    ]
)
