import Foundation
import Testing

@testable import DBClientObjectStore

/// The memory of sealed pages.
@Suite struct PageMemoryTests {
    private static let pageSize = SealedPage.memorySize

    @Test("Pages lie side by side, so that they take no more memory than they have")
    func pagesAreDense() {
        let pages = (0..<10_000).map { SealedPage(number: UInt64($0)) }
        let addresses = Set(pages.map { UInt(bitPattern: $0.base) })
        #expect(addresses.count == pages.count)
        #expect(addresses.allSatisfy { $0 % UInt(Self.pageSize) == 0 })
        // 40 in as many megabytes; other tests have pages as well.
        let megabytes = Set(addresses.map { $0 >> 20 })
        #expect(megabytes.count < 60)
    }

    @Test("Pages that are freed are used again, and no other one's bytes change")
    func pagesAreUsedAgain() async {
        await withTaskGroup(of: Bool.self) { group in
            for seed in 1...4 as ClosedRange<UInt64> {
                group.addTask {
                    var state = seed
                    var pages: [SealedPage] = []
                    func isIntact(_ page: SealedPage) -> Bool {
                        page.bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: page.number) }
                    }
                    var isGood = true
                    for number in 0..<20_000 {
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        // Half of the time more pages are made than freed, and then more are freed.
                        let isGrowing = (number / 2_500) % 2 == 0
                        if pages.isEmpty || (state >> 33) % 8 < (isGrowing ? 6 : 2) {
                            // A value may be longer than a page.
                            let size = (state >> 40) % 64 == 0 ? 9_000 : SealedPage.capacity
                            let page = SealedPage(number: state >> 20, size: size)
                            memset(page.base, Int32(UInt8(truncatingIfNeeded: page.number)), size)
                            pages.append(page)
                        } else {
                            let place = Int((state >> 33) % UInt64(pages.count))
                            pages.swapAt(place, pages.count - 1)
                            if !isIntact(pages.removeLast()) { isGood = false }
                        }
                    }
                    return isGood && pages.allSatisfy(isIntact)
                }
            }
            for await isGood in group { #expect(isGood) }
        }
    }
}
