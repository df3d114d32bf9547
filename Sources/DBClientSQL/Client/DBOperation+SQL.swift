public import DBClientCore

// An operation for each call that takes a raw SQL statement.
extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that runs a raw SQL query and returns its rows.
    public static func rows(_ sql: SQL) -> Self where Value == [SQLRow] {
        Self { try $0.rows(sql) }
    }

    /// Returns the operation that runs a raw SQL query and decodes its rows as models.
    public static func fetch<Model: StoredConvertible>(
        _ type: Model.Type,
        sql: SQL
    ) -> Self where Value == [Model] {
        Self { try $0.fetch(type, sql: sql) }
    }
}

extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that runs a raw SQL statement and returns the number of rows that it
    /// changed.
    public static func execute(_ sql: SQL) -> Self where Value == Int {
        Self { try $0.execute(sql) }
    }
}
