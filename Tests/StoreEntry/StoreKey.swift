package import DBClientCore

/// The key of the encrypted stores that two processes use.
package let storeKey = StoreKey.data((0..<32).map { UInt8($0 * 7) })
