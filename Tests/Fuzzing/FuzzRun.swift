import DBClientCore
import Foundation

/// Decodes many inputs that are made from the samples and the corpus of a target.
package struct FuzzRun {
    private let target: FuzzTarget
    private let inputs: [[UInt8]]
    private let memory: GuardedInput

    /// Creates a run of a target.
    ///
    /// - Throws: What the samples throw.
    package init(_ target: FuzzTarget) throws {
        self.target = target
        inputs = try target.samples() + Corpus.inputs(of: target.name)
        memory = try GuardedInput()
    }

    /// Decodes the samples, the corpus, and so many inputs made from them by a seed; of a slow target a tenth.
    ///
    /// An input that ends the process is written to the standard error before it ends, in hexadecimal digits.
    ///
    /// - Throws: `FuzzFinding` with the input.
    /// - Returns: How many inputs were decoded.
    package func run(_ count: Int, seed: UInt64) throws -> Int {
        var mutator = InputMutator(seed: seed)
        let count = target.isSlow ? count / 10 : count
        return try CrashNote.withHandlers {
            for input in inputs { try decode(input) }
            for _ in 0..<count { try decode(mutator.next(from: inputs)) }
            return inputs.count + count
        }
    }

    /// Returns how many of the samples are decoded, and not refused.
    ///
    /// - Throws: `FuzzFinding`.
    package func accepted() throws -> Int {
        try inputs.count { input in
            try input.withUnsafeBytes { try target.accepts(memory.place($0)) }
        }
    }

    /// Decodes one input.
    ///
    /// - Throws: `FuzzFinding` with the input.
    private func decode(_ input: [UInt8]) throws {
        try input.withUnsafeBytes { bytes in
            let placed = memory.place(bytes)
            CrashNote.begin(placed)
            do {
                _ = try target.accepts(placed)
            } catch let finding as FuzzFinding {
                let digits = bytes.map { String(format: "%02x", $0) }.joined()
                throw FuzzFinding("\(finding) The target is \(target), the input \(digits).")
            }
        }
    }
}
