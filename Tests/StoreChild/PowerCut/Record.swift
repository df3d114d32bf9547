import CFaults
import DBClientCore
import Foundation

/// What was done to the files of a folder, in the order in which it was done: what `record_begin` has written.
struct Record {
    /// One thing that was done.
    enum Event {
        case made(file: UInt64, name: String)
        case written(file: UInt64, place: Int, bytes: Range<Int>, isDurable: Bool)
        case resized(file: UInt64, size: Int)
        case synced(file: UInt64)
        case folderSynced
        case removed(name: String)
        case renamed(name: String, other: String)
        case noted(first: Int, second: Int)
    }

    private(set) var events: [Event] = []
    /// What the ranges of the events are parts of.
    let bytes: [UInt8]

    init(_ url: URL) throws {
        bytes = [UInt8](try Data(contentsOf: url))
        var position = 0
        while position < bytes.count {
            let entry = try bytes.withUnsafeBytes { bytes in
                guard position + MemoryLayout<record_entry>.size <= bytes.count else {
                    throw DBClientError(.corrupt, "The record ends in an entry.")
                }
                return bytes.loadUnaligned(fromByteOffset: position, as: record_entry.self)
            }
            position += MemoryLayout<record_entry>.size
            let name = position..<position + Int(entry.name_size)
            // A size that was set and a sync have no bytes.
            let content = name.upperBound..<name.upperBound + Int(entry.size)
            position = content.upperBound
            guard position <= bytes.count, let event = event(entry, name, content) else {
                throw DBClientError(.corrupt, "The record has an entry of no kind.")
            }
            events.append(event)
        }
    }

    private func event(_ entry: record_entry, _ name: Range<Int>, _ content: Range<Int>) -> Event? {
        let text = String(decoding: bytes[name], as: UTF8.self)
        let place = Int(entry.place)
        switch record_kind(entry.kind) {
        case record_made: return .made(file: entry.file, name: text)
        case record_written, record_written_durably:
            return .written(
                file: entry.file,
                place: place,
                bytes: content,
                isDurable: record_kind(entry.kind) == record_written_durably
            )
        case record_resized: return .resized(file: entry.file, size: place)
        case record_synced: return .synced(file: entry.file)
        case record_folder_synced: return .folderSynced
        case record_removed: return .removed(name: text)
        case record_renamed:
            return .renamed(name: text, other: String(decoding: bytes[content], as: UTF8.self))
        case record_noted: return .noted(first: Int(entry.file), second: place)
        default: return nil
        }
    }
}
