#include "core/design/model/block.h"

#include <array>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 5> tierNames{"", "leaf", "spine", "superspine", "core"};
constexpr std::array<std::string_view, 7> linkTierNames{"host-leaf",       "manager-leaf", "leaf-spine", "spine-superspine",
                                                        "superspine-core", "hb",           "pcie"};
constexpr std::array<std::string_view, 8> patternNames{"hb-star", "hb-mesh", "hb-cube", "pcie", "rail", "chassis", "spread", "manager"};

template <class Enum, std::size_t N>
std::optional<Enum> lookUp(const std::array<std::string_view, N>& names, std::string_view text) {
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return static_cast<Enum>(i);
    return {};
}

} // namespace

std::string_view toText(DeviceKind kind) { return infoOf(kind).name; }
std::string_view toText(SwitchTier tier) { return tierNames[static_cast<std::size_t>(tier)]; }
std::string_view toText(LinkTier tier) { return linkTierNames[static_cast<std::size_t>(tier)]; }
std::string_view toText(WiringPattern pattern) { return patternNames[static_cast<std::size_t>(pattern)]; }
std::optional<DeviceKind> deviceKindFrom(std::string_view text) {
    for (std::size_t i = 0; i < deviceKinds.size(); ++i)
        if (deviceKinds[i].name == text) return static_cast<DeviceKind>(i);
    return {};
}
std::optional<WiringPattern> wiringPatternFrom(std::string_view text) { return lookUp<WiringPattern>(patternNames, text); }
std::optional<SwitchTier> switchTierFrom(std::string_view text) {
    return text.empty() ? std::nullopt : lookUp<SwitchTier>(tierNames, text);
}

BlockPointer shared(Block block) {
    block.devices.shrink_to_fit();
    block.instances.shrink_to_fit();
    block.wiring.shrink_to_fit();
    block.links.shrink_to_fit();
    return std::make_shared<const Block>(std::move(block));
}

} // namespace railyard
