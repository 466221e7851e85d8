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

// What a choice of modules says of its sockets.
struct SocketRule {
    bool isShared = false;
    std::uint32_t linksA = 1, linksB = 1; // per socket
};

SharedLinks sharedLinks(const CagePositions& positions, const Cabling& cabling) {
    std::vector<SocketRule> rules; // by choice
    for (const OpticChoice& choice : cabling.choices)
        rules.push_back({choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1),
                         static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketA)),
                         static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketB))});
    SharedLinks shared;
    shared.links.reserve(cabling.links.size());
    std::uint64_t most = 0; // sockets of a cage
    for (std::size_t i = 0; i < cabling.links.size(); ++i) {
        const SocketRule& rule = rules[cabling.choice[cabling.links[i]]];
        if (!rule.isShared) continue;
        const auto socket = [](std::uint32_t position, std::uint32_t links) { return links == 1 ? position : position / links; };
        const SharedLink link{cabling.links[i], socket(positions.a[i], rule.linksA), socket(positions.b[i], rule.linksB)};
        most = std::max({most, std::uint64_t{link.a} + 1, std::uint64_t{link.b} + 1});
        shared.links.push_back(link);
    }
    const auto numberAll = [&](const auto& numberOf) {
        for (SharedLink& each : shared.links) {
            each.a = static_cast<std::uint32_t>(numberOf(cabling.a[each.link].number, each.a));
            each.b = static_cast<std::uint32_t>(numberOf(cabling.b[each.link].number, each.b));
        }
    };
    if (most * cabling.cageNumbers <= 16 * shared.links.size() + 1'000'000) {
        numberAll([&](std::size_t cage, std::uint32_t socket) { return cage * most + socket; });
        shared.sockets = most * cabling.cageNumbers;
        return shared;
    }
    const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
        for (const SharedLink& each : shared.links) {
            note(cabling.a[each.link].number, each.a);
            note(cabling.b[each.link].number, each.b);
        }
    });
    numberAll([&](std::size_t cage, std::uint32_t socket) { return numbers.numberOf(cage, socket); });
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
