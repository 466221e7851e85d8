// How the programs allocate memory.
#pragma once

namespace railyard {

// Keeps freed memory in the process. Results of large fabrics take hundreds of megabytes and are computed again with every edit and for
// every point of a sweep; to return that memory to the system and to request it again would cost a sixth of an edit at 65,536 GPUs. For the
// start of main.
void keepFreedMemory();

} // namespace railyard
