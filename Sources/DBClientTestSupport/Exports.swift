// The in-memory client is a part of what tests import; programs that need nothing else of it, such as
// previews, import its module alone.
@_exported public import DBClientInMemory
