import DBClientCore

/// Something that decodes bytes from outside of the process: of a file, a server, or a person.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name, by which its corpus is found and the scoreboard tells of it.
    package let name: String
    /// Whether a database is asked for each input, so that a tenth of them has to do.
    let isSlow: Bool
    /// Inputs that are valid, from which others are made.
    let samples: @Sendable () throws -> [[UInt8]]
    /// Decodes an input, which it may change.
    ///
    /// Throws `DBClientError` for what is no such thing, and `FuzzFinding` where what was decoded is wrong.
    let decode: @Sendable (UnsafeMutableRawBufferPointer) throws -> Void

    package init(
        _ name: String,
        isSlow: Bool = false,
        samples: @escaping @Sendable () throws -> [[UInt8]],
        decode: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Void
    ) {
        self.name = name
        self.isSlow = isSlow
        self.samples = samples
        self.decode = decode
    }

    package var description: String { name }

    /// Decodes an input, and returns whether it was not refused with a `DBClientError`.
    ///
    /// - Throws: `FuzzFinding`.
    func accepts(_ input: UnsafeMutableRawBufferPointer) throws -> Bool {
        do {
            try decode(input)
            return true
        } catch is DBClientError {
            return false
        } catch let finding as FuzzFinding {
            throw finding
        } catch {
            throw FuzzFinding("It throws \(error), and not a DBClientError.")
        }
    }
}

/// What is wrong with how an input was decoded.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Throws `FuzzFinding` where a condition does not hold.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
    if !condition { throw FuzzFinding(rule()) }
}
