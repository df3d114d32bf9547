// Nothing but the message of a missing LMDB, at once and once: the object store, which imports CLMDB, is compiled
// after the core, and names it for each of its files.
#include "../CLMDB/shim.h"
