#include "core/analysis/targets.h"

namespace railyard {

std::optional<double> figureOf(std::string_view key, const InstantMetrics& instant, const BackgroundMetrics* background) {
    const FigureInfo* figure = figureNamed(stableKey(key));
    return figure && figure->read ? figure->read({instant, background}) : std::nullopt;
}

std::vector<TargetState> targetsOf(const Design& design, const InstantMetrics& instant, const BackgroundMetrics* background) {
    std::vector<TargetState> states;
    for (const Target& target : design.targets) {
        const FigureInfo* figure = figureNamed(stableKey(target.figure));
        const bool isBound = figure && figure->isBound && figure->isBound({instant, background});
        TargetState state{target, figureOf(target.figure, instant, background), {}, isBound};
        if (state.value) state.margin = target.atMost ? target.value - *state.value : *state.value - target.value;
        states.push_back(std::move(state));
    }
    return states;
}

} // namespace railyard
