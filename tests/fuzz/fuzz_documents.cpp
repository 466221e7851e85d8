// Documents: refused, or read, saved and read again to the same bytes; small ones are elaborated, evaluated, billed and exported.
#include "core/bill/bill.h"
#include "core/design/model/size.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/fabric_csv.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto design = readDesign(fuzz::textOf(data, size), "fuzz.railyard");
    if (!fuzz::isRead(design)) return 0;
    const std::string text = designText(**design);
    fuzz::require(!firstFault(text), "a document that was read is written as clean text");
    const auto again = readDesign(text, "again.railyard");
    fuzz::require(static_cast<bool>(again), "a document that was written can be read");
    fuzz::require(designText(**again) == text, "a document is written the same after it was read again");
    constexpr std::int64_t mostDevices = 2000;
    constexpr std::size_t mostLinksSeen = 20'000;
    if (elementCount(**design) > mostDevices) return 0;
    const FabricPointer fabric = elaborate(*design);
    fuzz::require(fabric->links.size() <= 40'000'000, "no more links than the limit");
    if (fabric->links.size() > mostLinksSeen) return 0;
    const Cabling cabling = cablingOf(*fabric);
    (void)billOf(*fabric, cabling);
    constexpr std::size_t mostLinksEvaluated = 3000;
    if (fabric->links.size() <= mostLinksEvaluated) fuzz::evaluate(*fabric);
    fuzz::require(!firstFault(linksCsv(*fabric, cabling)), "an export is clean text");
    return 0;
}
