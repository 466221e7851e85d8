#include "core/failure/removal.h"

#include "core/base/random.h"
#include "core/design/model/path.h"
#include "core/fabric/optical_switches.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/similar_path.h"
#include "core/floor/floor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace railyard {
namespace {

struct Step {
    const std::string* slug;
    int index;
};

// What stands after `**` is looked for at the first place where it fits; if the rest then fails, one place further. Earlier `**`
// need not be tried again, so the time is at most pattern times chain.
bool matches(const std::vector<PathSegment>& pattern, const std::vector<Step>& chain) {
    std::size_t p = 0, c = 0, afterStar = std::string::npos, resume = 0;
    while (c < chain.size()) {
        if (p < pattern.size() && pattern[p].anyDepth) {
            afterStar = ++p;
            resume = c;
        } else if (p < pattern.size() && pattern[p].matches(*chain[c].slug, chain[c].index)) {
            ++p, ++c;
        } else if (afterStar != std::string::npos) {
            p = afterStar;
            c = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p].anyDepth) ++p;
    return p == pattern.size();
}

std::vector<Step> chainOf(const Fabric& fabric, ScopeId scope) {
    std::vector<Step> chain;
    for (; scope != none && fabric.scopes[scope].parent != none; scope = fabric.scopes[scope].parent)
        chain.insert(chain.begin(), {&fabric.slugs[fabric.scopes[scope].slug], static_cast<int>(fabric.scopes[scope].index)});
    return chain;
}

// An HB domain is more than its scope holds where its servers stand in several SUs: all that belongs to it goes.
void takeDomains(const Fabric& fabric, const std::vector<bool>& scopeTaken, std::vector<bool>& devices) {
    for (const DeviceId d : indices<DeviceId>(devices.size()))
        if (const auto domain = fabric.devices.hbDomain[d]; domain != none && scopeTaken[fabric.hbDomains[domain]]) devices[d] = true;
}

void selectByPath(const Fabric& fabric, const Selector& selector, Removal& removal) {
    std::vector<bool> scopeTaken(fabric.scopes.size());
    std::vector<std::vector<Step>> chains(fabric.scopes.size());
    for (ScopeId s(0); s < fabric.scopes.size(); ++s) {
        chains[s] = chainOf(fabric, s);
        const auto parent = fabric.scopes[s].parent;
        scopeTaken[s] = (parent != none && scopeTaken[parent]) ||
                        (!chains[s].empty() && selector.port.empty() && matches(selector.segments, chains[s]));
    }
    for (const DeviceId d : fabric.devices.ids()) {
        const ScopeId scope = fabric.devices.scope[d];
        if (scopeTaken[scope]) {
            removal.devices[d] = true;
            continue;
        }
        std::vector<Step>& chain = chains[scope];
        chain.push_back({&fabric.slugs[fabric.devices.slug[d]], static_cast<int>(fabric.devices.index[d])});
        removal.devices[d] = matches(selector.segments, chain);
        chain.pop_back();
    }
    takeDomains(fabric, scopeTaken, removal.devices);
}

// A port was named: the devices found stand for their cables on that port.
void keepOnlyPort(const Fabric& fabric, const std::string& port, Removal& removal) {
    for (const LinkId l : fabric.links.ids()) {
        const LinkTable& links = fabric.links;
        const auto hit = [&](DeviceId device, PortId number) {
            return removal.devices[device] && (port == "*" || fabric.portName(device, number, links.tier[l]) == port);
        };
        removal.links[l] = hit(links.a[l], links.aPort[l]) || hit(links.b[l], links.bPort[l]);
    }
    removal.devices.assign(removal.devices.size(), false);
}

bool hasProperty(const Fabric& fabric, DeviceId device, const Selector& selector) {
    if (selector.key == "tier") return fabric.devices.routes(device) && toText(fabric.devices.tier[device]) == selector.value;
    if (selector.key == "part") {
        const ServerId server = fabric.devices.server[device];
        if (server != none && fabric.partIds[fabric.serverParts[server]] == selector.value) return true; // a server with all in it
        return fabric.partIds[fabric.devices.part[device]] == selector.value;
    }
    // A rail is its switches and NICs. Its GPUs remain: they reach the others over the HB domain.
    return !fabric.devices.isGpu(device) && fabric.devices.rail[device] != 0 &&
           std::to_string(fabric.devices.rail[device]) == selector.value;
}

// By the label of a rack or of a row: C07, C.
bool isIn(const Rack& rack, const Selector& selector) {
    return selector.key == "rack" ? rack.label == selector.value : rack.row() == selector.value;
}

// The links through the optical circuit switch with this number.
void takeOpticalSwitch(const Fabric& fabric, const std::string& number, std::vector<bool>& links) {
    const OpticalSwitches switches = opticalSwitchesOf(fabric);
    for (std::size_t s = 0; s < switches.links.size(); ++s)
        if (std::to_string(s + 1) == number)
            for (const LinkId l : switches.links[s]) links[l] = true;
}

// The feeds that a selector names: A of all rows, C/A of row C.
struct FailedFeeds {
    std::set<std::pair<std::string, RackFeeds>> feeds; // by row
    bool take(const Floor& floor, std::string_view name) {
        const std::size_t slash = name.find('/');
        const std::string_view row = slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
        const std::string_view letter = slash == std::string_view::npos ? name : name.substr(slash + 1);
        if (letter != "A" && letter != "B") return false;
        bool isAny = false;
        for (const Rack& rack : floor.racks)
            if (row.empty() || rack.row() == row) isAny = true, feeds.emplace(rack.row(), letter == "A" ? RackFeeds::A : RackFeeds::B);
        return isAny;
    }
    bool has(const Rack& rack, RackFeeds feed) const { return feeds.contains({std::string(rack.row()), feed}); }
    bool darkens(const Rack& rack) const {
        if (rack.feeds != RackFeeds::Both) return has(rack, rack.feeds);
        return has(rack, RackFeeds::A) && has(rack, RackFeeds::B);
    }
    void addTo(const Floor& floor, std::vector<bool>& devices) const {
        for (const DeviceId d : indices<DeviceId>(devices.size()))
            if (const Rack* rack = floor.rackAt(d); rack && darkens(*rack)) devices[d] = true;
    }
};

std::vector<bool> devicesWith(const Fabric& fabric, const Selector& selector) {
    std::vector<bool> devices(fabric.devices.size());
    if (selector.key == "feed") {
        const Floor floor = floorOf(fabric);
        if (FailedFeeds failed; failed.take(floor, selector.value)) failed.addTo(floor, devices);
        return devices;
    }
    const bool isOfFloor = selector.key == "rack" || selector.key == "row";
    const Floor floor = isOfFloor ? floorOf(fabric) : Floor();
    for (const DeviceId d : fabric.devices.ids()) {
        const Rack* rack = isOfFloor ? floor.rackAt(d) : nullptr;
        devices[d] = isOfFloor ? rack && isIn(*rack, selector) : hasProperty(fabric, d, selector);
    }
    return devices;
}

} // namespace

