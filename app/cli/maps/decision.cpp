#include "core/analysis/maps/decision.h"
#include "app/cli/maps/map.h"
#include "app/cli/options/say_progress.h"

namespace railyard::cli {
namespace {

Result<MapAnswer> decisionAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    if (!loaded.design->recipe)
        return Error::unbuildable("the decision map varies the parameters of a recipe, but this design is hand-drawn");
    const Catalog& catalog = *loaded.design->catalog;
    const DecisionAxes usual = usualDecisionAxes(*loaded.design->recipe, catalog);
    const auto progress = [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "cells computed"); };
    return answerOf(toGrid(railyard::decisionMap(*loaded.design->recipe, catalog, o.gpus.empty() ? usual.gpus : o.gpus,
                                                 o.domains.empty() ? usual.hbDomains : o.domains, {0, progress, {}})));
}

} // namespace

const MapInfo decisionMap{"decision", {"--gpus", "--hb-domain-gpus"}, decisionAnswer, nullptr};

} // namespace railyard::cli
