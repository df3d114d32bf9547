import Foundation

/// What is in the memory of this process.
enum Memory {
    /// Whether a key is anywhere, or the digits that SQLCipher takes for it.
    ///
    /// What is searched for, and what is searched, is in memory that is shared, which is left out of the search.
    static func has(_ hidden: [UInt8], hiddenBy mask: UInt8) throws -> Bool {
        let needles = try shared(256)
        defer { munmap(needles.baseAddress, needles.count) }
        for (index, byte) in hidden.enumerated() {
            needles[index] = byte ^ mask
            for (offset, digit) in [(byte ^ mask) >> 4, (byte ^ mask) & 15].enumerated() {
                needles[32 + 2 * index + offset] = digit < 10 ? 48 + digit : 87 + digit
                needles[96 + 2 * index + offset] = digit < 10 ? 48 + digit : 55 + digit
            }
        }
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        for line in maps.split(separator: "\n") where line.contains(" rw-p ") {
            let ends = line.prefix { $0 != " " }.split(separator: "-")
            guard ends.count == 2, let first = UInt64(ends[0], radix: 16),
                let last = UInt64(ends[1], radix: 16), last - first < 1 << 28
            else { continue }
            let buffer = try shared(Int(last - first))
            defer { munmap(buffer.baseAddress, buffer.count) }
            let count = pread(memory, buffer.baseAddress, buffer.count, off_t(first))
            if count <= 0 { continue }
            for range in [0..<32, 32..<96, 96..<160] {
                let needle = UnsafeMutableRawBufferPointer(rebasing: needles[range])
                if find(needle, in: buffer.baseAddress!, count) { return true }
            }
        }
        return false
    }

    private static func find(
        _ needle: UnsafeMutableRawBufferPointer,
        in start: UnsafeMutableRawPointer,
        _ count: Int
    ) -> Bool {
        var position = start
        let last = start + (count - needle.count)
        while position <= last,
            let found = memchr(position, Int32(needle[0]), last - position + 1)
        {
            if memcmp(found, needle.baseAddress!, needle.count) == 0 { return true }
            position = found + 1
        }
        return false
    }

    private static func shared(_ size: Int) throws -> UnsafeMutableRawBufferPointer {
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        try expect(start != MAP_FAILED, "There is no memory.")
        return UnsafeMutableRawBufferPointer(start: start, count: size)
    }
}
