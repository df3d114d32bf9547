import CLMDB
import DBClientCore
import Foundation

@testable import DBClientObjectStore

extension FuzzTarget {
    /// Headers of encrypted stores.
    static let storeHeaders = FuzzTarget("store-headers") {
        let key = try [UInt8](repeating: 1, count: Cipher.keySize).withUnsafeBytes(Cipher.key)
        return [try StoreHeader(key, with: .data(Data(repeating: 7, count: 32))).coded]
    } decode: { input in
        if input.count == StoreHeader.size, let start = input.baseAddress {
            let end = StoreHeader.size - 4
            start.storeBytes(of: checksum(start, end), toByteOffset: end, as: UInt32.self)
        }
        let header = try StoreHeader(UnsafeRawBufferPointer(input))
        try require(header.coded.elementsEqual(input), "A header must be what it was read from.")
    }

    /// Pages of encrypted stores, as they are when they are opened.
    static let sealedPages = FuzzTarget("sealed-pages") {
        [0, 1].map { level in
            let page = SealedPage(number: 3, level: level, owner: 1)
            // An entry with a key of three bytes, and a value of two or a reference with a count.
            let size = level == 0 ? 14 : 12 + PageReference.countedSize
            let place = SealedPage.capacity - size
            let entry: [UInt8] = [2, 0, 0, 0, 0, 0, 3, 0] + Array("keyxy".utf8)
            (page.base + place).copyMemory(from: entry, byteCount: entry.count)
            for (offset, value) in [(12, 18), (14, place), (16, place)] {
                page.base.storeBytes(of: UInt16(value), toByteOffset: offset, as: UInt16.self)
            }
            return Array(page.bytes)
        }
    } decode: { input in
        let page = SealedPage(number: 3)
        page.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: input.prefix(page.size)))
        if input.count < page.size {
            memset(page.base + input.count, 0, page.size - input.count)
        }
        page.base.storeBytes(of: 3, as: UInt64.self)
        guard page.isSound else { return }
        for index in 0..<page.count {
            try requireWithin(page.key(index), page)
            if !page.isLeaf {
                _ = page.target(index)
                _ = page.countBelow(index)
            } else if page.hasValueElsewhere(index) {
                _ = page.target(index)
            } else {
                try requireWithin(page.value(index), page)
            }
        }
        _ = page.totalCount
    }

    private static func requireWithin(_ value: MDB_val, _ page: SealedPage) throws {
        guard let start = UnsafeRawPointer(value.mv_data) else { return }
        let offset = start - UnsafeRawPointer(page.base)
        try require(
            offset >= SealedPage.headerSize && offset + Int(value.mv_size) <= page.size,
            "An entry must be within its page; got \(offset) and \(value.mv_size) bytes."
        )
    }
}
