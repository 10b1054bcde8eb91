// swift-tools-version:5.6
import PackageDescription

let package = Package(
    name: "Server",
    dependencies: [
        .package(url: "https://github.com/PerfectlySoft/Perfect-HTTPServer.git", exact: "3.0.23")
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [.product(name: "PerfectHTTPServer", package: "Perfect-HTTPServer")])
    ]
)
