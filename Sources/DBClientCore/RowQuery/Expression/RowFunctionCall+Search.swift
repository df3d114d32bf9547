// Searches: a row has what is searched for, and a score.
extension RowFunctionCall {
    /// Computes what a search says of the fields of a row.
    ///
    /// - Throws: `.invalidRequest` for a score without the figures of all rows.
    func searched(
        _ program: SearchProgram?,
        _ fields: some Collection<Slot>
    ) throws(DBClientError) -> Slot {
        guard let program else { return .integer(0) }
        let found = program.find(in: fields)
        if function == .search { return .integer(program.holds(found) ? 1 : 0) }
        guard let score = program.score(found) else { throw DBClientError.rankMisplaced }
        return .real(score)
    }
}

extension DBClientError {
    /// The error of a score where there are no figures of all rows.
    static var rankMisplaced: DBClientError {
        DBClientError(
            .invalidRequest,
            "The rank of a search must be a key of the sort of a request for values of one model; it is in a"
                + " join, a slice or a condition.",
            hint: "Fetch the values with `matching`."
        )
    }
}

extension SearchProgram {
    /// Returns the search that an expression, a constant, holds; nil where it holds none.
    convenience init?(constant: RowExpression) {
        guard case .constant(.text(var text), _) = constant,
            let plan = text.withUTF8({ SearchPlan(UnsafeRawBufferPointer($0)) })
        else { return nil }
        self.init(plan)
    }
}

extension RowExpression {
    /// Returns whether fields, computed texts as well, have what a search asks for.
    ///
    /// - Throws: `.invalidValue` for a search that no constant holds.
    static func search(_ plan: SearchPlan, in fields: [RowExpression]) throws -> RowExpression {
        .function(.search, .boolean, [.constant(try plan.storageValue, .text)] + fields)
    }

    /// Returns the score of a row.
    ///
    /// - Throws: `.invalidValue` for a search that no constant holds.
    static func rank(_ plan: SearchPlan, in fields: [RowExpression]) throws -> RowExpression {
        .function(.rank, .double, [.constant(try plan.storageValue, .text)] + fields)
    }

    /// Whether it is the score of a row.
    var isRank: Bool {
        if case .function(.rank, _, _) = self { true } else { false }
    }

    /// The search whose score it is, and the fields that are searched; nil where it is none.
    var rankedSearch: (plan: SearchPlan, fields: [RowExpression])? {
        guard case .function(.rank, _, let operands) = self,
            let program = SearchProgram(constant: operands[0])
        else { return nil }
        return (program.plan, Array(operands.dropFirst()))
    }
}
