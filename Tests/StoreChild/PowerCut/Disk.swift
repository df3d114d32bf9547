import StoreEntry

/// A folder as a disk has it, and what was done in it that the disk need not have yet.
///
/// No more is taken for durable than what the standard says: a sync of a file makes its content durable, and
/// one of the folder its name.
struct Disk {
    private enum NameChange {
        case made(String, DiskFile)
        case removed(String)
        case renamed(String, String)
    }

    private var durable: [String: DiskFile] = [:]
    private var pending: [NameChange] = []
    /// The files by their numbers, which are taken again.
    private var files: [UInt64: DiskFile] = [:]
    private let bytes: [UInt8]

    /// Creates an empty folder whose files' changes are parts of a record's bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func apply(_ event: Record.Event) {
        switch event {
        case .made(let file, let name):
            let made = DiskFile(bytes)
            files[file] = made
            pending.append(.made(name, made))
        case .written(let file, let place, let range, let isDurable):
            files[file]?.write(range, at: place, isDurable: isDurable)
        case .resized(let file, let size): files[file]?.resize(to: size)
        case .synced(let file): files[file]?.sync()
        case .folderSynced:
            durable = names(pending.count)
            pending = []
        case .removed(let name): pending.append(.removed(name))
        case .renamed(let name, let other): pending.append(.renamed(name, other))
        case .noted: break
        }
    }

    /// The files by name after so many of the changes of names, which a disk has in their order.
    private func names(_ count: Int) -> [String: DiskFile] {
        var names = durable
        for change in pending.prefix(count) {
            switch change {
            case .made(let name, let file): names[name] = file
            case .removed(let name): names[name] = nil
            case .renamed(let name, let other): names[other] = names.removeValue(forKey: name)
            }
        }
        return names
    }

    /// What a disk that loses its power has.
    enum Image: CaseIterable {
        /// What was synced, and nothing more.
        case synced
        /// Everything, as when a process ends.
        case everything
        /// Of each sector, each size and the names some of what was done.
        case some
    }

    /// Returns the files of an image by their names.
    func image(_ image: Image, _ random: inout Numbers) -> [String: [UInt8]] {
        switch image {
        case .synced:
            return names(0).mapValues { file in
                file.content {
                    file.sectorFloor[$0] ?? 0
                } size: {
                    file.sizeFloor
                }
            }
        case .everything:
            return names(pending.count).mapValues { file in
                file.content { _ in
                    file.pending.count
                } size: {
                    file.pending.count
                }
            }
        case .some:
            // Of most disks much is there, or little.
            let likelihood = random.next(101)
            return names(random.next(pending.count + 1)).mapValues { file in
                func count(from floor: Int) -> Int {
                    if random.next(3) > 0 {
                        return random.next(100) < likelihood ? file.pending.count : floor
                    }
                    return floor + random.next(file.pending.count - floor + 1)
                }
                return file.content {
                    count(from: file.sectorFloor[$0] ?? 0)
                } size: {
                    count(from: file.sizeFloor)
                }
            }
        }
    }
}
