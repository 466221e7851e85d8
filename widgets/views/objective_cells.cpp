#include "widgets/views/objective_cells.h"

#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QString objectiveWords(const char* source) { return QCoreApplication::translate("ObjectiveCells", source); }

const ObjectiveSide* sideOf(const ObjectiveCell& cell, FabricSide side) {
    const auto found = std::find_if(cell.sides.begin(), cell.sides.end(), [&](const ObjectiveSide& each) { return each.side == side; });
    return found == cell.sides.end() ? nullptr : &*found;
}

// Of rail-only to rail-optimized, relative.
std::optional<double> differenceOf(const ObjectiveCell& cell) {
    const ObjectiveSide *optimized = sideOf(cell, FabricSide::RailOptimized), *only = sideOf(cell, FabricSide::RailOnly);
    if (!optimized || !only || !optimized->objective || !only->objective || *optimized->objective == 0) return {};
    return *only->objective / *optimized->objective - 1;
}

QString valueText(MapObjective objective, const std::optional<double>& value) {
    if (!value) return QStringLiteral("–");
    switch (objective) {
    case MapObjective::Switches: return text(formatCount(std::llround(*value)));
    case MapObjective::NetworkCost:
    case MapObjective::TotalCost: return text(formatMoney(Money::dollars(*value)));
    case MapObjective::StepTime: return text(formatSeconds(Seconds(*value)));
    }
    return {};
}

QString yText(MapAxis axis, const std::string& y) {
    return axis == MapAxis::OpticPrice ? QStringLiteral("×") + text(y)
           : axis == MapAxis::HbDomain ? text(formatCount(std::stoll(y)))
                                       : text(y);
}

} // namespace

QString objectiveName(MapObjective objective) {
    switch (objective) {
    case MapObjective::Switches: return objectiveWords("Switches");
    case MapObjective::NetworkCost: return objectiveWords("Network cost");
    case MapObjective::TotalCost: return objectiveWords("Network and server cost");
    case MapObjective::StepTime: return objectiveWords("Training step");
    }
    return {};
}

QString mapAxisName(MapAxis axis) {
    switch (axis) {
    case MapAxis::HbDomain: return objectiveWords("HB domain size (GPUs)");
    case MapAxis::Oversubscription: return objectiveWords("Leaf oversubscription");
    case MapAxis::OpticPrice: return objectiveWords("Transceiver prices (factor)");
    }
    return {};
}

std::vector<std::string> usualAxisValues(MapAxis axis, const std::vector<std::int64_t>& hbDomains) {
    if (axis == MapAxis::Oversubscription) return {"1:1", "3:2", "2:1", "3:1", "4:1"};
    if (axis == MapAxis::OpticPrice) return {"0.25", "0.5", "1", "1.5", "2"};
    std::vector<std::string> values;
    for (const std::int64_t domain : hbDomains) values.push_back(std::to_string(domain));
    return values;
}

