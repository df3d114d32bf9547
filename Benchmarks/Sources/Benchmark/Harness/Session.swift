import Foundation

/// One contestant's stay in a run: its folder, its store and the data.
final class Session: @unchecked Sendable {
    /// The contestant.
    let kind: ContestantKind
    /// Where its store is.
    let folder: URL
    /// The rows and keys.
    let data: Dataset
    /// The rows in random order.
    let shuffledRows: [Character]
    private var opened: (any Contestant)?
    private var isLoaded = false
    private var openedGraph: (any GraphContestant)?
    private var graphNames: Set<String> = []
    private var openedVisits: (any VisitContestant)?
    private var openedServerVisits: (any ServerVisitContestant)?
    private var openedSales: (any SalesContestant)?
    private var openedTexts: (any PassageStore)?

    /// Creates a session without a store.
    init(_ kind: ContestantKind, in folder: URL, data: Dataset, shuffledRows: [Character]) {
        self.kind = kind
        self.folder = folder.appendingPathComponent(kind.rawValue)
        self.data = data
        self.shuffledRows = shuffledRows
    }

    /// Returns the open store with all rows, loading it when no workload has.
    func store() throws -> any Contestant {
        try loadStore()
        if let opened { return opened }
        let store = try kind.open(folder: folder)
        opened = store
        return store
    }

    /// Loads the store unless it is.
    func loadStore() throws {
        if isLoaded { return }
        let empty = try beginEmptyStore()
        try empty.insert(data.rows)
        try endEmptyStore(empty, keeping: true)
    }

    /// Closes the store; the next use opens it again.
    func close() throws {
        try opened?.close()
        opened = nil
        try openedGraph?.close()
        openedGraph = nil
        try openedVisits?.close()
        openedVisits = nil
        try openedServerVisits?.close()
        openedServerVisits = nil
        try openedSales?.close()
        openedSales = nil
        try openedTexts?.close()
        openedTexts = nil
    }

    /// Closes the stores and removes them.
    func end() throws {
        try close()
        for folder in [folder, emptyFolder, visitsFolder, salesFolder, textsFolder]
            + graphNames.map(folder.appendingPathExtension)
        {
            try kind.removeStore(in: folder)
        }
    }

    /// Returns the file of visits, opened, which another program has made.
    func visits() throws -> any VisitContestant {
        if let openedVisits { return openedVisits }
        try kind.removeStore(in: visitsFolder)
        try FileManager.default.createDirectory(at: visitsFolder, withIntermediateDirectories: true)
        let file = visitsFolder.appendingPathComponent("visits.sqlite")
        let program = try SQLiteConnection(path: file.path)
        try program.execute(Visit.creation(of: max(data.rows.count, 1)))
        try program.close()
        guard let store = try kind.openVisits(file) else {
            throw BenchmarkError("\(kind.title) reads no visits")
        }
        openedVisits = store
        return store
    }

    /// Returns the tables of a server that another program has made, opened.
    func serverVisits() throws -> any ServerVisitContestant {
        if let openedServerVisits { return openedServerVisits }
        try kind.removeStore(in: visitsFolder)
        try FileManager.default.createDirectory(at: visitsFolder, withIntermediateDirectories: true)
        guard
            let store = try kind.openServerVisits(visitsFolder, of: max(data.rows.count, 1))
        else { throw BenchmarkError("\(kind.title) uses no server") }
        openedServerVisits = store
        return store
    }

    private var visitsFolder: URL { folder.appendingPathExtension("visits") }

    /// Returns the store of sales, made when it is first asked for.
    func sales() throws -> any SalesContestant {
        if let openedSales { return openedSales }
        try kind.removeStore(in: salesFolder)
        try FileManager.default.createDirectory(at: salesFolder, withIntermediateDirectories: true)
        guard let store = try kind.makeSales(in: salesFolder, Sales(of: data.rows.count)) else {
            throw BenchmarkError("\(kind.title) has no sales")
        }
        openedSales = store
        return store
    }

    /// The texts that are searched, as many as there are rows.
    var passages: [Passage] { (1...max(data.rows.count, 1)).map { Passage($0) } }