// What there is instead of what a selector names.
static std::string alternativeTo(const Fabric& fabric, const Selector& selector, std::string_view text) {
    if (selector.key == "rack" || selector.key == "row" || selector.key == "feed") {
        const Floor floor = floorOf(fabric);
        if (!floor.isPlaced()) return "it has no racks; place them in the Floor view";
        if (selector.key == "feed")
            return fmt::format("every row has the feeds A and B: feed=A, or feed={}/A of one row", floor.racks.front().row());
        return fmt::format("its racks are {} to {}", floor.racks.front().label, floor.racks.back().label);
    }
    if (selector.key == "ocs") {
        const std::size_t count = opticalSwitchesOf(fabric).links.size();
        return count > 0 ? fmt::format("its optical circuit switches are 1 to {}", count)
                         : std::string("it has no optical circuit switches; set ocs.tier");
    }
    std::set<std::string> there;
    int rails = 0;
    for (const DeviceId d : fabric.devices.ids()) {
        if (selector.key == "tier" && fabric.devices.routes(d)) there.emplace(toText(fabric.devices.tier[d]));
        if (selector.key == "part") there.insert(fabric.partIds[fabric.devices.part[d]]);
        if (const ServerId server = fabric.devices.server[d]; selector.key == "part" && server != none)
            there.insert(fabric.partIds[fabric.serverParts[server]]);
        rails = std::max(rails, static_cast<int>(fabric.devices.rail[d]));
    }
    if (selector.key == "rail") return rails > 0 ? fmt::format("its rails are 1 to {}", rails) : std::string("it has no rails");
    if (selector.key == "tier") return fmt::format("its tiers are {}", fmt::join(there, ", "));
    there.erase(std::string());
    const std::string similar =
        selector.key == "part" ? similarWord(selector.value, {there.begin(), there.end()}) : similarPath(fabric, text);
    return similar.empty() ? std::string("a CSV export lists all paths and parts")
                           : fmt::format("the nearest {} is {}", selector.key == "part" ? "part" : "path", similar);
}

