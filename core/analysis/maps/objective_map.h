// Which kind of fabric wins, by an objective, over cluster size and a second quantity. Every kind takes part with its best fabric
// (core/analysis/sizing/best_fabric.h), never with one fixed setting.
#pragma once

#include "core/analysis/sizing/best_fabric.h"
#include "core/base/parameter.h"
#include "core/base/tasks.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

enum class MapObjective : std::uint8_t { Switches, NetworkCost, TotalCost, StepTime }; // USD: networks; with servers. StepTime in s
inline constexpr std::array<std::string_view, 4> mapObjectives{"switches", "network-cost", "total-cost", "step-time"};

// Rail-optimized at the asked ratio, rail-only, rail-optimized with any leaf ratio up to 4:1, rail-optimized on 2, 4 or 8 planes where the
// NICs have the ports.
enum class FabricSide : std::uint8_t { RailOptimized, RailOnly, Oversubscribed, MultiPlane };
inline constexpr std::array<std::string_view, 4> fabricSides{"rail-optimized", "rail-only", "oversubscribed", "multi-plane"};

enum class MapAxis : std::uint8_t { HbDomain, Oversubscription, OpticPrice }; // GPUs; down / up; factor of the catalogue's prices
inline constexpr std::array<std::string_view, 3> mapAxes{"hb-domain", "oversubscription", "optic-price"};

struct ObjectiveSide {
    FabricSide side;
    FabricChoice choice;
    std::optional<double> objective;
};

struct ObjectiveCell {
    std::int64_t gpus = 0;
    std::string y;
    std::vector<ObjectiveSide> sides;   // that can be built
    std::optional<std::size_t> winner;  // of the sides, the first of the best
    std::optional<double> difference;   // of the winner to the best of the others, relative: negative, 0 at a tie
    std::optional<double> switchSaving; // of rail-only, relative to rail-optimized
    std::string why;                    // why there is no winner
};

struct ObjectiveMapRequest {
    std::vector<std::int64_t> gpus;
    MapAxis axis = MapAxis::HbDomain;
    std::vector<std::string> y; // as the command line writes them: 8, 2:1, 1.5
    MapObjective objective = MapObjective::Switches;
    std::vector<FabricSide> sides{FabricSide::RailOptimized, FabricSide::RailOnly};
    std::optional<double> bisection{}; // least share of half the injection bandwidth; empty: as the ratio of the base asks
    ParameterTexts training{};         // the job of StepTime
};
struct ObjectiveMap {
    ObjectiveMapRequest request;
    std::vector<ObjectiveCell> cells; // row by row, y is the outer index; those that a stop left out say so
};

// `base`: parts and speeds; its own size and layout do not matter. Errors: values of y that there are not.
Result<ObjectiveMap> objectiveMap(const RecipeCall& base, const CatalogPointer& catalog, ObjectiveMapRequest request,
                                  const TaskContext& context);

// "512..262144" doubles, "512,1000" lists. Errors: no numbers, more than 100 of them, a range upside down.
Result<std::vector<std::int64_t>> sizesOfAxis(const std::string& text);

} // namespace railyard
