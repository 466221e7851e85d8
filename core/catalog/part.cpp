#include "core/catalog/part.h"

namespace railyard {

std::optional<Money> Price::baseAt(Metres length) const {
    for (const auto& [stock, money] : byLength)
        if (stock >= length) return money;
    return byLength.empty() ? base : std::nullopt; // beyond the longest listed length nobody has quoted
}

int SwitchPart::portsAt(Bandwidth speed) const {
    int count = 0;
    for (const PortOption& option : ports)
        if (option.speed == speed && option.role != "backup downlink") count += option.count;
    return count;
}

const std::string& SwitchPart::cageAt(Bandwidth speed) const {
    for (const PortOption& option : ports)
        if (option.speed == speed && !option.cage.empty()) return option.cage;
    return cage;
}

std::string_view Part::kind() const {
    static constexpr std::string_view names[] = {"gpu", "server", "nic", "switch", "optic", "cable", "rack", "service", "ocs"};
    return names[detail.index()];
}

std::int64_t racksFor(std::int64_t trays, const RackPart& rack) {
    const auto each = static_cast<std::int64_t>(rack.system ? rack.system->trayUnits.size() : 0);
    return each > 0 ? (trays + each - 1) / each : 1;
}

} // namespace railyard
