import DBClientCore
import Foundation
import Testing

@Suite("Foundation's sort descriptors")
struct SortDescriptorTests {
    private func orderings(_ descriptors: [SortDescriptor<Character>]) throws -> [RowOrdering] {
        try Character.all.sorted(by: descriptors).rowQuery().orderings
    }

    @Test("A descriptor is a sort by the field, nil first or, in reverse, last")
    func orders() throws {
        let power = Character.column("power")
        #expect(try orderings([SortDescriptor(\.power)]) == [RowOrdering(column: power)])
        #expect(
            try orderings([SortDescriptor(\.power, order: .reverse), SortDescriptor(\.born)])
                == [
                    RowOrdering(column: power, isDescending: true),
                    RowOrdering(column: Character.column("born")),
                ]
        )
        #expect(
            try orderings([SortDescriptor(\.debut.year)])
                == [RowOrdering(column: Character.column("debut_year"))]
        )
    }

    @Test("Text sorts lexically, whichever way the order is said")
    func text() throws {
        let name = Character.column("name")
        let reverse = String.StandardComparator(.lexical, order: .reverse)
        #expect(
            try orderings([SortDescriptor(\.name, comparator: .lexical)])
                == [RowOrdering(column: name)]
        )
        for descriptor in [
            SortDescriptor<Character>(\.name, comparator: .lexical, order: .reverse),
            SortDescriptor(\.name, comparator: reverse),
        ] {
            #expect(try orderings([descriptor]) == [RowOrdering(column: name, isDescending: true)])
        }
        #expect(
            try orderings([SortDescriptor(\.nickname, comparator: .lexical)])
                == [RowOrdering(column: Character.column("nickname"))]
        )
    }

    @Test("Reversing a descriptor later counts")
    func reversed() throws {
        var descriptor = SortDescriptor<Character>(\.name, comparator: .lexical)
        descriptor.order = .reverse
        #expect(
            try orderings([descriptor])
                == [RowOrdering(column: Character.column("name"), isDescending: true)]
        )
    }

    @Test("A property that is not stored is refused")
    func unstored() {
        let error = failure { try orderings([SortDescriptor(\.shout)]) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.entity == "Character")
    }

    @Test("An empty list means no sort, and the library's own orderings come first in overloading")
    func empty() throws {
        #expect(try Character.all.sorted { $0.name }.sorted(by: []).rowQuery().orderings.isEmpty)
    }
}