// A feed that another one stands in for takes nothing with it, and exists all the same.
static bool isFeed(const Fabric& fabric, std::string_view name) { return FailedFeeds().take(floorOf(fabric), name); }

static Error nothingSelected(const Fabric& fabric, const Selector& selector, std::string_view text) {
    return Error::usage(fmt::format("selector \"{}\" matches nothing in this design; {}", text, alternativeTo(fabric, selector, text)))
        .with("selector.match", std::string(text));
}

Result<Removal> select(const Fabric& fabric, std::string_view text) {
    auto selector = parseSelector(text);
    if (!selector) return selector.error();
    Removal removal{std::vector<bool>(fabric.devices.size()), std::vector<bool>(fabric.links.size())};
    if (selector->key == "ocs") {
        takeOpticalSwitch(fabric, selector->value, removal.links);
    } else if (!selector->key.empty()) {
        removal.devices = devicesWith(fabric, *selector);
    } else {
        selectByPath(fabric, *selector, removal);
        if (!selector->port.empty()) keepOnlyPort(fabric, selector->port, removal);
    }
    const bool any = std::find(removal.devices.begin(), removal.devices.end(), true) != removal.devices.end() ||
                     std::find(removal.links.begin(), removal.links.end(), true) != removal.links.end();
    if (!any && !(selector->key == "feed" && isFeed(fabric, selector->value))) return nothingSelected(fabric, *selector, text);
    return removal;
}

namespace {

void addByPath(const Fabric& fabric, const Selector& selector, std::vector<std::string>& paths) {
    std::vector<std::vector<Step>> chains(fabric.scopes.size());
    for (ScopeId s(0); s < fabric.scopes.size(); ++s) {
        chains[s] = chainOf(fabric, s);
        if (!chains[s].empty() && matches(selector.segments, chains[s])) paths.push_back(fabric.scopePath(s));
    }
    for (const DeviceId d : fabric.devices.ids()) {
        std::vector<Step>& chain = chains[fabric.devices.scope[d]];
        chain.push_back({&fabric.slugs[fabric.devices.slug[d]], static_cast<int>(fabric.devices.index[d])});
        if (matches(selector.segments, chain)) paths.push_back(fabric.devicePath(d));
        chain.pop_back();
    }
}

// Servers are named as a whole, not device by device.
void addByPart(const Fabric& fabric, const std::string& part, std::vector<std::string>& paths) {
    for (ServerId s(0); s < fabric.servers.size(); ++s)
        if (fabric.partIds[fabric.serverParts[s]] == part) paths.push_back(fabric.scopePath(fabric.servers[s]));
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.partIds[fabric.devices.part[d]] == part) paths.push_back(fabric.devicePath(d));
}

// `isWhole`: servers are named as a whole.
void addDevices(const Fabric& fabric, const std::vector<bool>& devices, bool isWhole, std::vector<std::string>& paths) {
    std::vector<bool> isNamed(fabric.servers.size());
    for (const DeviceId d : fabric.devices.ids()) {
        if (!devices[d]) continue;
        const ServerId server = fabric.devices.server[d];
        if (!isWhole || server == none)
            paths.push_back(fabric.devicePath(d));
        else if (!isNamed[server])
            isNamed[server] = true, paths.push_back(fabric.scopePath(fabric.servers[server]));
    }
}

} // namespace

