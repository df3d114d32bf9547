/// Bytes that are overwritten before their memory is given back.
package final class SecretBytes: Sendable {
    // Written before anything else can see the object, and again in `deinit`.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Copies bytes into memory that is overwritten on release; the caller's copy stays as it is.
    package init(_ source: some Collection<UInt8>) {
        bytes = .allocate(byteCount: source.count, alignment: 16)
        bytes.copyBytes(from: source)
    }

    deinit {
        overwriteBytes(bytes)
        bytes.deallocate()
    }

    package var count: Int { bytes.count }

    /// Calls a closure with the bytes, which must not be kept.
    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
    }
}
