#include "core/bill/patch_cables.h"

#include <algorithm>
#include <utility>

namespace railyard {
namespace {

// The sockets of modules that several links can share.
class Sockets {
public:
    Sockets(const Fabric& fabric, const PositionOf& positionOf, const Cabling& cabling)
        : m_fabric(fabric),
          m_positionOf(positionOf),
          m_cabling(cabling),
          m_cages(fabric, cabling) {}

    struct Place {
        std::size_t cage = 0;
        std::uint32_t socket = 0; // in the cage
    };
    Place ofA(LinkId l) const {
        return placeOf(m_fabric.links.a[l], m_fabric.links.aPort[l], m_cabling.a[l], l, m_cabling.choiceOf(l).linksPerSocketA);
    }
    Place ofB(LinkId l) const {
        return placeOf(m_fabric.links.b[l], m_fabric.links.bPort[l], m_cabling.b[l], l, m_cabling.choiceOf(l).linksPerSocketB);
    }
    std::size_t cages() const { return m_cages.size(); }

private:
    Place placeOf(DeviceId device, PortId port, const Cabling::End& end, LinkId l, int linksPerSocket) const {
        return {m_cages.numberOf(device, end),
                m_positionOf(device, port, m_fabric.links.speed[l]) / static_cast<std::uint32_t>(std::max(1, linksPerSocket))};
    }

    const Fabric& m_fabric;
    const PositionOf& m_positionOf;
    const Cabling& m_cabling;
    CageNumbers m_cages;
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
struct SharedLinks {
    std::vector<SharedLink> links;
    std::size_t sockets = 0;
};

SharedLinks sharedLinks(const Fabric& fabric, const Cabling& cabling, const Sockets& sockets) {
    SharedLinks shared;
    std::vector<std::pair<Sockets::Place, Sockets::Place>> places;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const OpticChoice& choice = cabling.choiceOf(l);
        if (!choice.pluggable() || (choice.linksPerSocketA <= 1 && choice.linksPerSocketB <= 1)) continue;
        shared.links.push_back({l, 0, 0});
        places.emplace_back(sockets.ofA(l), sockets.ofB(l));
    }
    const SlotNumbers numbers(sockets.cages(), [&](const auto& note) {
        for (const auto& [a, b] : places) note(a.cage, a.socket), note(b.cage, b.socket);
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [a, b] = places[i];
        shared.links[i].a = static_cast<std::uint32_t>(numbers.numberOf(a.cage, a.socket));
        shared.links[i].b = static_cast<std::uint32_t>(numbers.numberOf(b.cage, b.socket));
    }
    shared.sockets = numbers.size();
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
    const SharedLinks shared = sharedLinks(fabric, cabling, Sockets(fabric, positionOf, cabling));
    const std::vector<SocketUse> uses = usesOf(shared.links, shared.sockets);
    std::vector<std::pair<LinkId, FibreShape>> shapes;
    for (const SharedLink& each : shared.links) {
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
