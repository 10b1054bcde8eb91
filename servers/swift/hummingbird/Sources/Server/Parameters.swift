import Hummingbird
import HummingbirdCore

extension URI {
    /// The whole number that a parameter of the query holds, in decimal digits; nil where it holds
    /// none, or one that is out of range.
    func number(_ name: Substring, in range: ClosedRange<Int>) -> Int? {
        queryParameters[name].flatMap { wholeNumber($0, in: range) }
    }

    /// The parameter `tag`, if it has eighteen digits.
    var tag: Substring? {
        queryParameters["tag"].flatMap { isDecimal($0) && $0.utf8.count == 18 ? $0 : nil }
    }
}

func wholeNumber(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard isDecimal(text), let number = Int(text), range.contains(number) else { return nil }
    return number
}

private func isDecimal(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
}
