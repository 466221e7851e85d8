// How a program treats memory that it has freed.
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace railyard {

// Results of large fabrics are tens of MB and made anew at every edit. Handing that back to the system and taking it again
// costs more than the results themselves: a sixth of an edit at 65,536 GPUs. Kept, it is there for the next one.
inline void keepFreedMemory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most it may be
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

} // namespace railyard
