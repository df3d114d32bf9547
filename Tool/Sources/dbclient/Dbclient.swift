import ArgumentParser
import DBClientBrowser
import DBClientTool

/// The root of the command, which lists its subcommands.
@main
struct Dbclient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dbclient",
        abstract: "Looks into any store of DBClient, and moves what is in it.",
        discussion: """
            A store is the path of an object store or of a SQLite file, or the URL of a PostgreSQL database, \
            postgres://user@host/database, with ?schema=name for another schema than that of the role. A store \
            that is written to and may not exist yet is given as object:path or sqlite:path.

            A password is taken from PGPASSWORD, from the password file, or from a prompt, and never from the \
            URL, which other users of the machine can see.

            The key of an encrypted object store is taken from the file that --key-file names, its passphrase from \
            that of --passphrase-file or from a prompt. A SQLite file that SQLCipher has encrypted is not opened.

            The exit code is 0 for success, 1 for a failure, 2 where stores differ or damage was found, and 64 \
            for arguments that are not understood.
            """,
        subcommands: [
            InspectCommand.self, BrowseCommand.self, SchemaCommand.self, QueryCommand.self,
            ExportCommand.self,
            ImportCommand.self, CopyCommand.self, WatchCommand.self, JournalCommand.self,
            CheckCommand.self,
            BackupCommand.self, CompactCommand.self, RekeyCommand.self,
            MigrateCommand.self, GenerateCommand.self,
        ]
    )
}
