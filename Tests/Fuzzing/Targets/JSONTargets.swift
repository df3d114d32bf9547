import Foundation

@testable import DBClientCore

extension FuzzTarget {
    /// The JSON of embedded values, and parts of it: the text of a path, a zero byte, and the text of a value.
    static let json = FuzzTarget("json") {
        [
            ("[]", #"{"a":[1,2.50,-0.0,1e-3],"b":"x\u00e9\n","c":null,"d":{"e":true}}"#),
            (#"["a",1]"#, #"{"a":[1,"two",[3,{}]],"b":-0}"#),
            (#"["d","\u0065"]"#, #"{ "c" : [ ] , "d" : { "e" : "\ud83d\ude00" } }"#),
        ].map { Array($0.0.utf8) + [0] + Array($0.1.utf8) }
    } decode: { input in
        let split = input.firstIndex(of: 0) ?? input.count
        let path = UnsafeRawBufferPointer(rebasing: input[..<split])
        let text = UnsafeRawBufferPointer(rebasing: input[min(split + 1, input.count)...])
        if let part = JSONScanner.part(at: path, of: text) {
            try require(isWithin(part, text), "A part of a value must be within it.")
            _ = JSONNumber.real(part, as: Double.self)
            _ = JSONNumber.real(part, as: Float.self)
            if let number = JSONNumber.integer(part) {
                try require(JSONNumber.isNumber(part), "The integer \(number) must be a number.")
            }
        }
        for element in JSONScanner.texts(in: text) {
            try require(isWithin(element, text), "A text of a list must be within it.")
            guard let bytes = JSONString.decoded(element) else { continue }
            guard let decoded = String(bytes: bytes, encoding: .utf8) else { continue }
            var encoded = JSONString.encoded(decoded)
            let again = encoded.withUTF8 { JSONString.decoded(UnsafeRawBufferPointer($0)) }
            try require(again == bytes, "A text that is encoded must be decoded as it was.")
        }
        let normalization = JSONNormalization()
        let checked = try normalization.checked(Data(text))
        if !normalization.differs {
            try require(checked.elementsEqual(text), "A value without negative zeros must stay.")
        }
        let again = JSONNormalization()
        _ = try again.checked(checked)
        try require(!again.differs, "A value that was normalised must be normal.")
    }
}

/// Whether memory is a part of other memory.
private func isWithin(_ part: UnsafeRawBufferPointer, _ whole: UnsafeRawBufferPointer) -> Bool {
    guard let start = part.baseAddress, let first = whole.baseAddress else { return part.isEmpty }
    return start >= first && start + part.count <= first + whole.count
}
