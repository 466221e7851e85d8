#include "core/bill/patch_cables.h"

#include "core/base/runs.h"
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
        else
            use.partner = (use.partner & ~moreLinks) == partner ? partner | moreLinks : several;
    }
    CabledLinkId firstOf(std::uint32_t socket) const { return m_uses[socket].first; }
    bool hasOnePartner(std::uint32_t socket) const { return m_uses[socket].partner != several; }
    bool hasMoreLinks(std::uint32_t socket) const { return (m_uses[socket].partner & moreLinks) != 0; }
    std::size_t size() const { return m_uses.size(); }

private:
    static constexpr std::uint32_t moreLinks = 1U << 31; // than one
    static constexpr std::uint32_t several = none;       // with moreLinks; no socket has this number
    struct Use {
        CabledLinkId first;
        std::uint32_t partner = 0; // the socket to which all links run
    };
    std::vector<Use> m_uses;
};

// What a choice of modules says of its sockets.
struct SocketRule {
    bool isShared = false;
    bool splitsAtA = false, splitsAtB = false; // as the other end has no shared sockets
    std::uint32_t linksA = 1, linksB = 1;      // of a socket
};
SocketRule ruleOf(const OpticChoice& choice) {
    SocketRule rule;
    rule.isShared = choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1);
    rule.splitsAtA = choice.linksPerSocketB == 1;
    rule.splitsAtB = choice.linksPerSocketA == 1;
    rule.linksA = static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketA));
    rule.linksB = static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketB));
    return rule;
}

// The most sockets of a cage, as far as links share them.
std::size_t mostSocketsOf(const Cabling& cabling, const std::vector<SocketRule>& rules) {
    const auto lastPosition = [&](std::uint32_t kind) {
        return static_cast<std::uint32_t>(std::max(1, cabling.cageKinds[kind].links)) - 1;
    };
    std::uint32_t last = 0;
    for (std::size_t c = 0; c < rules.size(); ++c)
        if (rules[c].isShared)
            last = std::max(
                {last, lastPosition(cabling.choices[c].kindA) / rules[c].linksA, lastPosition(cabling.choices[c].kindB) / rules[c].linksB});
    return std::size_t{last} + 1;
}

// visit(first, end, rule) of links that follow one another and have one choice; end: behind the last.
template <class Visit>
void forEachStretch(const Cabling& cabling, const std::vector<SocketRule>& rules, const Visit& visit) {
    const std::size_t links = cabling.links.size();
    for (std::size_t first = 0, end = 0; first < links; first = end) {
        end = endOfEqual(cabling.choice.data(), first, links);
        visit(first, end, rules[cabling.choice[first]]);
    }
}

// From the places of ports in their cages, which have 2 ^ `bits` sockets at most, to numbers of sockets.
void number(std::uint32_t* places, const std::uint32_t* cages, std::size_t count, std::uint32_t linksPerSocket, int bits) {
    if (const int shift = std::countr_zero(linksPerSocket); std::has_single_bit(linksPerSocket)) // as a rule: it is slow to divide
        for (std::size_t i = 0; i < count; ++i) places[i] = (cages[i] << bits) + (places[i] >> shift);
    else
        for (std::size_t i = 0; i < count; ++i) places[i] = (cages[i] << bits) + places[i] / linksPerSocket;
}

// `sockets`: the places of the ports in their cages, which become numbers of sockets.
SocketUses numberSockets(LinkSockets& sockets, const Cabling& cabling, const std::vector<SocketRule>& rules) {
    const auto bits = static_cast<int>(std::bit_width(mostSocketsOf(cabling, rules) - 1));
    std::size_t count = cabling.cageNumbers << bits;
    if (count <= 16 * cabling.links.size() + 1'000'000) {
        forEachStretch(cabling, rules, [&](std::size_t first, std::size_t end, const SocketRule& rule) {
            if (!rule.isShared) return;
            number(sockets.a.data() + first, cabling.cageA.data() + first, end - first, rule.linksA, bits);
            number(sockets.b.data() + first, cabling.cageB.data() + first, end - first, rule.linksB, bits);
        });
    } else {
        const auto forEachShared = [&](const auto& visit) {
            forEachStretch(cabling, rules, [&](std::size_t first, std::size_t end, const SocketRule& rule) {
                for (std::size_t l = first; l < end && rule.isShared; ++l) visit(l, rule);
            });
        };
        const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
            forEachShared([&](std::size_t l, const SocketRule& rule) {
                note(cabling.cageA[l], sockets.a[l] / rule.linksA);
                note(cabling.cageB[l], sockets.b[l] / rule.linksB);
            });
        });
        forEachShared([&](std::size_t l, const SocketRule& rule) {
            sockets.a[l] = static_cast<std::uint32_t>(numbers.numberOf(cabling.cageA[l], sockets.a[l] / rule.linksA));
            sockets.b[l] = static_cast<std::uint32_t>(numbers.numberOf(cabling.cageB[l], sockets.b[l] / rule.linksB));
        });
        count = numbers.size();
    }
    SocketUses uses(count);
    forEachStretch(cabling, rules, [&](std::size_t first, std::size_t end, const SocketRule& rule) {
        if (!rule.isShared) {
            for (auto* const ends : {&sockets.a, &sockets.b}) std::fill(ends->data() + first, ends->data() + end, none);
            return;
        }
        for (std::size_t l = first; l < end; ++l) {
            uses.note(sockets.a[l], sockets.b[l], CabledLinkId(l));
            uses.note(sockets.b[l], sockets.a[l], CabledLinkId(l));
        }
    });
    return uses;
}

