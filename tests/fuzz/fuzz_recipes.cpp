// Parameters of recipes, a name and then lines KEY=VALUE: refused, or a design with the switches and links that its plan counts.
#include "core/analysis/metrics/metrics.h"
#include "core/design/model/size.h"
#include "core/design/recipes/recipe_plan.h"
#include "core/design/recipes/recipe_settings.h"
#include "tests/fuzz/fuzz.h"

#include <sstream>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream lines(fuzz::textOf(data, size));
    RecipeCall call;
    std::getline(lines, call.name);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t equals = line.find('='); equals != std::string::npos)
            call.parameters[line.substr(0, equals)] = line.substr(equals + 1);
    const auto settings = resolve(call, *shippedCatalog());
    if (!fuzz::isRead(settings)) return 0;
    const auto planned = plan(*settings);
    if (!fuzz::isRead(planned)) return 0;
    constexpr std::int64_t mostSwitches = 48, mostGpus = 256; // the rules look for cheaper fabrics, which takes a while with sanitizers
    if (planned->switches() > mostSwitches || settings->gpus() > mostGpus) return 0;
    auto built = build(call, "fuzz", shippedCatalog());
    if (!fuzz::isRead(built)) return 0;
    constexpr std::int64_t mostDevices = 8000;
    if (elementCount(*built) > mostDevices) return 0;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    const auto counts = countsOf(*fabric);
    fuzz::require(counts.gpus == settings->gpus(), "a recipe builds the GPUs that it was asked for");
    fuzz::require(counts.switches == planned->switches(), "a recipe builds the switches of its plan");
    fuzz::require(counts.links == planned->links(), "a recipe builds the links of its plan");
    fuzz::evaluate(*fabric);
    return 0;
}