CellMapData objectiveCells(const ObjectiveMap& map, std::int64_t ownGpus, const std::string& ownY) {
    const ObjectiveMapRequest& asked = map.request;
    CellMapData data;
    data.isDiverging = true;
    data.hatchText = objectiveWords("Hatched: less than 2 % apart, or nothing to compare");
    constexpr double undecided = 0.02, full = 0.5; // full: of the colour scale
    int wins = 0, compared = 0;
    for (const std::string& y : asked.y) data.yLabels << yText(asked.axis, y);
    for (const std::int64_t gpus : asked.gpus) data.xLabels << text(formatCount(gpus));
    for (std::size_t c = 0; c < map.cells.size(); ++c) {
        const ObjectiveCell& cell = map.cells[c];
        const auto difference = differenceOf(cell);
        compared += difference.has_value();
        wins += difference && *difference < -undecided;
        data.values.push_back(difference ? std::optional(std::clamp(-*difference / full, -1.0, 1.0)) : std::nullopt);
        data.undecided.push_back(difference && std::abs(*difference) <= undecided);
        data.cellText.push_back(!difference                      ? QString()
                                : std::abs(*difference) < 0.0005 ? QStringLiteral("0 %")
                                                                 : text(formatPercent(*difference)));
        data.tips.push_back(RichText::filled(QStringLiteral("<b>%1</b><br>%2"), objectiveWords("%1 GPUs").arg(text(formatCount(cell.gpus))),
                                             objectiveVerdict(asked, cell)));
        if (cell.gpus == ownGpus && cell.y == ownY)
            data.mark = std::pair(static_cast<int>(c % asked.gpus.size()), static_cast<int>(c / asked.gpus.size()));
    }
    const QString name = objectiveName(asked.objective);
    data.title =
        compared == 0 ? objectiveWords("%1 cannot be compared: a part has no price or the job cannot run").arg(name)
        : wins == 0
            ? objectiveWords("%1 is nowhere noticeably lower with rail-only").arg(name)
            : objectiveWords("%1 is lower with rail-only in %2 of %3 cells").arg(name, QString::number(wins), QString::number(compared));
    data.subtitle = objectiveWords("The best rail-only vs the best rail-optimized fabric with the same GPUs and parts.");
    data.hint = objectiveWords("Point at a cell for its values; double-click to open the better fabric.");
    data.xName = objectiveWords("Cluster size (GPUs)");
    data.yName = mapAxisName(asked.axis);
    data.colorName = objectiveWords("%1, rail-only vs rail-optimized").arg(name);
    data.lowText = objectiveWords("+50 % or more");
    data.highText = QStringLiteral("−50 %");
    data.markText = objectiveWords("this design");
    return data;
}

QString objectiveVerdict(const ObjectiveMapRequest& request, const ObjectiveCell& cell) {
    const auto difference = differenceOf(cell);
    if (!difference) return cell.why.empty() ? QStringLiteral("–") : text(cell.why);
    const QString name = objectiveName(request.objective);
    if (std::abs(*difference) < 0.0005) return objectiveWords("%1: no difference").arg(name);
    return (*difference < 0 ? objectiveWords("%1: %2 lower with rail-only") : objectiveWords("%1: %2 higher with rail-only"))
        .arg(name, objectiveWords("%1 %").arg(std::abs(*difference) * 100, 0, 'f', std::abs(*difference) < 0.1 ? 1 : 0));
}

RichText objectiveTable(const ObjectiveMapRequest& request, const ObjectiveCell& cell) {
    const ObjectiveSide *optimized = sideOf(cell, FabricSide::RailOptimized), *only = sideOf(cell, FabricSide::RailOnly);
    if (!optimized || !only) return {};
    RichText rows = RichText::filled(
        QStringLiteral(
            "<table width='100%' cellspacing='0' cellpadding='3'><tr><td></td><td align='right'>%1</td><td align='right'>%2</td></tr>"),
        objectiveWords("Rail-optimized"), objectiveWords("Rail-only"));
    const auto row = [&](const QString& name, const auto& value) {
        rows += RichText::filled(QStringLiteral("<tr><td>%1</td><td align='right'>%2</td><td align='right'><b>%3</b></td></tr>"), name,
                                 value(*optimized), value(*only));
    };
    if (request.objective != MapObjective::Switches)
        row(objectiveName(request.objective), [&](const ObjectiveSide& side) { return valueText(request.objective, side.objective); });
    row(objectiveWords("Settings"), [](const ObjectiveSide& side) { return text(side.choice.words); });
    row(objectiveWords("Switches"), [](const ObjectiveSide& side) { return text(formatCount(side.choice.plan.switches())); });
    row(objectiveWords("Tiers"), [](const ObjectiveSide& side) { return QString::number(side.choice.plan.tiers); });
    row(objectiveWords("Links"), [](const ObjectiveSide& side) { return text(formatCount(side.choice.plan.links())); });
    return rows + RichText::markup(QStringLiteral("</table>"));
}

} // namespace railyard
