#include "core/bill/patch_cables.h"

#include "core/base/slot_numbers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace railyard {
namespace {

// The sockets of every link; none where it has them to itself.
struct LinkSockets {
    UnsetBy<CabledLinkId, std::uint32_t> a, b;
};

// Which links use a socket.
class SocketUses {
public:
    explicit SocketUses(std::size_t sockets) : m_uses(sockets) {}

    void note(std::uint32_t socket, std::uint32_t partner, CabledLinkId l) {
        Use& use = m_uses[socket];
        if (use.first == none)
            use = {l, partner};
        else if (use.partner != partner)
            use.partner = several;
    }
    CabledLinkId firstOf(std::uint32_t socket) const { return m_uses[socket].first; }
    bool hasOnePartner(std::uint32_t socket) const { return m_uses[socket].partner != several; }
    std::size_t size() const { return m_uses.size(); }

private:
    static constexpr std::uint32_t several = none - 1; // no socket has this number
    struct Use {
        CabledLinkId first;
        std::uint32_t partner = none; // the socket to which all links run
    };
    std::vector<Use> m_uses;
};

// Divides by a number of links, as a rule a power of two, for which processors are quicker.
class SocketSize {
public:
    explicit SocketSize(int links)
        : m_links(static_cast<std::uint32_t>(std::max(1, links))),
          m_isPower(std::has_single_bit(m_links)),
          m_shift(std::countr_zero(m_links)) {}
    std::uint32_t socketOf(std::uint32_t position) const { return m_isPower ? position >> m_shift : position / m_links; }

private:
    std::uint32_t m_links;
    bool m_isPower;
    int m_shift;
};

// What a choice of modules says of its sockets.
struct SocketRule {
    bool isShared = false;
    SocketSize a, b;
};

std::vector<SocketRule> rulesOf(const Cabling& cabling) {
    std::vector<SocketRule> rules; // by choice
    for (const OpticChoice& choice : cabling.choices)
        rules.push_back({choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1),
                         SocketSize(choice.linksPerSocketA), SocketSize(choice.linksPerSocketB)});
    return rules;
}

// `sockets`: the places of the ports in their cages, which become numbers of sockets.
SocketUses numberSockets(LinkSockets& sockets, const Cabling& cabling) {
    const std::vector<SocketRule> rules = rulesOf(cabling);
    std::size_t shared = 0; // links
    std::uint32_t last = 0; // socket of a cage
    for (const CabledLinkId l : cabling.links.ids()) {
        const SocketRule& rule = rules[cabling.choice[l]];
        std::uint32_t &a = sockets.a[l], &b = sockets.b[l];
        if (!rule.isShared) {
            a = b = none;
            continue;
        }
        a = rule.a.socketOf(a);
        b = rule.b.socketOf(b);
        last = std::max({last, a, b});
        ++shared;
    }
    const auto number = [&](std::size_t count, const auto& numberOf) {
        SocketUses uses(count);
        for (const CabledLinkId l : cabling.links.ids()) {
            std::uint32_t &a = sockets.a[l], &b = sockets.b[l];
            if (a == none) continue;
            a = static_cast<std::uint32_t>(numberOf(cabling.a[l].number, a));
            b = static_cast<std::uint32_t>(numberOf(cabling.b[l].number, b));
            uses.note(a, b, l);
            uses.note(b, a, l);
        }
        return uses;
    };
    const std::size_t most = std::size_t{last} + 1;
    if (most * cabling.cageNumbers <= 16 * shared + 1'000'000)
        return number(most * cabling.cageNumbers, [&](std::size_t cage, std::uint32_t socket) { return cage * most + socket; });
    const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
        for (const CabledLinkId l : cabling.links.ids()) {
            if (sockets.a[l] == none) continue;
            note(cabling.a[l].number, sockets.a[l]);
            note(cabling.b[l].number, sockets.b[l]);
        }
    });
    return number(numbers.size(), [&](std::size_t cage, std::uint32_t socket) { return numbers.numberOf(cage, socket); });
}

// By socket: whether the other ends of its links have no other links. Only few designs ask for it.
std::vector<bool> hubsAmong(const LinkSockets& sockets, std::size_t count) {
    enum Links : std::uint8_t { None, One, More };
    std::vector<Links> links(count, None);
    const auto forEachLink = [&](const auto& visit) {
        for (std::size_t l = 0; l < sockets.a.size(); ++l)
            if (const CabledLinkId own(l); sockets.a[own] != none) visit(sockets.a[own], sockets.b[own]);
    };
    forEachLink([&](std::uint32_t a, std::uint32_t b) {
        for (const std::uint32_t socket : {a, b}) links[socket] = links[socket] == None ? One : More;
    });
    std::vector<bool> isHub(count, true);
    forEachLink([&](std::uint32_t a, std::uint32_t b) {
        if (links[b] == More) isHub[a] = false;
        if (links[a] == More) isHub[b] = false;
    });
    return isHub;
}

// A trunk or split port that counts as one cable takes in every patch cable that it has a link of.
void letCablesFollow(Cabling& cabling) {
    for (const CabledLinkId l : cabling.links.ids()) {
        const CabledLinkId patch = cabling.patch[l], first = patch < l ? patch : cabling.cable[l];
        if (first < l) cabling.cable[l] = cabling.cable[first];
    }
}

} // namespace

std::vector<std::pair<CabledLinkId, FibreShape>> groupPatchCables(CagePositions positions, Cabling& cabling) {
    const bool share = std::any_of(cabling.choices.begin(), cabling.choices.end(),
                                   [](const OpticChoice& choice) { return choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1; });
    if (!share) return {}; // every link has its sockets to itself
    LinkSockets sockets{std::move(positions.a), std::move(positions.b)};
    const SocketUses uses = numberSockets(sockets, cabling);
    std::vector<bool> isHub;
    std::vector<std::pair<CabledLinkId, FibreShape>> shapes;
    for (const CabledLinkId l : cabling.links.ids()) {
        const std::uint32_t a = sockets.a[l], b = sockets.b[l];
        if (a == none) continue;
        const OpticChoice& choice = cabling.choiceOf(l);
        FibreShape shape = FibreShape::Crossed;
        if (choice.linksPerSocketB == 1) {
            shape = FibreShape::SplitsAtA;
        } else if (choice.linksPerSocketA == 1) {
            shape = FibreShape::SplitsAtB;
        } else if (uses.hasOnePartner(a) && uses.hasOnePartner(b)) {
            shape = FibreShape::Straight;
        } else {
            if (isHub.empty()) isHub = hubsAmong(sockets, uses.size());
            if (isHub[a])
                shape = FibreShape::SplitsAtA;
            else if (isHub[b])
                shape = FibreShape::SplitsAtB;
        }
        if (shape != FibreShape::Crossed) cabling.patch[l] = uses.firstOf(shape == FibreShape::SplitsAtB ? b : a);
        if (choice.linksPerSocketA > 1 && choice.linksPerSocketB > 1) shapes.emplace_back(l, shape);
    }
    letCablesFollow(cabling);
    return shapes;
}

} // namespace railyard
