// What the heap holds; glibc's own, since its Swift module leaves it out.
#include <malloc.h>
