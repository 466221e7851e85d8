// How the programs allocate memory.
#pragma once

namespace railyard {

// Keeps freed memory in the process. Call it first in main. Results of large fabrics take hundreds of megabytes and are computed again with
// every edit and for every point of a sweep; returning that memory to the system and requesting it again would cost a sixth of an edit at
// 65,536 GPUs.
void keepFreedMemory();

} // namespace railyard
