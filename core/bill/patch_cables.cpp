#include "core/bill/patch_cables.h"

#include "core/base/slot_numbers.h"

#include <algorithm>
#include <utility>

namespace railyard {
namespace {

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

SharedLinks sharedLinks(const CagePositions& positions, const Cabling& cabling) {
    SharedLinks shared;
    const auto socketIn = [](std::uint32_t position, int linksPerSocket) { // of a cage
        return linksPerSocket > 1 ? position / static_cast<std::uint32_t>(linksPerSocket) : position;
    };
    for (std::size_t i = 0; i < cabling.links.size(); ++i) {
        const OpticChoice& choice = cabling.choiceOf(cabling.links[i]);
        if (choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1))
            shared.links.push_back(
                {cabling.links[i], socketIn(positions.a[i], choice.linksPerSocketA), socketIn(positions.b[i], choice.linksPerSocketB)});
    }
    const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
        for (const SharedLink& each : shared.links) {
            note(cabling.a[each.link].number, each.a);
            note(cabling.b[each.link].number, each.b);
        }
    });
    for (SharedLink& each : shared.links) {
        each.a = static_cast<std::uint32_t>(numbers.numberOf(cabling.a[each.link].number, each.a));
        each.b = static_cast<std::uint32_t>(numbers.numberOf(cabling.b[each.link].number, each.b));
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
void letCablesFollow(Cabling& cabling) {
    for (const LinkId l : cabling.links) {
        const LinkId patch = cabling.patch[l], first = patch < l ? patch : cabling.cable[l];
        if (first < l) cabling.cable[l] = cabling.cable[first];
    }
}

} // namespace

std::vector<std::pair<LinkId, FibreShape>> groupPatchCables(const CagePositions& positions, Cabling& cabling) {
    const bool share = std::any_of(cabling.choices.begin(), cabling.choices.end(),
                                   [](const OpticChoice& choice) { return choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1; });
    if (!share) return {}; // every link has its sockets to itself
    const SharedLinks shared = sharedLinks(positions, cabling);
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
    letCablesFollow(cabling);
    return shapes;
}

} // namespace railyard
