#include "core/collective/collective_parameters.h"

#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm_table.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Info = ParameterInfo;

std::vector<ParameterChoice> operations() {
    std::vector<ParameterChoice> all;
    for (int op = 0; op <= static_cast<int>(CollectiveOp::PointToPoint); ++op) {
        const std::string_view text = toText(static_cast<CollectiveOp>(op));
        all.push_back({text, text});
    }
    return all;
}

std::vector<ParameterChoice> transports() {
    std::vector<ParameterChoice> all;
    for (const Transport each : allTransports) all.push_back({toText(each), toText(each)});
    return all;
}

// As the command line reads it: 1GiB.
std::string sizeText(const CollectiveQuery& query) {
    std::string text = formatBytes(query.size);
    std::erase(text, ' ');
    return text;
}

Status setSize(CollectiveQuery& query, const std::string& text) {
    const auto size = parseBytes(text);
    if (!size) return Error::parameter(Error::Kind::Usage, "range", "size", text, size.error().text);
    if (size->count() < 1) return Error::parameter(Error::Kind::Usage, "range", "size", text, "must be greater than 0");
    query.size = *size;
    return Done{};
}

} // namespace

std::span<const Parameter<CollectiveQuery>> collectiveParameters() {
    static const std::string algorithmHelp = "algorithm: " + algorithmNames();
    static const std::string transportHelp = "transport between HB domains: " + std::string(transportNames);
    static const std::vector<Parameter<CollectiveQuery>> rows{
        {Info{.key = "op",
              .label = "Operation",
              .help =
                  "operation: all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter or p2p (every rank "
                  "sends to the next one at the same time)",
              .kind = Info::Kind::Choice,
              .choices = operations()},
         [](const CollectiveQuery& q) { return std::string(toText(q.op)); },
         [](CollectiveQuery& q, const std::string& text) {
             q.op = *collectiveOpFrom(text);
             return Status(Done{});
         }},
        {Info{.key = "size",
              .label = "Message size",
              .help = "message size as defined by nccl-tests, for example 1GiB",
              .kind = Info::Kind::Text},
         sizeText, setSize},
        {Info{.key = "algorithm", .label = "Algorithm", .help = algorithmHelp, .kind = Info::Kind::Text},
         [](const CollectiveQuery& q) { return std::string(toText(q.request.algorithm)); },
         [](CollectiveQuery& q, const std::string& text) {
             const auto algorithm = algorithmFrom(text);
             if (!algorithm)
                 return Status(Error::parameter(Error::Kind::Usage, "choice", "algorithm", text, "must be one of " + algorithmNames()));
             q.request.algorithm = *algorithm;
             return Status(Done{});
         }},
        {Info{.key = "protocol",
              .label = "Protocol",
              .help = "protocol: auto, ll, ll128 or simple",
              .kind = Info::Kind::Choice,
              .choices = {{"auto", "automatic"}, {"ll", "LL"}, {"ll128", "LL128"}, {"simple", "Simple"}}},
         [](const CollectiveQuery& q) { return std::string(q.request.protocol ? toText(*q.request.protocol) : "auto"); },
         [](CollectiveQuery& q, const std::string& text) {
             q.request.protocol = text == "auto" ? std::nullopt : protocolFrom(text);
             return Status(Done{});
         }},
        {Info{.key = "ranks",
              .label = "Ranks",
              .help = "number of ranks, from the first GPU on",
              .high = 1'048'576,
              .automatic = "all GPUs"},
         [](const CollectiveQuery& q) { return fmt::to_string(q.ranks); },
         [](CollectiveQuery& q, const std::string& text) {
             q.ranks = static_cast<std::int64_t>(parameterNumber(text));
             return Status(Done{});
         }},
        {Info{.key = "launch_us",
              .label = "Framework overhead",
              .unit = "µs",
              .help = "overhead of the framework at each call: 0 in nccl-tests and CUDA graphs, about 24 in eager PyTorch",
              .kind = Info::Kind::Real,
              .high = 1e6},
         [](const CollectiveQuery& q) { return fmt::format("{:g}", q.request.launch.value() * 1e6); },
         [](CollectiveQuery& q, const std::string& text) {
             q.request.launch = Seconds(parameterNumber(text) * 1e-6);
             return Status(Done{});
         }},
        {Info{.key = "transport", .label = "Transport", .help = transportHelp, .kind = Info::Kind::Choice, .choices = transports()},
         [](const CollectiveQuery& q) { return std::string(toText(q.transport)); },
         [](CollectiveQuery& q, const std::string& text) {
             q.transport = *transportFrom(text);
             return Status(Done{});
         }},
    };
    return rows;
}

Result<std::vector<Bytes>> sweepSizes(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return Error::usage(fmt::format("--sweep {}: expected FROM:TO, for example 1KiB:16GiB", text));
    auto from = parseBytes(text.substr(0, colon)), to = parseBytes(text.substr(colon + 1));
    if (!from) return Error::usage("--sweep: " + from.error().text);
    if (!to) return Error::usage("--sweep: " + to.error().text);
    if (from->count() < 1 || *to < *from)
        return Error::usage(fmt::format("--sweep {}: the first size must be greater than 0 and not greater than the second", text));
    std::vector<Bytes> sizes;
    for (std::int64_t size = from->count(); size <= to->count(); size = size > to->count() / 2 ? to->count() + 1 : size * 2)
        sizes.emplace_back(size);
    return sizes;
}

} // namespace railyard
