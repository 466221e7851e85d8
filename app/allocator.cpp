#include "app/allocator.h"

#ifdef RAILYARD_JEMALLOC

// jemalloc reads this before main begins; see TUNING in jemalloc(3). MALLOC_CONF in the environment overrides it.
//
// thp: huge pages. A fabric of 262,144 GPUs takes some 500 MB, and touching it in pages of 4 KiB took much of the time.
// oversize_threshold: large arrays are kept, too; otherwise each would go back to the system at once.
// dirty_decay_ms, muzzy_decay_ms: the system may take what has been free for ten seconds when it needs memory (MADV_FREE).
// background_thread: also while the program waits for its user.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "thp:always,oversize_threshold:0,dirty_decay_ms:10000,muzzy_decay_ms:-1,background_thread:true";
}

namespace railyard {

void keepFreedMemory() {} // jemalloc does so with the settings above

} // namespace railyard

#else

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace railyard {

void keepFreedMemory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the maximum that mallopt accepts
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

} // namespace railyard

#endif
