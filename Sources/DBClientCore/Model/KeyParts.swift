/// How many columns the parts of a primary key take, for the code that `@Stored` writes of a key of several parts.
public enum KeyParts {
    /// One: a storable value takes one column.
    @inlinable
    public static func count<Part: StorableValue>(of type: Part.Type) -> Int { 1 }

    /// Returns the number of columns of a part that is a key itself, such as a reference.
    @inlinable
    public static func count<Part: PrimaryKeyValue>(of type: Part.Type) -> Int { Part.columnCount }

    /// One: a value that is storable and a primary key takes one column.
    @inlinable
    public static func count<Part: StorableValue & PrimaryKeyValue>(of type: Part.Type) -> Int { 1 }
}
