import Hummingbird

/// A setting that the server cannot work with; said in one line.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}

/// The value of an environment variable that must not be empty.
func required(_ name: String) throws -> String {
    guard let value = Environment().get(name), !value.isEmpty else {
        throw Refusal(description: "the environment variable \(name) is not set")
    }
    return value
}

/// The whole number that an environment variable holds, or `usual` where it is not set.
func number(_ name: String, usual: Int) throws -> Int {
    guard let text = Environment().get(name), !text.isEmpty else { return usual }
    guard let number = Int(text), number >= 0 else {
        throw Refusal(description: "\(name) is '\(text)': set it to a number of 0 or more")
    }
    return number
}