// By socket: whether the other ends of its links have no other links.
std::vector<std::uint8_t> hubsAmong(const LinkSockets& sockets, const SocketUses& uses) {
    std::vector<std::uint8_t> isHub(uses.size(), 1);
    for (std::size_t l = 0; l < sockets.a.size(); ++l) {
        const std::uint32_t a = sockets.a[l], b = sockets.b[l];
        if (a == none) continue;
        if (uses.hasMoreLinks(b)) isHub[a] = 0;
        if (uses.hasMoreLinks(a)) isHub[b] = 0;
    }
    return isHub;
}

FibreShape shapeOf(const SocketRule& rule, std::uint32_t a, std::uint32_t b, const SocketUses& uses, const LinkSockets& sockets,
                   std::vector<std::uint8_t>& isHub) {
    if (rule.splitsAtA) return FibreShape::SplitsAtA;
    if (rule.splitsAtB) return FibreShape::SplitsAtB;
    if (uses.hasOnePartner(a) && uses.hasOnePartner(b)) return FibreShape::Straight;
    if (isHub.empty()) isHub = hubsAmong(sockets, uses);
    return isHub[a] ? FibreShape::SplitsAtA : isHub[b] ? FibreShape::SplitsAtB : FibreShape::Crossed;
}

} // namespace

std::vector<ShapedLinks> groupPatchCables(CagePositions positions, Cabling& cabling) {
    const bool share = std::any_of(cabling.choices.begin(), cabling.choices.end(),
                                   [](const OpticChoice& choice) { return choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1; });
    cabling.patch.resize(cabling.links.size());
    if (!share) { // every link has its sockets to itself
        countUp(cabling.patch.data(), cabling.patch.size(), CabledLinkId(0));
        return {};
    }
    LinkSockets sockets{std::move(positions.a), std::move(positions.b)};
    std::vector<SocketRule> rules; // by choice
    for (const OpticChoice& choice : cabling.choices) rules.push_back(ruleOf(choice));
    const SocketUses uses = numberSockets(sockets, cabling, rules);
    std::vector<std::uint8_t> isHub; // found when needed
    std::vector<ShapedLinks> shapes;
    ShapedLinks run{CabledLinkId(0), CabledLinkId(0)};
    const auto endRun = [&](CabledLinkId next, FibreShape shape) {
        if (run.first != run.end) shapes.push_back(run);
        run = {next, next, shape};
    };
    forEachStretch(cabling, rules, [&](std::size_t begin, std::size_t end, const SocketRule& rule) {
        for (CabledLinkId l(begin); l < end; ++l) {
            CabledLinkId patch = l;
            if (rule.isShared) {
                const std::uint32_t a = sockets.a[l], b = sockets.b[l];
                const FibreShape shape = shapeOf(rule, a, b, uses, sockets, isHub);
                if (shape != FibreShape::Crossed) patch = uses.firstOf(shape == FibreShape::SplitsAtB ? b : a);
                if (!rule.splitsAtA && !rule.splitsAtB) {
                    if (run.end != l || run.shape != shape) endRun(l, shape);
                    ++run.end;
                }
            }
            // A trunk or split port that counts as one cable takes in every patch cable that it has a link of.
            cabling.patch[l] = patch;
            const CabledLinkId first = patch < l ? patch : cabling.cable[l];
            if (first < l) cabling.cable[l] = cabling.cable[first];
        }
    });
    endRun(none, FibreShape::Crossed);
    return shapes;
}

} // namespace railyard
