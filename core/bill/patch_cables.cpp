#include "core/bill/patch_cables.h"

#include <algorithm>
#include <unordered_map>

namespace railyard {
namespace {

// The sockets of modules that several links can share.
class Sockets {
public:
    Sockets(const Fabric& fabric, const PositionOf& positionOf, const Cabling& cabling)
        : m_fabric(fabric),
          m_positionOf(positionOf),
          m_cabling(cabling),
          m_cages(fabric, cabling) {
        m_numbers.reserve(fabric.links.size());
    }

    std::uint32_t ofA(LinkId l) {
        return number(m_fabric.links.a[l], m_fabric.links.aPort[l], m_cabling.a[l], l, m_cabling.choiceOf(l).linksPerSocketA);
    }
    std::uint32_t ofB(LinkId l) {
        return number(m_fabric.links.b[l], m_fabric.links.bPort[l], m_cabling.b[l], l, m_cabling.choiceOf(l).linksPerSocketB);
    }
    std::size_t size() const { return m_numbers.size(); }

private:
    std::uint32_t number(DeviceId device, PortId port, const Cabling::End& end, LinkId l, int linksPerSocket) {
        const std::uint32_t socket =
            m_positionOf(device, port, m_fabric.links.speed[l]) / static_cast<std::uint32_t>(std::max(1, linksPerSocket));
        const std::uint64_t key = std::uint64_t{m_cages.numberOf(device, end)} << 16 | socket; // a cage has a handful of sockets
        return m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_numbers.size())).first->second;
    }

    const Fabric& m_fabric;
    const PositionOf& m_positionOf;
    const Cabling& m_cabling;
    CageNumbers m_cages;
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
};

struct SocketUse {
    LinkId first;
    std::uint32_t links = 0;
    std::uint32_t partner = none; // the socket to which all links run
    bool hasOnePartner = true;
    bool isHub = true; // the other ends have no other links
};

struct SharedLink {
    LinkId link;
    std::uint32_t a, b; // sockets
};

std::vector<SharedLink> sharedLinks(const Fabric& fabric, Cabling& cabling, Sockets& sockets) {
    std::vector<SharedLink> shared;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const OpticChoice& choice = cabling.choiceOf(l);
        if (choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1))
            shared.push_back({l, sockets.ofA(l), sockets.ofB(l)});
    }
    return shared;
}

std::vector<SocketUse> usesOf(const std::vector<SharedLink>& shared, std::size_t sockets) {
    std::vector<SocketUse> uses(sockets);
    const auto note = [&](std::uint32_t socket, std::uint32_t partner, LinkId l) {
        SocketUse& use = uses[socket];
        if (use.links++ == 0) use.first = l, use.partner = partner;
        use.hasOnePartner &= use.partner == partner;
    };
    for (const SharedLink& each : shared) {
        note(each.a, each.b, each.link);
        note(each.b, each.a, each.link);
    }
    for (const SharedLink& each : shared) {
        uses[each.a].isHub &= uses[each.b].links == 1;
        uses[each.b].isHub &= uses[each.a].links == 1;
    }
    return uses;
}

// A trunk or split port that counts as one cable takes in every patch cable that it has a link of.
void letCablesFollow(const Fabric& fabric, Cabling& cabling) {
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const LinkId patch = cabling.patch[l], first = patch < l ? patch : cabling.cable[l];
        if (first < l) cabling.cable[l] = cabling.cable[first];
    }
}

} // namespace

std::vector<std::pair<LinkId, FibreShape>> groupPatchCables(const Fabric& fabric, const PositionOf& positionOf, Cabling& cabling) {
    const bool share = std::any_of(cabling.choices.begin(), cabling.choices.end(),
                                   [](const OpticChoice& choice) { return choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1; });
    if (!share) return {}; // every link has its sockets to itself
    Sockets sockets(fabric, positionOf, cabling);
    const std::vector<SharedLink> shared = sharedLinks(fabric, cabling, sockets);
    const std::vector<SocketUse> uses = usesOf(shared, sockets.size());
    std::vector<std::pair<LinkId, FibreShape>> shapes;
    for (const SharedLink& each : shared) {
        const SocketUse &a = uses[each.a], &b = uses[each.b];
        const OpticChoice& choice = cabling.choiceOf(each.link);
        FibreShape shape = FibreShape::Crossed;
        if (choice.linksPerSocketB == 1)
            shape = FibreShape::SplitsAtA;
        else if (choice.linksPerSocketA == 1)
            shape = FibreShape::SplitsAtB;
        else if (a.hasOnePartner && b.hasOnePartner)
            shape = FibreShape::Straight;
        else if (a.isHub)
            shape = FibreShape::SplitsAtA;
        else if (b.isHub)
            shape = FibreShape::SplitsAtB;
        if (shape != FibreShape::Crossed) cabling.patch[each.link] = shape == FibreShape::SplitsAtB ? b.first : a.first;
        if (choice.linksPerSocketA > 1 && choice.linksPerSocketB > 1) shapes.emplace_back(each.link, shape);
    }
    letCablesFollow(fabric, cabling);
    return shapes;
}

} // namespace railyard
