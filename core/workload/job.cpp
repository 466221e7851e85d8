#include "core/workload/job.h"

#include "core/base/error.h"
#include "core/base/result.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

namespace {
constexpr std::array<std::string_view, 5> names{"tp", "cp", "ep", "dp", "pp"};

using Values = std::vector<std::string>;

// The next smaller and the next larger one.
Values nearestDivisors(std::int64_t value, std::int64_t of) {
    std::int64_t below = std::min(value, of), above = value;
    while (below > 1 && of % below != 0) --below;
    while (above < of && of % above != 0) ++above;
    return below >= above || above > of ? Values{fmt::to_string(below)} : Values{fmt::to_string(below), fmt::to_string(above)};
}

Values nearestMultiples(std::int64_t value, std::int64_t of) {
    return value < of ? Values{fmt::to_string(of)} : Values{fmt::to_string(value / of * of), fmt::to_string((value / of + 1) * of)};
}

Error wrong(std::string field, std::int64_t value, std::string why, Values nearest = {}) {
    const char* code = nearest.empty() ? "range" : "multiple";
    return Error::parameter(Error::Kind::Unbuildable, code, std::move(field), fmt::to_string(value), std::move(why), std::move(nearest));
}

} // namespace

std::string_view toText(Parallel parallel) { return names[static_cast<std::size_t>(parallel)]; }

std::int64_t TrainingJob::gpus() const {
    std::int64_t product = 1;
    for (const std::int64_t each : degrees)
        product = each > 0 && product <= (std::int64_t{1} << 40) / each ? product * each : std::int64_t{1} << 40; // no design is as large
    return product;
}

std::vector<Error> TrainingJob::problems() const {
    std::vector<Error> found;
    // The words are made for what does not hold only: a search asks this for every configuration.
    const auto needs = [&](bool holds, const auto& error) {
        if (!holds) found.push_back(error());
    };
    for (const Parallel parallel : allParallel)
        needs(by(parallel) >= 1, [&] { return wrong(std::string(toText(parallel)), by(parallel), "must be at least 1"); });
    for (const auto& [field, value] :
         {std::pair<const char*, std::int64_t>("micro_batch", microBatch), {"global_batch", globalBatch}, {"interleave", interleave}})
        needs(value >= 1, [field = field, value = value] { return wrong(field, value, "must be at least 1"); });
    if (!found.empty()) return found;
    const std::int64_t tp = by(Parallel::Tensor), pp = by(Parallel::Pipeline), ep = by(Parallel::Expert), cp = by(Parallel::Context);
    needs(model.heads % tp == 0, [&] {
        return wrong("tp", tp, fmt::format("must divide the {} heads of {}", model.heads, model.name), nearestDivisors(tp, model.heads));
    });
    needs(model.heads % tp != 0 || model.kvHeads % tp == 0 || tp % model.kvHeads == 0, [&] {
        return wrong("tp", tp, fmt::format("must divide the {} key/value heads of {} or be a multiple of them", model.kvHeads, model.name));
    });
    needs(pp <= model.layers,
          [&] { return wrong("pp", pp, fmt::format("{} has {} layers, and each stage needs at least one", model.name, model.layers)); });
    needs(pp > model.layers || pp * interleave <= model.layers, [&] {
        return wrong("interleave", interleave,
                     fmt::format("{} has {} layers, and each of the {} stages needs at least one per chunk", model.name, model.layers, pp),
                     {fmt::to_string(model.layers / pp)});
    });
    needs(ep == 1 || model.mixture, [&] { return wrong("ep", ep, fmt::format("{} has no experts", model.name), {"1"}); });
    if (model.mixture)
        needs(model.mixture->experts % ep == 0, [&] {
            return wrong("ep", ep, fmt::format("must divide the {} experts of {}", model.mixture->experts, model.name),
                         nearestDivisors(ep, model.mixture->experts));
        });
    needs(model.sequenceTokens % cp == 0, [&] {
        return wrong("cp", cp, fmt::format("must divide the {} tokens of a sequence", model.sequenceTokens),
                     nearestDivisors(cp, model.sequenceTokens));
    });
    const std::int64_t at = by(Parallel::Data) * ep * microBatch;
    needs(globalBatch % at == 0, [&] {
        return wrong("global_batch", globalBatch, fmt::format("must be a multiple of dp × ep × micro_batch = {}", at),
                     nearestMultiples(globalBatch, at));
    });
    needs(interleave == 1 || pp > 1, [&] { return wrong("interleave", interleave, "requires several pipeline stages", {"1"}); });
    needs(interleave == 1 || pp == 1 || globalBatch % at != 0 || microBatches() % pp == 0, [&] {
        return wrong(
            "interleave", interleave,
            fmt::format("requires a number of micro-batches that is a multiple of the {} stages, and there are {}", pp, microBatches()),
            {"1"});
    });
    return found;
}

Result<std::array<Parallel, 5>> TrainingJob::rankOrderFrom(const std::string& text) {
    std::array<Parallel, 5> order{};
    std::size_t at = 0, start = 0;
    for (; at < order.size() && start <= text.size(); ++at) {
        const std::size_t end = std::min(text.find('-', start), text.size());
        const auto name = std::find(names.begin(), names.end(), std::string_view(text).substr(start, end - start));
        if (name == names.end()) break;
        order[at] = static_cast<Parallel>(name - names.begin());
        if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at), order[at]) !=
            order.begin() + static_cast<std::ptrdiff_t>(at))
            break;
        start = end + 1;
    }
    if (at == order.size() && start == text.size() + 1) return order;
    return Error::usage(
        fmt::format("rank_order = {}: must contain tp, cp, ep, dp and pp once each, innermost first, for example tp-cp-ep-dp-pp", text));
}

} // namespace railyard