    /// Returns a new, empty store of texts.
    func beginTexts() throws -> any PassageStore {
        try openedTexts?.close()
        openedTexts = nil
        try kind.removeStore(in: textsFolder)
        try FileManager.default.createDirectory(at: textsFolder, withIntermediateDirectories: true)
        guard let store = try kind.openPassages(textsFolder) else {
            throw BenchmarkError("\(kind.title) searches no texts")
        }
        openedTexts = store
        return store
    }

    /// Returns the store of texts, loaded when it is first asked for.
    func texts() throws -> any PassageStore {
        if let openedTexts { return openedTexts }
        let store = try beginTexts()
        try store.insert(passages)
        return store
    }

    /// The size of the files of the store of texts, in megabytes.
    func sizeOfTexts() throws -> Double {
        let files = try FileManager.default.contentsOfDirectory(
            at: textsFolder,
            includingPropertiesForKeys: [.fileSizeKey]
        )
        return try files.reduce(0) { sum, file in
            sum + Double(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) / 1e6
        }
    }

    private var textsFolder: URL { folder.appendingPathExtension("texts") }

    private var salesFolder: URL { folder.appendingPathExtension("sales") }

    /// Returns the open store of owners, saving them when no workload has.
    func graph() throws -> any GraphContestant {
        if let openedGraph { return openedGraph }
        let store = try beginGraph("graph")
        try store.save(Owner.sample(max(data.rows.count / 5, 1)))
        openedGraph = store
        return store
    }

    /// Returns a new, empty store of owners.
    func beginGraph(_ name: String) throws -> any GraphContestant {
        let folder = folder.appendingPathExtension(name)
        graphNames.insert(name)
        try kind.removeStore(in: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let store = try kind.openGraph(folder: folder) else {
            throw BenchmarkError("\(kind.title) keeps no owners")
        }
        return store
    }

    private var emptyFolder: URL { folder.appendingPathExtension("new") }

    /// Returns a new, empty store beside the session's own.
    func beginEmptyStore() throws -> any Contestant {
        try kind.removeStore(in: emptyFolder)
        try FileManager.default.createDirectory(
            at: emptyFolder,
            withIntermediateDirectories: true
        )
        return try kind.open(folder: emptyFolder)
    }

    /// Closes a store from `beginEmptyStore` and puts it in the place of the session's own, or
    /// deletes it.
    func endEmptyStore(_ store: any Contestant, keeping: Bool) throws {
        if keeping && !kind.isDurable {
            opened = store
            isLoaded = true
            return
        }
        try store.close()
        guard keeping else { return try kind.removeStore(in: emptyFolder) }
        try close()
        try kind.removeStore(in: folder)
        try FileManager.default.moveItem(at: emptyFolder, to: folder)
        isLoaded = true
    }

    /// Runs a body with the folder of a closed store of some of the rows, and removes that.
    func withSmallStore<Value>(of count: Int, _ body: (URL) throws -> Value) throws -> Value {
        let store = try beginEmptyStore()
        try store.insert(Array(data.rows.prefix(count)))
        try store.close()
        defer { try? kind.removeStore(in: emptyFolder) }
        return try body(emptyFolder)
    }

    /// The size of the store's files.
    func storeBytes() throws -> Double {
        try loadStore()
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: [.fileSizeKey]
        )
        return try files.reduce(0) { sum, file in
            sum + Double(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
        }
    }
}

extension Session {
    /// Measures a body.
    func measure(times: Int = 1, _ body: () throws -> Void) throws -> Elapsed {
        try elapsed(times: times, body)
    }

    /// Measures a body that writes, once what others wrote has left the page cache.
    ///
    /// Work that goes on after the body has returned delays no call; it counts as processor time, and has ended
    /// when the next contestant begins.
    func measureWrite(_ body: () throws -> Void) throws -> Elapsed {
        sync()
        let start = Elapsed.processTime
        var duration = try measure(body)
        duration.cpu = waitForQuiet() - start
        return duration
    }

    /// Waits until no thread of the process has worked for a while, and returns the processor time until then.
    private func waitForQuiet() -> Duration {
        var time = Elapsed.processTime
        while true {
            Thread.sleep(forTimeInterval: 0.02)
            let now = Elapsed.processTime
            // The wait itself takes some.
            if now - time < .microseconds(500) { return time }
            time = now
        }
    }
}
