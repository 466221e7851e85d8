#include "core/collective/algorithms/algorithm_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace railyard {

std::span<const AlgorithmInfo> algorithmTable() {
    static const std::array table{ringInfo, treeInfo, hierarchicalInfo, nvlsInfo, patInfo, directInfo, pxnInfo};
    return table;
}

const AlgorithmInfo* infoOf(Algorithm algorithm) {
    const auto table = algorithmTable();
    const auto found = std::find_if(table.begin(), table.end(), [&](const AlgorithmInfo& info) { return info.algorithm == algorithm; });
    return found == table.end() ? nullptr : &*found;
}

bool hasRing(const CommunicatorLinks& links) {
    const bool isSlow = links.domains > 1 && links.ring.speed.value() <= 0;
    return !isSlow && ((links.domains > 1 && links.largest == 1) || links.hb.ring.value() > 0);
}

std::vector<CollectiveTime> candidatesOf(const Setting& setting) {
    std::vector<CollectiveTime> candidates;
    for (const AlgorithmInfo& info : algorithmTable()) {
        if (!info.runs(setting)) continue;
        for (const Protocol protocol : protocolsOf(setting.links, info.protocols)) {
            Candidate candidate(setting, info.algorithm, protocol);
            candidates.push_back(info.time(setting, candidate));
        }
    }
    return candidates;
}

std::string_view toText(Algorithm algorithm) {
    const AlgorithmInfo* info = infoOf(algorithm);
    return info ? info->name : algorithm == Algorithm::Auto ? "auto" : "none";
}

std::string algorithmNames() {
    std::string names(toText(Algorithm::Auto));
    for (const AlgorithmInfo& info : algorithmTable()) names += fmt::format(", {}", info.name);
    return names;
}

std::optional<Algorithm> algorithmFrom(std::string_view text) {
    if (text == toText(Algorithm::Auto)) return Algorithm::Auto;
    for (const AlgorithmInfo& info : algorithmTable())
        if (info.name == text) return info.algorithm;
    return {};
}

std::string algorithmText(const CollectiveResult& result) {
    const std::string over = result.domains < 2 ? "" : result.tcp ? ", TCP" : result.transport == Transport::Efa ? ", EFA" : "";
    return result.library ? fmt::format("{}, {}{}", toText(result.best.algorithm), toText(result.best.protocol), over)
                          : std::string(toText(result.best.algorithm)) + over;
}

} // namespace railyard
