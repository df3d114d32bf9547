extension Field {
    /// Returns a part of a value that is stored as JSON: any `Codable` value, a list, a set or a dictionary.
    ///
    /// ```swift
    /// let near = Shop.where { $0.info.path("address", "city", as: String.self) == "Metropolis" }
    /// let byRating = Shop.all.sorted { $0.info.path("rating", as: Double.self).descending }
    /// ```
    ///
    /// A part is nil where the path leads nowhere, where there is `null`, and where the part is of another type: a text is
    /// no number, and an object is neither. A number is whole whatever it is written as, so that `1.0` is the integer 1;
    /// one that is not, or that the type does not have, is no integer. A double is the nearest one. A date, data and a
    /// UUID are read as a `Codable` value writes them in a store: microseconds since 1970, base64, and text.
    ///
    /// Where the type of the value is marked with `@Parts`, its properties name the parts: `$0.info.address.city`.
    ///
    /// - Parameters:
    ///   - steps: The keys and positions that lead to the part; none for the value itself.
    ///   - type: The type of the part.
    /// - Returns: The part as an expression, of which every row has a value or nil.
    public func path<Part: ExpressionValue>(
        _ steps: PathStep...,
        as type: Part.Type
    ) -> FieldExpression<Model, Part?> where Part.Present == Part {
        path(steps, as: type)
    }

    /// Returns a part of a value that is stored as JSON, by a path that is known only when the program runs.
    public func path<Part: ExpressionValue>(
        _ steps: [PathStep],
        as type: Part.Type
    ) -> FieldExpression<Model, Part?> where Part.Present == Part {
        fieldExpression.part(at: { steps }, as: type)
    }
}

extension FieldExpression {
    /// Returns the part of a value that is stored as JSON to which a path leads.
    func part<Part: ExpressionValue>(
        at steps: () throws -> [PathStep],
        as type: Part.Type
    ) -> FieldExpression<Model, Part?> {
        part(at: steps, of: Part.fieldType)
    }

    /// Returns the part of a value that is stored as JSON to which a path leads, of a kind of value; a list or an object
    /// where it is JSON itself.
    func part<Result>(
        at steps: () throws -> [PathStep],
        of type: FieldType
    ) -> FieldExpression<Model, Result> {
        map { row in
            guard row.type(in: entity) == .json else {
                throw DBClientError(
                    .invalidRequest,
                    "A path must lead into a value that is stored as JSON; it is \(row.type(in: entity).name).",
                    entity: entity.name
                )
            }
            return .function(.part, type, [row, .constant(try steps().json(), .json)])
        }
    }
}
