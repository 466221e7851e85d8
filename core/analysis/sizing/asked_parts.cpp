#include "core/analysis/sizing/asked_parts.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace railyard {

Status AskedParts::check() const {
    if (!m_asked.server.empty() && !m_catalog.find<ServerPart>(m_asked.server))
        return Error::usage(fmt::format("--server {}: is no server of the catalogue; `railyard-cli catalog list --kind server` lists them",
                                        m_asked.server));
    if (!m_asked.switchId.empty() && !m_catalog.find<SwitchPart>(m_asked.switchId))
        return Error::usage(fmt::format("--switch {}: is no switch of the catalogue; `railyard-cli catalog list --kind switch` lists them",
                                        m_asked.switchId));
    return checkVendor();
}

Status AskedParts::checkVendor() const {
    if (const Part* part = m_asked.switchId.empty() ? nullptr : m_catalog.find(m_asked.switchId); part && !isOfVendor(*part))
        return Error::usage(fmt::format("--vendor {}: {} is a switch of {}; use either --vendor or --switch", m_asked.vendor,
                                        m_asked.switchId, part->vendor));
    std::set<std::string> vendors;
    for (const auto& [id, part] : m_catalog.parts())
        if (part.as<SwitchPart>()) {
            if (isOfVendor(part)) return Done{};
            vendors.insert(part.vendor);
        }
    return Error::usage(fmt::format("--vendor {}: the catalogue has switches of {}", m_asked.vendor, fmt::join(vendors, ", ")));
}

bool AskedParts::isOfVendor(const Part& part) const {
    const auto isSame = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    const std::string &wanted = m_asked.vendor, &own = part.vendor;
    return wanted.empty() || std::equal(wanted.begin(), wanted.end(), own.begin(), own.end(), isSame);
}

const Part* AskedParts::serverOf(const std::string& recipe) const {
    if (!m_asked.server.empty()) return m_catalog.find(m_asked.server);
    const auto usual = resolve({recipe, {}}, m_catalog);
    return usual ? usual->server : nullptr;
}

Bandwidth AskedParts::speedOfNicPort(const Part& server) const {
    const auto setting = [&](const char* key) {
        const auto found = m_asked.settings.find(key);
        return found == m_asked.settings.end() ? std::string() : found->second;
    };
    const auto orUsual = [&](const char* key, double usual) { // other faults of the value are reported where it is read
        const double value = setting(key).empty() ? usual : parameterNumber(setting(key));
        return value > 0 ? value : usual;
    };
    const Part* nic = m_catalog.find<NicPart>(setting("nic"));
    const NicPart* facts = nic ? nic->as<NicPart>() : nullptr;
    const Bandwidth usual = facts ? facts->bandwidth : server.as<ServerPart>()->nicBandwidth;
    return gigabitsPerSecond(orUsual("nic_gbps", inGbps(usual)) / orUsual("nic_ports", facts ? facts->ports : 1));
}

std::string AskedParts::missingOfVendor(const RecipeCall& call) const {
    const auto usual = resolve({call.name, {}}, m_catalog);
    const Part* server = serverOf(call.name);
    if (!usual || !server || !switchFor(call).empty() || isOfVendor(*usual->leafSwitch)) return {};
    return fmt::format("no switch of {} has ports of {}", m_asked.vendor, formatBandwidth(speedOfNicPort(*server)));
}

std::string AskedParts::switchFor(const RecipeCall& call) const {
    if (!m_asked.switchId.empty()) return m_asked.switchId;
    const auto usual = resolve({call.name, {}}, m_catalog);
    if (!usual) return {};
    const Bandwidth speed = speedOfNicPort(*serverOf(call.name));
    const auto fits = [&](const Part& part) {
        return part.as<SwitchPart>() && part.as<SwitchPart>()->portsAt(speed) > 0 && isOfVendor(part);
    };
    if (fits(*usual->leafSwitch)) return {};
    const Part* best = nullptr;
    const auto rank = [&](const Part& part) { return std::pair(part.price && part.price->base, part.as<SwitchPart>()->portsAt(speed)); };
    for (const auto& [id, part] : m_catalog.parts())
        if (fits(part) && (!best || rank(part) > rank(*best))) best = &part;
    return best ? best->id : std::string();
}

} // namespace railyard
