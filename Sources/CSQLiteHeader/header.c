// Nothing but the message of a missing SQLite: GRDB is compiled before any Swift that could import CSQLite,
// and its own message names no package.
#include "../CSQLite/shim.h"
