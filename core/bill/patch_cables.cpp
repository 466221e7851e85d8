#include "core/bill/patch_cables.h"

#include "core/base/slot_numbers.h"

#include <algorithm>
#include <bit>
#include <numeric>
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
    bool splitsAtA = false, splitsAtB = false; // as the other end has no shared sockets
    SocketSize a, b;
};

std::vector<SocketRule> rulesOf(const Cabling& cabling) {
    std::vector<SocketRule> rules; // by choice
    for (const OpticChoice& choice : cabling.choices)
        rules.push_back({choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1), choice.linksPerSocketB == 1,
                         choice.linksPerSocketA == 1, SocketSize(choice.linksPerSocketA), SocketSize(choice.linksPerSocketB)});
    return rules;
}

// The most sockets of a cage, as far as links share them.
std::size_t mostSocketsOf(const Cabling& cabling, const std::vector<SocketRule>& rules) {
    const auto last = [&](const SocketSize& size, std::uint32_t kind) {
        return size.socketOf(static_cast<std::uint32_t>(std::max(1, cabling.cageKinds[kind].links)) - 1);
    };
    std::uint32_t most = 0;
    for (std::size_t c = 0; c < rules.size(); ++c)
        if (rules[c].isShared)
            most = std::max({most, last(rules[c].a, cabling.choices[c].kindA), last(rules[c].b, cabling.choices[c].kindB)});
    return std::size_t{most} + 1;
}

// `sockets`: the places of the ports in their cages, which become numbers of sockets.
SocketUses numberSockets(LinkSockets& sockets, const Cabling& cabling, const std::vector<SocketRule>& rules) {
    const auto number = [&](std::size_t count, const auto& numberOf) {
        SocketUses uses(count);
        for (const CabledLinkId l : cabling.links.ids()) {
            const SocketRule& rule = rules[cabling.choice[l]];
            std::uint32_t &a = sockets.a[l], &b = sockets.b[l];
            if (!rule.isShared) {
                a = b = none;
                continue;
            }
            a = static_cast<std::uint32_t>(numberOf(cabling.cageA[l], rule.a.socketOf(a)));
            b = static_cast<std::uint32_t>(numberOf(cabling.cageB[l], rule.b.socketOf(b)));
            uses.note(a, b, l);
            uses.note(b, a, l);
        }
        return uses;
    };
    const std::size_t most = mostSocketsOf(cabling, rules);
    if (most * cabling.cageNumbers <= 16 * cabling.links.size() + 1'000'000)
        return number(most * cabling.cageNumbers, [&](std::size_t cage, std::uint32_t socket) { return cage * most + socket; });
    const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
        for (const CabledLinkId l : cabling.links.ids()) {
            const SocketRule& rule = rules[cabling.choice[l]];
            if (!rule.isShared) continue;
            note(cabling.cageA[l], rule.a.socketOf(sockets.a[l]));
            note(cabling.cageB[l], rule.b.socketOf(sockets.b[l]));
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

void add(std::vector<ShapedLinks>& shapes, CabledLinkId link, FibreShape shape) {
    if (shapes.empty() || shapes.back().end != link || shapes.back().shape != shape) shapes.push_back({link, link, shape});
    ++shapes.back().end;
}

} // namespace

std::vector<ShapedLinks> groupPatchCables(CagePositions positions, Cabling& cabling) {
    const bool share = std::any_of(cabling.choices.begin(), cabling.choices.end(),
                                   [](const OpticChoice& choice) { return choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1; });
    cabling.patch.resize(cabling.links.size());
    if (!share) { // every link has its sockets to itself
        std::iota(cabling.patch.begin(), cabling.patch.end(), CabledLinkId(0));
        return {};
    }
    LinkSockets sockets{std::move(positions.a), std::move(positions.b)};
    const std::vector<SocketRule> rules = rulesOf(cabling);
    const SocketUses uses = numberSockets(sockets, cabling, rules);
    std::vector<bool> isHub;
    std::vector<ShapedLinks> shapes;
    for (const CabledLinkId l : cabling.links.ids()) {
        CabledLinkId patch = l;
        if (const std::uint32_t a = sockets.a[l], b = sockets.b[l]; a != none) {
            const SocketRule& rule = rules[cabling.choice[l]];
            FibreShape shape = FibreShape::Crossed;
            if (rule.splitsAtA) {
                shape = FibreShape::SplitsAtA;
            } else if (rule.splitsAtB) {
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
            if (shape != FibreShape::Crossed) patch = uses.firstOf(shape == FibreShape::SplitsAtB ? b : a);
            if (!rule.splitsAtA && !rule.splitsAtB) add(shapes, l, shape);
        }
        // A trunk or split port that counts as one cable takes in every patch cable that it has a link of.
        cabling.patch[l] = patch;
        const CabledLinkId first = patch < l ? patch : cabling.cable[l];
        if (first < l) cabling.cable[l] = cabling.cable[first];
    }
    return shapes;
}

} // namespace railyard