Result<std::vector<std::string>> elementsAt(const Fabric& fabric, std::string_view text) {
    const auto selector = parseSelector(text);
    if (!selector) return selector.errors();
    std::vector<std::string> paths;
    if (!selector->port.empty()) return Error::usage(fmt::format("selector \"{}\" names ports; expected elements", text));
    if (selector->key.empty())
        addByPath(fabric, *selector, paths);
    else if (selector->key == "part")
        addByPart(fabric, selector->value, paths);
    else
        addDevices(fabric, devicesWith(fabric, *selector), selector->key == "rack" || selector->key == "row" || selector->key == "feed",
                   paths);
    if (!paths.empty()) return paths;
    return nothingSelected(fabric, *selector, text);
}

void drawLinks(const Fabric& fabric, double fraction, std::uint64_t seed, Removal& into) {
    std::vector<LinkId> candidates;
    for (const LinkId l : fabric.links.ids())
        if (fabric.isNetworkLink(l)) candidates.push_back(l);
    const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(candidates.size())));
    into.links.resize(fabric.links.size());
    RandomNumbers random(seed);
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::size_t pick = i + random.next() % (candidates.size() - i);
        std::swap(candidates[i], candidates[pick]);
        into.links[candidates[i]] = true;
    }
}

namespace {

// Selectors that are plain paths, and there may be thousands, are found without looking at every device for each.
class Removing {
public:
    explicit Removing(const Fabric& fabric)
        : m_fabric(fabric),
          m_finder(fabric),
          m_scopes(fabric.scopes.size()),
          m_all{std::vector<bool>(fabric.devices.size()), std::vector<bool>(fabric.links.size())} {}

    Status add(const std::string& selector) {
        if (selector.empty()) return parseSelector(selector).errors(); // the path of the design itself
        if (const auto device = m_finder.device(selector)) {
            m_all.devices[*device] = true;
        } else if (const auto scope = m_finder.scope(selector)) {
            m_scopes[*scope] = true;
        } else if (const auto parsed = parseSelector(selector); parsed && parsed->key == "feed") {
            if (!m_floor) m_floor = floorOf(m_fabric);
            if (!m_feeds.take(*m_floor, parsed->value)) return nothingSelected(m_fabric, *parsed, selector);
        } else {
            const auto removal = select(m_fabric, selector);
            if (!removal) return removal.errors();
            merge(removal->devices, m_all.devices);
            merge(removal->links, m_all.links);
        }
        return Done{};
    }
    Removal finish(const Failures& failures) {
        for (std::size_t s = 1; s < m_scopes.size(); ++s) // scopes stand before those inside them
            m_scopes[s] = m_scopes[s] || (m_fabric.scopes[s].parent != none && m_scopes[m_fabric.scopes[s].parent]);
        for (const DeviceId d : indices<DeviceId>(m_all.devices.size()))
            if (m_scopes[m_fabric.devices.scope[d]]) m_all.devices[d] = true;
        takeDomains(m_fabric, m_scopes, m_all.devices);
        if (m_floor) m_feeds.addTo(*m_floor, m_all.devices);
        if (failures.linkShare > 0) drawLinks(m_fabric, failures.linkShare, failures.seed, m_all);
        return std::move(m_all);
    }

private:
    static void merge(const std::vector<bool>& some, std::vector<bool>& to) {
        for (std::size_t i = 0; i < some.size(); ++i) to[i] = to[i] || some[i];
    }

    const Fabric& m_fabric;
    PathFinder m_finder;
    std::vector<bool> m_scopes;
    std::optional<Floor> m_floor; // once a feed fails
    FailedFeeds m_feeds;          // together, as a rack on both hangs on either
    Removal m_all;
};

} // namespace

Result<Removal> removalOf(const Fabric& fabric, const Failures& failures) {
    Removing removing(fabric);
    for (const std::string& selector : failures.selectors)
        if (const Status added = removing.add(selector); !added) return added.errors();
    return removing.finish(failures);
}

Removal removalOfKnown(const Fabric& fabric, const Failures& failures) {
    Removing removing(fabric);
    for (const std::string& selector : failures.selectors) static_cast<void>(removing.add(selector));
    return removing.finish(failures);
}

} // namespace railyard
