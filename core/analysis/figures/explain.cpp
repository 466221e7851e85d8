#include "core/analysis/figures/explain.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/figures/origin.h"

namespace railyard {
namespace {

Explanation explainOne(const Fabric& fabric, const FigureSource& source, const FigureValue& figure) {
    const FigureMember& member = figure.member;
    const std::string key = figure.key();
    const std::string_view name = figure.row->isFamily() ? std::string_view(key).substr(figure.row->key.size()) : "";
    const bool isAwaited = !member.value && !source.background;
    return {key, std::string(member.storedUnit), member.value,
            isAwaited ? unknownBecause("it is being computed")
                      : figure.row->origin({fabric, source, key, name, member.storedUnit, member.value})};
}

} // namespace

std::string Explanation::confidence() const { return weakestConfidence(origin.inputs); }

std::optional<Explanation> explain(const Fabric& fabric, const FigureSource& source, std::string_view key) {
    const std::string wanted = stableKey(key);
    for (const FigureValue& figure : figuresOf(source))
        if (figure.key() == wanted) return explainOne(fabric, source, figure);
    return {};
}

std::vector<Explanation> explainAll(const Fabric& fabric, const FigureSource& source) {
    std::vector<Explanation> all;
    for (const FigureValue& figure : figuresOf(source)) all.push_back(explainOne(fabric, source, figure));
    return all;
}

} // namespace railyard
