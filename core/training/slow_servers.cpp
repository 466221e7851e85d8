#include "core/training/slow_servers.h"

#include "core/base/parameter.h"
#include "core/base/text.h"
#include "core/design/model/path.h"
#include "core/failure/removal.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr double mostRatio = 100;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

Error wrongEntry(std::string_view text, std::string wrong) {
    return Error::parameter(Error::Kind::Usage, "range", "slow", std::string(text), std::move(wrong));
}

Result<SlowServers> entryFrom(std::string_view text) {
    // The last one: selectors such as rack=C07 have one of their own.
    const std::size_t equals = text.rfind('=');
    const auto ratio = equals == std::string_view::npos ? std::nullopt : decimalFrom(trimmed(text.substr(equals + 1)));
    if (!ratio) return wrongEntry(text, "must be a selector and a ratio, for example su[1]/srv[3]=1.2");
    if (*ratio < 1 || *ratio > mostRatio)
        return wrongEntry(text, fmt::format("the ratio must be from 1 to {}; it is the time of these servers / that of others", mostRatio));
    SlowServers entry{std::string(trimmed(text.substr(0, equals))), *ratio};
    if (const auto selector = parseSelector(entry.selector); !selector) return wrongEntry(text, selector.error().text);
    return entry;
}

} // namespace

Result<std::vector<SlowServers>> slowServersFrom(std::string_view text) {
    std::vector<SlowServers> slow;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(';', from), text.size());
        const std::string_view entry = trimmed(text.substr(from, to - from));
        from = to + 1;
        if (entry.empty()) continue;
        auto found = entryFrom(entry);
        if (!found) return found.errors();
        slow.push_back(std::move(*found));
    }
    return slow;
}

std::string toText(const std::vector<SlowServers>& slow) {
    std::string text;
    for (const SlowServers& each : slow)
        text += fmt::format("{}{}={}", text.empty() ? "" : "; ", each.selector, parameterText(each.timeRatio));
    return text;
}

Result<std::vector<double>> slowdownsOf(const Fabric& fabric, const std::vector<SlowServers>& slow) {
    std::vector<double> ratios;
    for (const SlowServers& each : slow) {
        const auto matched = select(fabric, each.selector);
        if (!matched && fabric.intact && select(*fabric.intact, each.selector)) continue; // it has failed
        if (!matched) return ofParameter(matched.error(), "slow", toText({each}));
        ratios.resize(fabric.devices.size(), 1);
        bool isAny = false;
        for (const DeviceId d : fabric.devices.ids()) {
            if (!matched->devices[d] || !fabric.devices.isGpu(d)) continue;
            isAny = true;
            ratios[d] = std::max(ratios[d], each.timeRatio);
        }
        if (!isAny) return wrongEntry(toText({each}), "the selector must match a server or GPU; it matches none");
    }
    return ratios;
}

} // namespace railyard
