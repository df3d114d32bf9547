import DBClientCore
import Foundation

/// The files that keys of encrypted stores are read from.
enum KeyFile {
    /// Returns the key of a file, of 32 bytes or of 64 hexadecimal digits on a line.
    ///
    /// - Throws: ``ToolError`` for a file that cannot be read, and for one with anything else.
    static func key(_ path: String) throws -> StoreKey {
        let content = try bytes(of: path)
        if content.count == StoreKey.byteCount { return .data(content) }
        guard let text = String(data: content, encoding: .utf8),
            let key = key(ofDigits: text.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            throw ToolError(
                "The file \(path) must have \(StoreKey.byteCount) bytes or"
                    + " \(2 * StoreKey.byteCount) hexadecimal digits; it has \(content.count) bytes.",
                hint: "A passphrase is given by --passphrase-file."
            )
        }
        return key
    }

    private static func key(ofDigits text: String) -> StoreKey? {
        let digits = text.unicodeScalars.map { Character($0).hexDigitValue }
        guard digits.count == 2 * StoreKey.byteCount, text.utf8.count == digits.count else {
            return nil
        }
        var key: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            key.append(UInt8(high * 16 + low))
        }
        return .data(key)
    }

    /// Returns the passphrase of a file: its text without the end of the line.
    ///
    /// - Throws: ``ToolError`` for a file that cannot be read, that is empty, or that has several lines.
    static func passphrase(_ path: String) throws -> StoreKey {
        guard var text = String(data: try bytes(of: path), encoding: .utf8) else {
            throw ToolError("The passphrase in \(path) must be text in UTF-8.")
        }
        if text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty, !text.contains(where: \.isNewline) else {
            throw ToolError("The file \(path) must have one line, with the passphrase.")
        }
        return .passphrase(text)
    }

    private static func bytes(of path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw ToolError("The key's file \(path) must be readable.")
        }
    }
}
