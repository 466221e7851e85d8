// The size of a fabric from a model and the days in which it is to be trained.
#pragma once

#include "core/analysis/sizing/best_fabric.h"
#include "core/base/found_once.h"
#include "core/base/parameter.h"
#include "core/base/tasks.h"

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>

namespace railyard {

// The options of the job with degrees with which the model fits: those that are stated, the usual ones if the model fits with them, or the
// fastest division of up to a few thousand GPUs, which data parallelism extends to more. As asked if nothing fits.
// `call`: parts and layout; its size does not matter.
ParameterTexts dividedModel(const ParameterTexts& training, const RecipeCall& call, const CatalogPointer& catalog,
                            std::optional<std::int64_t> mostGpus, const TaskContext& context);

// Divisions with which a model is trained fastest, by the size of the cluster. Where many sizes are tried, those beyond 1,024 GPUs take the
// division of 1,024 with more data parallelism. Experts are not folded. With DeepSeek-V3 on 2,048 to 16,384 H100, a full search is up to
// 3 % faster. All layouts of one size share one division. Each is found when first asked for, from any thread.
class Divisions {
public:
    // `call`: the layout on which they are found. `training`: the job that is asked for; with stated degrees there is nothing to find.
    Divisions(RecipeCall call, ParameterTexts training, CatalogPointer catalog, std::stop_token stop);
    // Options of the job; empty if nothing fits.
    enum class Beyond { Searched, Extended }; // 1,024 GPUs
    const std::optional<ParameterTexts>& forGpus(std::int64_t gpus, Beyond beyond) const;

private:
    std::optional<ParameterTexts> find(std::int64_t gpus) const;

    const RecipeCall m_call;
    const ParameterTexts m_training;
    const CatalogPointer m_catalog;
    const std::stop_token m_stop;
    const std::optional<ParameterTexts> m_none{};
    mutable std::mutex m_mutex; // of the map; what it holds stays where it is
    mutable std::map<std::int64_t, FoundOnce<std::optional<ParameterTexts>>> m_found;
};

struct ModelInDays {
    const ParameterTexts& training; // options of the job, with degrees that usually serve
    double days = 0;                // in which it is to end
    const Divisions& divisions;
    const CatalogPointer& catalog;
};
// The options with which the model is trained fastest on the best fabric of this call: as `asked` has them, or as a search divides it.
ParameterTexts trainingOn(const FabricWish& wish, const ModelInDays& asked);
// Sets a number of whole HB domains whose best fabric (best_fabric.h) trains the model in time, up to `mostGpus`: the fewest that a search
// by eighths of the range finds. The options with which it does. Errors: none does.
Result<ParameterTexts> sizeByDays(FabricWish& wish, const ModelInDays& asked, std::int64_t mostGpus, const std::stop_token& stop);

} // namespace railyard
