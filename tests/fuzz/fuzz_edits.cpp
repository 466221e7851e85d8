// Scripts of edits: every line is refused, or gives a design that is written and read again as it is, and that can be evaluated.
#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/metrics.h"
#include "core/design/model/limits.h"
#include "core/design/model/size.h"
#include "core/io/document/design_json.h"
#include "tests/fuzz/fuzz.h"

#include <sstream>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int mostEdits = 8; // each elaborates the design a few times
    constexpr std::int64_t mostDevices = 3000;
    DesignPointer design = fuzz::smallFabric()->design;
    std::istringstream lines(fuzz::textOf(data, size));
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
    if (firstFault(text)) return 0; // text of arguments is checked where it comes in
    fuzz::require(static_cast<bool>(again), "an edited design can be read");
    fuzz::require(designText(**again) == text, "an edited design is read as it was written");
    fuzz::evaluate(*elaborate(design));
    return 0;
}
