import Foundation

/// Inputs that are decoded each time, among them those that found a fault, in files of the folder beside this one.
///
/// A line is an input in hexadecimal digits.
package enum Corpus {
    /// Returns the inputs of a target; none where it has no file.
    ///
    /// - Throws: `FuzzFinding` for a line that is none.
    package static func inputs(of target: String) throws -> [[UInt8]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Corpus/\(target).hex")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map { line in
            guard let input = bytes(of: line) else {
                throw FuzzFinding("A line of the corpus must be hexadecimal digits; got \(line).")
            }
            return input
        }
    }

    /// Returns the bytes of hexadecimal digits; nil for what are none.
    static func bytes(of digits: Substring) -> [UInt8]? {
        let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count % 2 == 0, !values.contains(nil) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { index in
            UInt8((values[index] ?? 0) << 4 | (values[index + 1] ?? 0))
        }
    }
}
