#include "core/io/results/decision_json.h"

namespace railyard {
namespace {

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// Of the axis: a number where it is one.
Json axisValue(MapAxis axis, const std::string& text) {
    return axis == MapAxis::Oversubscription ? Json(text) : Json(parameterNumber(text));
}

// Fibre is often left out. Without its switches or transceivers the sum says nothing of a network.
Json networkDollars(const PlanCost& cost) {
    const auto isLeftOut = [&](BillCategory kind) { return cost.leftOut.test(static_cast<std::size_t>(kind)); };
    return isLeftOut(BillCategory::Switch) || isLeftOut(BillCategory::Pluggable) ? Json() : Json(cost.network.inDollars());
}

Json sidesOf(const ObjectiveCell& cell) {
    Json sides = Json::object();
    for (const ObjectiveSide& side : cell.sides)
        sides[std::string(fabricSides[static_cast<std::size_t>(side.side)])] = {{"settings", side.choice.call.parameters},
                                                                                {"switches", side.choice.plan.switches()},
                                                                                {"network_usd", networkDollars(side.choice.cost)},
                                                                                {"objective_low", nullptr},
                                                                                {"objective", orNull(side.objective)},
                                                                                {"objective_high", nullptr}};
    return sides;
}

Json cellJson(const ObjectiveMap& map, const ObjectiveCell& cell) {
    const auto nameOf = [&](std::size_t side) { return std::string(fabricSides[static_cast<std::size_t>(cell.sides[side].side)]); };
    const char* call = !cell.winner ? "empty" : cell.difference.value_or(0) == 0 ? "close" : "clear";
    return {{"x", cell.gpus},
            {"y", axisValue(map.request.axis, cell.y)},
            {"winner", cell.winner ? Json(nameOf(*cell.winner)) : Json()},
            {"probability", nullptr},
            {"difference_fraction", orNull(cell.difference)},
            {"low_fraction", nullptr},
            {"high_fraction", nullptr},
            {"call", call},
            {"reason", cell.why.empty() ? Json() : Json(cell.why)},
            {"switch_saving_fraction", orNull(cell.switchSaving)},
            {"sides", sidesOf(cell)},
            {"flips", nullptr}};
}

} // namespace

Json toJson(const ObjectiveMap& map) {
    const ObjectiveMapRequest& request = map.request;
    Json y = Json::array(), cells = Json::array();
    for (const std::string& value : request.y) y.push_back(axisValue(request.axis, value));
    for (const ObjectiveCell& cell : map.cells) cells.push_back(cellJson(map, cell));
    return {{"schema", "railyard.decision/1"},
            {"objective", mapObjectives[static_cast<std::size_t>(request.objective)]},
            {"x", {{"name", "gpus"}, {"values", request.gpus}}},
            {"y", {{"name", mapAxes[static_cast<std::size_t>(request.axis)]}, {"values", std::move(y)}}},
            {"draws", nullptr},
            {"cells", std::move(cells)}};
}

} // namespace railyard
