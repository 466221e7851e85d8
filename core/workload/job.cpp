#include "core/workload/job.h"

#include "core/base/error.h"
#include "core/base/result.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

namespace {
constexpr std::array<std::string_view, 5> names{"tp", "cp", "ep", "dp", "pp"};

using Values = std::vector<std::string>;

// No design has as many GPUs, and no job as many sequences: a product that is larger only has to stay larger than both.
constexpr std::int64_t mostCounted = std::int64_t{1} << 60;
std::int64_t boundedProduct(std::initializer_list<std::int64_t> factors) {
    std::int64_t product = 1;
    for (const std::int64_t each : factors) product = each > 0 && product <= mostCounted / each ? product * each : mostCounted;
    return product;
}

// The next smaller and the next larger one. Divisors come in pairs, so that the root of the number is enough: a model may have a billion
// tokens in a sequence, and a prime number of them.
Values nearestDivisors(std::int64_t value, std::int64_t of) {
    std::int64_t below = 1, above = of;
    for (std::int64_t small = 1; small <= of / small; ++small) {
        if (of % small != 0) continue;
        for (const std::int64_t divisor : {small, of / small}) {
            if (divisor <= value) below = std::max(below, divisor);
            if (divisor >= value) above = std::min(above, divisor);
        }
    }
    return below >= above || above < value ? Values{fmt::to_string(below)} : Values{fmt::to_string(below), fmt::to_string(above)};
}

Values nearestMultiples(std::int64_t value, std::int64_t of) {
    return value < of ? Values{fmt::to_string(of)} : Values{fmt::to_string(value / of * of), fmt::to_string((value / of + 1) * of)};
}

Error wrong(std::string field, std::int64_t value, std::string why, Values nearest = {}) {
    const char* code = nearest.empty() ? "range" : "multiple";
    return Error::parameter(Error::Kind::Unbuildable, code, std::move(field), fmt::to_string(value), std::move(why), std::move(nearest));
}

// Calls needs(whether it holds, the error in words) for every rule. The words are made by those who want them: a search asks for millions
// of configurations whether they can run, and most cannot.
template <class Needs>
void eachRule(const TrainingJob& job, const Needs& needs) {
    const TransformerModel& model = job.model;
    bool isPositive = true;
    const auto atLeastOne = [&](std::string_view field, std::int64_t value) {
        isPositive = isPositive && value >= 1;
        needs(value >= 1, [&] { return wrong(std::string(field), value, "must be at least 1"); });
    };
    for (const Parallel parallel : allParallel) atLeastOne(toText(parallel), job.by(parallel));
    atLeastOne("micro_batch", job.microBatch);
    atLeastOne("global_batch", job.globalBatch);
    atLeastOne("interleave", job.interleave);
    if (!isPositive) return;
    const std::int64_t tp = job.by(Parallel::Tensor), pp = job.by(Parallel::Pipeline), ep = job.expertRanks(),
                       cp = job.by(Parallel::Context), interleave = job.interleave, globalBatch = job.globalBatch;
    needs(model.heads % tp == 0, [&] {
        return wrong("tp", tp, fmt::format("must divide the {} heads of {}", model.heads, model.name), nearestDivisors(tp, model.heads));
    });
    needs(model.heads % tp != 0 || model.kvHeads % tp == 0 || tp % model.kvHeads == 0, [&] {
        return wrong("tp", tp, fmt::format("must divide the {} key/value heads of {} or be a multiple of them", model.kvHeads, model.name));
    });
    needs(pp <= model.layers,
          [&] { return wrong("pp", pp, fmt::format("{} has {} layers, and each stage needs at least one", model.name, model.layers)); });
    // The embedding and the head may each take the place of a layer: 126 layers on 16 stages of 8 chunks (Llama 3 405B).
    const std::int64_t places = model.layers + 2;
    needs(pp > model.layers || pp * interleave <= places, [&] {
        return wrong(
            "interleave", interleave,
            fmt::format("{} has {} layers, an embedding and a head, and each of the {} stages needs at least one of them per chunk",
                        model.name, model.layers, pp),
            {fmt::to_string(places / pp)});
    });
    if (job.isExpertFolded()) {
        const std::int64_t over = tp * cp * job.by(Parallel::Data);
        needs(over % ep == 0, [&] {
            return wrong("ep", ep, fmt::format("is folded over tp × cp × dp = {} ranks, and must divide them", over),
                         nearestDivisors(ep, over));
        });
        needs(pp == 1 || job.rankOrder.front() == Parallel::Pipeline || job.rankOrder.back() == Parallel::Pipeline, [&] {
            return wrong(
                "ep", ep,
                "is folded over the ranks of tp, cp and dp, which have to follow each other: put pp first or last in the rank order");
        });
        needs(tp == 1 || job.isSequenceParallel,
              [&] { return wrong("ep", ep, "is folded over the ranks of tp, which requires sequence parallelism"); });
    }
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
    const std::int64_t at = job.sequencesAtOnce();
    needs(globalBatch % at == 0, [&] {
        return wrong("global_batch", globalBatch, fmt::format("must be a multiple of dp × ep × micro_batch = {}", at),
                     nearestMultiples(globalBatch, at));
    });
    needs(interleave == 1 || pp > 1, [&] { return wrong("interleave", interleave, "requires several pipeline stages", {"1"}); });
    needs(interleave == 1 || pp == 1 || globalBatch % at != 0 || job.microBatches() % pp == 0, [&] {
        return wrong(
            "interleave", interleave,
            fmt::format("requires a number of micro-batches that is a multiple of the {} stages, and there are {}", pp, job.microBatches()),
            {"1"});
    });
}

} // namespace

