#include "core/workload/model.h"
#include "core/workload/models_json.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)fuzz::isRead(modelFrom(fuzz::textOf(data, size), "fuzz.json"));
    return 0;
}
