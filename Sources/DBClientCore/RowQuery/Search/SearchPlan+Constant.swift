import Foundation

// A search as a constant of an expression: JSON text, the same for equal searches.
extension SearchPlan {
    /// The search as the JSON text that an expression carries it by.
    var storageValue: StorageValue {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return .text(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }

    /// Creates the search that a constant holds; nil where it holds none.
    init?(_ constant: UnsafeRawBufferPointer) {
        let plan = try? JSONDecoder().decode(SearchPlan.self, from: Data(constant))
        guard let plan, plan.isSound else { return nil }
        self = plan
    }

    /// Whether its positions are those of terms and fields that it has.
    private var isSound: Bool {
        tree.isSound(terms: terms.count)
            && terms.allSatisfy { $0.field.map(weights.indices.contains) ?? true }
            && figures.map { $0.valuesWithTerm.count == scoredTerms.count } ?? true
    }
}

extension SearchTree {
    fileprivate func isSound(terms: Int) -> Bool {
        switch self {
        case .term(let term): (0..<terms).contains(term)
        case .all(let operands), .any(let operands):
            operands.allSatisfy { $0.isSound(terms: terms) }
        case .not(let operand): operand.isSound(terms: terms)
        }
    }
}
