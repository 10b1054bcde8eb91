// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Server",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/vapor/vapor.git", exact: "4.122.0")],
    targets: [
        .executableTarget(
            name: "Server", dependencies: [.product(name: "Vapor", package: "vapor")])
    ]
)
