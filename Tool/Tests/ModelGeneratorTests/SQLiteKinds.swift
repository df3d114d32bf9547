/// Tables of SQLite of every kind that the generator tells apart, as other programs make them.
enum SQLiteKinds {
    static let tables = [
        """
        CREATE TABLE people (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            "first name" TEXT NOT NULL,
            "default" TEXT DEFAULT 'it''s \\ "so"',
            "class" INTEGER NOT NULL,
            is_admin BOOLEAN NOT NULL DEFAULT 0,
            weight REAL, photo BLOB, "größe" DOUBLE, "2fa" INTEGER, userIDs TEXT,
            "homepage-url" VARCHAR(200), balance NUMERIC(10,2), email TEXT UNIQUE, "primaryKey" TEXT,
            seen DATETIME DEFAULT CURRENT_TIMESTAMP, "a""b\\(c)" TEXT,
            UNIQUE ("first name", email)
        )
        """,
        "CREATE INDEX people_weight ON people (weight)",
        "CREATE UNIQUE INDEX people_some ON people (userIDs) WHERE weight > 1",
        "CREATE INDEX people_lower ON people (lower(email))",
        "CREATE TABLE teams (code TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE memberships (
            person_id INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
            team_code TEXT NOT NULL REFERENCES teams (code) ON DELETE CASCADE,
            since INTEGER, PRIMARY KEY (person_id, team_code)
        )
        """,
        "CREATE INDEX memberships_team ON memberships (team_code)",
        """
        CREATE TABLE profiles (
            person_id INTEGER PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE, bio TEXT
        )
        """,
        "CREATE TABLE orders (region TEXT, number INTEGER, note TEXT, PRIMARY KEY (region, number))",
        """
        CREATE TABLE order_lines (
            id INTEGER PRIMARY KEY, order_region TEXT NOT NULL, order_number INTEGER NOT NULL,
            owner_id INTEGER REFERENCES people ON DELETE SET NULL,
            FOREIGN KEY (order_region, order_number) REFERENCES orders (region, number)
        )
        """,
        "CREATE INDEX order_lines_order ON order_lines (order_region, order_number)",
        """
        CREATE TABLE notes (
            person_email TEXT REFERENCES people (email) ON DELETE SET NULL,
            body TEXT NOT NULL, slug TEXT NOT NULL UNIQUE
        )
        """,
        "CREATE TABLE tokens (token BLOB PRIMARY KEY NOT NULL, made INTEGER NOT NULL)",
        """
        CREATE TABLE mixed (
            id INTEGER PRIMARY KEY, anything, doubled INTEGER GENERATED ALWAYS AS (id * 2), mess NUMERIC
        )
        """,
        "CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss_id INTEGER REFERENCES employees)",
        "CREATE INDEX employees_boss ON employees (boss_id)",
        "CREATE TABLE uses (id INTEGER PRIMARY KEY, token BLOB NOT NULL REFERENCES tokens)",
        "CREATE INDEX uses_token ON uses (token)",
        "CREATE TABLE date (id INTEGER PRIMARY KEY, day INT NOT NULL)",
        "CREATE TABLE keyless (a TEXT, b TEXT)",
        "CREATE VIEW heavy AS SELECT * FROM people WHERE weight > 100",
        "CREATE VIRTUAL TABLE search USING fts5 (body)",
    ]

    static let rows = [
        """
        INSERT INTO people (id, "first name", "class", is_admin, weight, photo, "größe", "2fa", userIDs,
            "homepage-url", balance, email, "primaryKey", seen, "a""b\\(c)")
        VALUES (1, 'Ada', 3, 1, 61.5, x'00ff', 1.7, 123456, '1,2', 'https://a.example', 12.5, 'ada@a.example',
            'k', 7.5, 'x'), (2, 'Bob', 4, 0, NULL, NULL, NULL, NULL, NULL, NULL, 2.25, NULL, NULL, NULL, NULL)
        """,
        "INSERT INTO teams VALUES ('blue', 'The blue ones'), ('red', 'The red ones')",
        "INSERT INTO memberships VALUES (1, 'blue', 2020), (1, 'red', NULL), (2, 'red', 2021)",
        "INSERT INTO profiles VALUES (1, 'Counts')",
        "INSERT INTO orders VALUES ('eu', 1, NULL), ('us', 1, 'late')",
        "INSERT INTO order_lines VALUES (1, 'eu', 1, 1), (2, 'eu', 1, NULL), (3, 'us', 1, 2)",
        "INSERT INTO notes VALUES ('ada@a.example', 'Text', 'text'), (NULL, 'More', 'more')",
        "INSERT INTO tokens VALUES (x'00112233445566778899aabbccddeeff', 1)",
        "INSERT INTO mixed (id, anything, mess) VALUES (1, 'text', 1), (2, 'more', NULL)",
        "INSERT INTO employees VALUES (1, 'Boss', NULL), (2, 'Worker', 1)",
        "INSERT INTO uses VALUES (1, x'00112233445566778899aabbccddeeff')",
        "INSERT INTO date VALUES (1, 20240131)",
    ]

    /// A row after which a column has texts and numbers.
    static let mess = "UPDATE mixed SET mess = 'text' WHERE id = 2"
}
