#include "core/collective/algorithms/algorithm.h"

#include <algorithm>
#include <array>

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

bool hasRing(const GroupLinks& links) {
    const bool isSlow = links.domains > 1 && links.ring.speed.value() <= 0;
    return !isSlow && ((links.domains > 1 && links.largest == 1) || links.hb.ring.value() > 0);
}

std::vector<CollectiveTime> waysOf(const Setting& setting) {
    std::vector<CollectiveTime> ways;
    for (const AlgorithmInfo& info : algorithmTable()) {
        if (!info.runs(setting)) continue;
        for (const Protocol protocol : protocolsOf(setting.links, info.protocols)) {
            Way way(setting, info.algorithm, protocol);
            ways.push_back(info.time(setting, way));
        }
    }
    return ways;
}

} // namespace railyard
