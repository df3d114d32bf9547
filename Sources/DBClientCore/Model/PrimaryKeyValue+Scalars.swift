public import Foundation

// The values that are primary keys of one field.

extension Int: PrimaryKeyValue {}
extension Int8: PrimaryKeyValue {}
extension Int16: PrimaryKeyValue {}
extension Int32: PrimaryKeyValue {}
extension Int64: PrimaryKeyValue {}
extension UInt: PrimaryKeyValue {}
extension UInt8: PrimaryKeyValue {}
extension UInt16: PrimaryKeyValue {}
extension UInt32: PrimaryKeyValue {}
extension UInt64: PrimaryKeyValue {}
extension String: PrimaryKeyValue {}
extension OffsetUInt64: PrimaryKeyValue {}
extension Date: PrimaryKeyValue {}
extension UUID: PrimaryKeyValue {}
extension Decimal: PrimaryKeyValue {}
