// A flat fabric: the text before a line "---" is devices.csv, the rest links.csv.
#include "core/fabric/elaborate.h"
#include "core/io/formats/drawn_fabric.h"
#include "core/io/formats/flat_csv.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace railyard;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t at = text.find("---\n");
    const auto flat =
        readFlatCsv(text.substr(0, at), "devices.csv", at == std::string::npos ? std::string() : text.substr(at + 4), "links.csv");
    if (!flat || flat->devices.size() > 2000) return 0;
    const auto drawn = drawnFabric(*flat, shippedCatalog());
    if (drawn) elaborate(drawn->design);
    return 0;
}
