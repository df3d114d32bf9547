// Nothing but the message of a missing libpq, at once and once: the driver, which imports CLibPQ, is compiled after
// the core, and names it for each of its files.
#include "../CLibPQ/shim.h"
