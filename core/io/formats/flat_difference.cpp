#include "core/io/formats/flat_difference.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace railyard {
namespace {

class Differences {
public:
    void add(std::string sentence) {
        constexpr std::size_t most = 100;
        if (m_sentences.size() < most)
            m_sentences.push_back(std::move(sentence));
        else
            ++m_others;
    }
    FlatDifferences all() {
        const std::size_t count = m_sentences.size() + static_cast<std::size_t>(m_others);
        if (m_others > 0) m_sentences.push_back(fmt::format("and {} more", formatCount(m_others)));
        return {std::move(m_sentences), count};
    }

private:
    std::vector<std::string> m_sentences;
    std::int64_t m_others = 0;
};

std::string keyOf(const std::string& a, const std::string& aPort, const std::string& b, const std::string& bPort) {
    return a < b ? fmt::format("{}:{} {}:{}", a, aPort, b, bPort) : fmt::format("{}:{} {}:{}", b, bPort, a, aPort);
}

void compareDevices(const FlatFabric& flat, const Fabric& fabric, Differences& differences) {
    std::unordered_map<std::string, DeviceId> devices;
    for (const DeviceId d : fabric.devices.ids()) devices.emplace(fabric.devicePath(d), d);
    // A file without planes has one.
    const bool hasPlanes = std::any_of(flat.devices.begin(), flat.devices.end(), [](const FlatDevice& each) { return each.plane > 0; });
    for (const FlatDevice& device : flat.devices) {
        const auto found = devices.find(device.path);
        const std::string at = fmt::format("{}:{}", flat.devicesFile, device.line);
        if (found == devices.end()) {
            differences.add(fmt::format("{}: {} is missing", at, device.path));
            continue;
        }
        const DeviceTable& all = fabric.devices;
        const DeviceId d = found->second;
        const auto differ = [&](const char* column, const std::string& wanted, const std::string& got) {
            if (wanted != got)
                differences.add(fmt::format("{}: {} of {} is {} instead of {}", at, column, device.path, got.empty() ? "empty" : got,
                                            wanted.empty() ? "empty" : wanted));
        };
        const auto number = [](auto value) { return value > 0 ? fmt::to_string(value) : std::string(); };
        differ("rail", number(device.rail), number(all.rail[d]));
        if (hasPlanes) differ("plane", number(device.plane), number(all.plane[d]));
        differ("su", number(device.su), number(all.su[d]));
        differ("server", device.server, all.server[d] != none ? fabric.scopePath(fabric.servers[all.server[d]]) : "");
        const bool isInDomain = infoOf(device.kind).inDomain;
        differ("hb_domain", device.hbDomain,
               isInDomain && all.hbDomain[d] != none ? fabric.scopePath(fabric.hbDomains[all.hbDomain[d]]) : "");
        differ("part", device.part, fabric.partIds[all.part[d]]);
    }
}

void compareLinks(const FlatFabric& flat, const Fabric& fabric, Differences& differences) {
    const LinkTable& links = fabric.links;
    std::unordered_map<std::string, LinkId> own;
    own.reserve(links.size());
    for (const LinkId l : links.ids())
        own.emplace(keyOf(fabric.devicePath(links.a[l]), fabric.portName(links.a[l], links.aPort[l], links.tier[l]),
                          fabric.devicePath(links.b[l]), fabric.portName(links.b[l], links.bPort[l], links.tier[l])),
                    l);
    for (const FlatLink& link : flat.links) {
        const std::string &a = flat.devices[link.a].path, &b = flat.devices[link.b].path;
        const auto found = own.find(keyOf(a, link.aPort, b, link.bPort));
        const std::string at = fmt::format("{}:{}", flat.linksFile, link.line);
        if (found == own.end()) {
            differences.add(fmt::format("{}: the link {}:{} – {}:{} cannot be drawn", at, a, link.aPort, b, link.bPort));
            continue;
        }
        const LinkId l = found->second;
        if (inGbps(fabric.speedOf(l)) != link.gbps)
            differences.add(fmt::format("{}: the link {}:{} runs at {:g} Gb/s instead of {:g}", at, a, link.aPort,
                                        inGbps(fabric.speedOf(l)), link.gbps));
        if (links.tier[l] != link.tier)
            differences.add(
                fmt::format("{}: the link {}:{} is of tier {} instead of {}", at, a, link.aPort, toText(links.tier[l]), toText(link.tier)));
        own.erase(found);
    }
    if (own.empty()) return;
    std::vector<bool> isExtra(links.size());
    for (const auto& [key, l] : own) isExtra[l] = true;
    for (const LinkId l : links.ids())
        if (isExtra[l])
            differences.add(fmt::format("the design has a link {}:{} – {}:{}, which {} does not have", fabric.devicePath(links.a[l]),
                                        fabric.portName(links.a[l], links.aPort[l], links.tier[l]), fabric.devicePath(links.b[l]),
                                        fabric.portName(links.b[l], links.bPort[l], links.tier[l]), flat.linksFile));
}

} // namespace

FlatDifferences differencesFrom(const FlatFabric& flat, const Fabric& fabric) {
    Differences differences;
    compareDevices(flat, fabric, differences);
    compareLinks(flat, fabric, differences);
    return differences.all();
}

} // namespace railyard
