package import DBClientCore

/// A line, which counts for its article and for the kind of that.
@Stored package struct TallyLine: Equatable {
    package let id: Int
    @Indexed package var article: Int
    package var amount: Int

    package static var storedViews: [any StoredView.Type] {
        [TallyOfKind.self, TallyOfArticle.self]
    }

    package init(_ id: Int, article: Int, amount: Int) {
        self.id = id
        self.article = article
        self.amount = amount
    }
}

/// An article of a kind.
@Stored package struct TallyArticle: Equatable {
    package let id: Int
    @Indexed package var kind: Int

    package static var storedViews: [any StoredView.Type] { [TallyOfKind.self] }

    package init(_ id: Int, kind: Int) {
        self.id = id
        self.kind = kind
    }
}

/// What the lines of a kind of articles come to.
@StoredView package struct TallyOfKind: Equatable {
    @PrimaryKey package let kind: Int
    package let total: Int
    package let lines: Int

    package static var definition: SelectRequest<TallyOfKind> {
        TallyLine.join(TallyArticle.self) { $0.article == $1.id }
            .grouped { line, article in article.kind }
            .select(into: TallyOfKind.self) { group, keys in
                .init(
                    kind: keys[0],
                    total: group.sum { line, article in line.amount },
                    lines: group.count
                )
            }
    }
}

/// What the lines of an article come to.
@StoredView package struct TallyOfArticle: Equatable {
    @PrimaryKey package let article: Int
    package let total: Int

    package static var definition: SelectRequest<TallyOfArticle> {
        TallyLine.all.grouped { $0.article }
            .select(into: TallyOfArticle.self) { group, keys in
                .init(article: keys[0], total: group.sum(\.amount))
            }
    }
}

/// A line as a former version of the program knows it, which has no views.
@Stored("TallyLine") package struct FormerTallyLine {
    package let id: Int
    @Indexed package var article: Int
    package var amount: Int

    package init(_ id: Int, article: Int, amount: Int) {
        self.id = id
        self.article = article
        self.amount = amount
    }
}

/// Writes to lines and articles that come by chance, the same ones for a seed and a state of the store.
package struct TallyWrites {
    private var numbers: RandomWrites.Numbers

    package static let articles = 12

    package init(seed: UInt64) {
        numbers = RandomWrites.Numbers(seed: seed)
    }

    /// Makes a write of several kinds, in one transaction.
    package mutating func write(through client: any DBClient) throws {
        let id = next(200)
        let (article, kind, amount) = (next(Self.articles), next(5), next(100))
        switch next(8) {
        case 0...2:
            try client.blocking.upsert(
                (0...amount % 4).map {
                    TallyLine(id + $0 * 7, article: (article + $0) % Self.articles, amount: amount)
                }
            )
        case 3: try client.blocking.delete(TallyLine.self, key: id)
        case 4:
            try client.blocking.update(TallyLine.where { $0.article == article }) {
                $0.set(\.amount, to: amount)
            }
        case 5: try client.blocking.upsert(TallyArticle(article, kind: kind))
        case 6: try client.blocking.delete(TallyArticle.self, key: article)
        default:
            try client.writeBlocking { transaction in
                try transaction.upsert(TallyArticle(article, kind: kind))
                try transaction.upsert(TallyLine(id, article: article, amount: amount))
                // What is undone counts nowhere.
                try? transaction.write { savepoint in
                    try savepoint.delete(TallyLine.all)
                    throw DBClientError(.invalidValue, "It is undone.")
                }
            }
        }
    }

    private mutating func next(_ limit: Int) -> Int { numbers.next(limit) }
}