std::string_view toText(Parallel parallel) { return names[static_cast<std::size_t>(parallel)]; }

std::string TrainingJob::gpusText() const {
    std::string text;
    for (const Parallel each : {Parallel::Tensor, Parallel::Pipeline, Parallel::Data, Parallel::Context, Parallel::Expert})
        if (by(each) != 1) text += fmt::format("{}{} {}", text.empty() ? "" : " × ", toText(each), by(each));
    return text.empty() ? std::string("1") : fmt::format("{} = {}", text, gpus());
}

std::int64_t TrainingJob::expertReplicas() const {
    const std::int64_t replicas = by(Parallel::Context) * by(Parallel::Data);
    return isExpertFolded() ? by(Parallel::Tensor) * replicas / expertFold : replicas;
}

TrainingJob TrainingJob::expertLayout() const {
    TrainingJob layout = *this;
    if (!isExpertFolded()) return layout;
    layout.expertFold = 1;
    layout.degrees = {1, 1, expertFold, expertReplicas(), by(Parallel::Pipeline)};
    layout.rankOrder = allParallel;
    if (rankOrder.front() == Parallel::Pipeline) std::rotate(layout.rankOrder.begin(), layout.rankOrder.end() - 1, layout.rankOrder.end());
    return layout;
}

std::int64_t TrainingJob::gpus() const {
    return boundedProduct({by(Parallel::Tensor), by(Parallel::Context), by(Parallel::Expert), by(Parallel::Data), by(Parallel::Pipeline)});
}

std::int64_t TrainingJob::sequencesAtOnce() const { return boundedProduct({by(Parallel::Data), by(Parallel::Expert), microBatch}); }

std::vector<Error> TrainingJob::problems() const {
    std::vector<Error> found;
    eachRule(*this, [&](bool holds, const auto& error) {
        if (!holds) found.push_back(error());
    });
    return found;
}

std::size_t TrainingJob::brokenRules() const {
    std::size_t broken = 0;
    eachRule(*this, [&](bool holds, const auto&) { broken += holds ? 0 : 1; });
    return broken;
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
