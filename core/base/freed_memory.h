// Keeps freed memory in the process.
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace railyard {

// Results of large fabrics take tens of MB and are recomputed with every edit. Returning that memory to the system and
// requesting it again would cost a sixth of an edit at 65,536 GPUs, so freed memory stays available for the next edit.
inline void keepFreedMemory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the maximum that mallopt accepts
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

} // namespace railyard
