// Scripts of edits: every line is refused, or gives a design that is written and read again as it is, and that can be evaluated.
#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/metrics.h"
#include "core/design/model/limits.h"
#include "core/design/model/size.h"
#include "core/io/document/design_json.h"
#include "tests/fuzz/fuzz.h"

#include <sstream>

using namespace railyard;

namespace {

// Small, because every edit elaborates it a few times.
DesignPointer start() {
    static const DesignPointer design = [] {
        auto built = build({"rail-optimized", {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "4"}}},
                           "fuzz", shippedCatalog());
        fuzz::require(static_cast<bool>(built), "the small design can be built");
        return std::make_shared<const Design>(std::move(*built));
    }();
    return design;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int mostEdits = 8;
    constexpr std::int64_t mostDevices = 3000;
    DesignPointer design = start();
    const auto checked = checkedText(fuzz::textOf(data, size), "fuzz.txt"); // as scripts and arguments are
    if (!fuzz::isRead(checked)) return 0;
    std::istringstream lines(*checked);
    std::string line;
    for (int i = 0; i < mostEdits && std::getline(lines, line); ++i) {
        const auto edit = applyEdit(design, line);
        if (!fuzz::isRead(edit)) continue;
        if (elementCount(*edit->design) > mostDevices || !beyondLimits(*edit->design).empty()) return 0;
        if (!sharedName(*edit->design).empty()) return 0; // not saved
        design = edit->design;
    }
    const std::string text = designText(*design);
    const auto again = readDesign(text, "again.railyard");
    fuzz::require(static_cast<bool>(again), "an edited design can be read");
    fuzz::require(designText(**again) == text, "an edited design is read as it was written");
    if (design != start()) fuzz::evaluate(*elaborate(design));
    return 0;
}
