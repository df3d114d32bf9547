import Foundation
import Testing

@testable import DBClientCore
@testable import DBClientPostgreSQL

@Suite struct NumericTests {
    @Test(arguments: [
        "0", "1", "-1", "10", "9999", "10000", "12345", "-12.3456", "0.1", "0.0001", "0.00001",
        "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001",
        "1234567890123456789012345678.9012345678", "1e100", "-7e-100", "100000001", "0.10002",
        "1234567890123456", "-1234567890123.456", "9999999999999999", "1000000000000000",
        "0.1234567890123456", "12345678901234567", "100.50", "-0.05", "7", "70000", "1234.5678",
    ])
    func aNumberComesBack(text: String) throws {
        let decimal = try #require(Decimal(string: text))
        let ordered = try #require(OrderedDecimal.encode(decimal))
        var server = [UInt8](repeating: 0xEE, count: Numeric.maximumLength)
        let written = server.withUnsafeMutableBytes { target in
            ordered.withUnsafeBytes { Numeric.encode($0, to: target.baseAddress!) }
        }
        let count = try #require(written)
        var back = [UInt8](repeating: 0xEE, count: Numeric.maximumOrderedLength)
        let read = server[..<count].withUnsafeBytes { source in
            back.withUnsafeMutableBufferPointer { Numeric.decode(source, to: $0.baseAddress!) }
        }
        let length = try #require(read)
        #expect(Array(back[..<length]) == ordered)
    }
}
