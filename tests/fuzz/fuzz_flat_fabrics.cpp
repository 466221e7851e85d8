// Flat fabrics: the text before a line "---" is devices.csv, the rest links.csv. Refused, or drawn as a design that can be built.
#include "core/io/formats/drawn_fabric.h"
#include "core/io/formats/flat_csv.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::textOf(data, size);
    const std::size_t at = text.find("---\n");
    const std::string links = at == std::string::npos ? std::string() : text.substr(at + 4);
    const auto flat = readFlatCsv(text.substr(0, at), "devices.csv", links, "links.csv");
    if (!fuzz::isRead(flat)) return 0;
    const auto drawn = drawnFabric(*flat, shippedCatalog());
    if (!fuzz::isRead(drawn)) return 0;
    fuzz::require(elaborate(drawn->design)->devices.size() == flat->devices.size(), "every device is drawn");
    return 0;
}
