#pragma once

// Nothing to call: a program that this is linked into has SQLCipher in the place of SQLite, by which
// SQLDBClient.sqlite(at:key:) opens encrypted files.
