import DBClientCore
import Foundation
import Testing
import TrustRow

struct StoreKeyTests {
    @Test("A key shows nothing of itself", .counts(for: "R17", part: "errors"))
    func isHidden() {
        let key = StoreKey.passphrase("correct horse")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("horse"))
        }
    }

    @Test("A key has 32 bytes, and a passphrase some")
    func validates() throws {
        try StoreKey.random().validate()
        try StoreKey.data(Data(repeating: 7, count: 32)).validate()
        try StoreKey.passphrase("x").validate()
        for key in [StoreKey.data([]), .data([UInt8](repeating: 7, count: 31)), .passphrase("")] {
            let error = #expect(throws: DBClientError.self) { try key.validate() }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test("A passphrase is the same however its letters are composed")
    func normalizesPassphrases() {
        let composed = StoreKey.passphrase("caf\u{E9}").withUnsafeBytes { Array($0) }
        let decomposed = StoreKey.passphrase("cafe\u{301}").withUnsafeBytes { Array($0) }
        #expect(composed == decomposed)
    }

    @Test("Random keys differ")
    func randomKeysDiffer() {
        let keys = (0..<100).map { _ in StoreKey.random().withUnsafeBytes { Array($0) } }
        #expect(Set(keys).count == keys.count)
    }
}
