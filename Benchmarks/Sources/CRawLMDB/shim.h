#if !__has_include(<lmdb.h>)
#error "The LMDB baseline needs LMDB: apt install liblmdb-dev, or brew install lmdb"
#endif
#include <lmdb.h>
