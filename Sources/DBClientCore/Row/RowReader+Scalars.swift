public import Foundation

// What `read` of any value does, for the commonest types: a call that is not through the protocol is
// inlined in the module of the model, which is a third of the cost of a row.
extension RowReader {
    /// Reads the next field as an integer that fits its type.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Int.Type = Int.self) throws -> Int {
        let slot = try take()
        guard slot.kind == .integer else { throw misfit(slot, .integer) }
        return Int(slot.integer)
    }

    /// Reads the next field as an integer that fits its type; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Int?.Type = Int?.self) throws -> Int? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .integer else { throw misfit(slot, .integer) }
        return Int(slot.integer)
    }

    /// Reads the next field as a 64-bit integer.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Int64.Type = Int64.self) throws -> Int64 {
        let slot = try take()
        guard slot.kind == .integer else { throw misfit(slot, .integer) }
        return slot.integer
    }

    /// Reads the next field as a 64-bit integer; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Int64?.Type = Int64?.self) throws -> Int64? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .integer else { throw misfit(slot, .integer) }
        return slot.integer
    }

    /// Reads the next field as a double.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Double.Type = Double.self) throws -> Double {
        let slot = try take()
        guard slot.kind == .real else { throw misfit(slot, .real) }
        return slot.real
    }

    /// Reads the next field as a double; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Double?.Type = Double?.self) throws -> Double? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .real else { throw misfit(slot, .real) }
        return slot.real
    }

    /// Reads the next field as a Boolean.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Bool.Type = Bool.self) throws -> Bool {
        let slot = try take()
        guard slot.kind == .integer, slot.bits <= 1 else { throw misfit(slot, .integer) }
        return slot.bits == 1
    }

    /// Reads the next field as a Boolean; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Bool?.Type = Bool?.self) throws -> Bool? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .integer, slot.bits <= 1 else { throw misfit(slot, .integer) }
        return slot.bits == 1
    }

    /// Reads the next field as text.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: String.Type = String.self) throws -> String {
        let slot = try take()
        guard slot.kind == .text else { throw misfit(slot, .text) }
        return slot.text
    }

    /// Reads the next field as text; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: String?.Type = String?.self) throws -> String? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .text else { throw misfit(slot, .text) }
        return slot.text
    }

    /// Reads the next field as a date.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Date.Type = Date.self) throws -> Date {
        let slot = try take()
        guard slot.kind == .integer, Date.isStorable(slot.integer) else {
            throw misfit(slot, .integer)
        }
        return Date(microsecondsSince1970: slot.integer)
    }

    /// Reads the next field as a date; nil when it is absent.
    @inlinable
    @inline(__always)
    public mutating func read(_ type: Date?.Type = Date?.self) throws -> Date? {
        let slot = try take()
        if slot.isNull { return nil }
        guard slot.kind == .integer, Date.isStorable(slot.integer) else {
            throw misfit(slot, .integer)
        }
        return Date(microsecondsSince1970: slot.integer)
    }

    @usableFromInline
    @inline(never)
    func misfit(_ slot: Slot, _ wanted: Slot.Kind) -> DBClientError {
        failure(slot.kind == wanted ? .range : slot.isNull ? .missing : .kind, slot)
    }
}
