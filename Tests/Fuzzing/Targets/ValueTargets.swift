import Foundation

@testable import DBClientCore

extension FuzzTarget {
    /// Decimals in the form that keeps their order, and as texts.
    static let decimals = FuzzTarget("decimals") {
        let numbers = ["0", "1", "-1", "0.001", "-123456789.987654321", "1e127", "9e-128"]
        return numbers.compactMap { OrderedDecimal.encode($0) } + numbers.map { Array($0.utf8) }
    } decode: { input in
        let bytes = UnsafeRawBufferPointer(input)
        if OrderedDecimal.isForm(bytes) {
            guard let number = OrderedDecimal.decode(bytes) else {
                throw FuzzFinding("What is a decimal's form must be decoded.")
            }
            let form = OrderedDecimal.encode(number)
            try require(
                form.map { $0.elementsEqual(bytes) } ?? false,
                "The form of \(number) must be the one that it was decoded from."
            )
        }
        if let form = OrderedDecimal.encode(String(decoding: bytes, as: UTF8.self)) {
            try require(form.withUnsafeBytes(OrderedDecimal.isForm), "A form must be one.")
        }
    }

    /// What columns of each format hold: a byte for the format, one for the kind of value, and the value.
    static let columnTexts = FuzzTarget("column-texts") {
        let texts = [
            "2026-11-27T14:30:00.125Z", "2026-11-27 14:30:00", "2026-11-27",
            "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", "-12.50", "true",
        ]
        return formats.indices.flatMap { format in
            texts.map { [UInt8(format), 0] + Array($0.utf8) }
                + [[UInt8(format), 1, 0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18]]
                + [[UInt8(format), 2, 0, 0, 1, 0x8B, 0, 0, 0, 0]]
        }
    } decode: { input in
        guard input.count >= 2 else { return }
        let format = formats[Int(input[0]) % formats.count]
        let rest = UnsafeRawBufferPointer(rebasing: input[2...])
        var bits: UInt64 = 0
        for byte in rest.prefix(8) { bits = bits << 8 | UInt64(byte) }
        let stored: Slot =
            switch input[1] % 4 {
            case 0: .text(rest)
            case 1: .real(Double(bitPattern: bits))
            case 2: .integer(Int64(bitPattern: bits))
            default: .data(rest)
            }
        // Engines have seen to it that texts are UTF-8.
        guard stored.kind != .text || String(validating: rest, as: UTF8.self) != nil else { return }
        guard let value = format.value(ofStored: stored) else { return }
        // What is written of a value that was read is what is written of that again.
        guard let written = value.withSlot({ format.stored($0) }) else { return }
        guard let again = written.withSlot({ format.value(ofStored: $0) }) else {
            throw FuzzFinding("What \(format) writes of \(value) must be read: \(written).")
        }
        let writtenAgain = again.withSlot { format.stored($0) }
        try require(writtenAgain == written, "\(format) must write \(again) as \(written) again.")
    }

    private static let formats: [ColumnFormat] = [
        .iso8601, .iso8601(fractionDigits: 6, hasZone: false), .dateTime, .day, .secondsSince1970,
        .millisecondsSince1970, .timeIntervalSince1970, .timeIntervalSinceReferenceDate,
        .julianDay, .uppercaseText, .lowercaseText, .text, .text(true: "yes", false: "no"), .real,
        .integer(fractionDigits: 2), .data,
    ]

    /// Points in time as texts.
    static let instants = FuzzTarget("instants") {
        [
            "2026-11-27T14:30:00.1234567+01:00", "-000001-02-28", "+012345-12-31 23:59:60",
            "1969-12-31T24:00Z",
        ].map { Array($0.utf8) }
    } decode: { input in
        guard let instant = InstantText.microseconds(UnsafeRawBufferPointer(input)) else { return }
        guard Date.isStorable(instant) else { return }
        var text = InstantText.text(
            instant,
            InstantText.Style(separator: UInt8(ascii: "T"), fractionDigits: 6, hasZone: true)
        )
        let again = text.withUTF8 { InstantText.microseconds(UnsafeRawBufferPointer($0)) }
        try require(again == instant, "\(text) must be read as \(instant); got \(again ?? 0).")
    }
}
