// swift-tools-version:5.6
import PackageDescription

let package = Package(
    name: "Server",
    dependencies: [.package(url: "https://github.com/Zewo/Zewo.git", exact: "0.16.1")],
    targets: [
        .executableTarget(name: "Server", dependencies: [.product(name: "Zewo", package: "Zewo")])
    ]
)
