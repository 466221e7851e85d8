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

// What a choice of modules says of its sockets.
struct SocketRule {
    bool isShared = false;
    bool splitsAtA = false, splitsAtB = false; // as the other end has no shared sockets
    bool arePowers = false;                    // of two, as a rule: processors are slow to divide
    std::uint8_t shiftA = 0, shiftB = 0;
    std::uint32_t linksA = 1, linksB = 1; // of a socket

    std::uint32_t socketA(std::uint32_t position) const { return arePowers ? position >> shiftA : position / linksA; }
    std::uint32_t socketB(std::uint32_t position) const { return arePowers ? position >> shiftB : position / linksB; }
};
SocketRule ruleOf(const OpticChoice& choice) {
    SocketRule rule;
    rule.isShared = choice.pluggable() && (choice.linksPerSocketA > 1 || choice.linksPerSocketB > 1);
    rule.splitsAtA = choice.linksPerSocketB == 1;
    rule.splitsAtB = choice.linksPerSocketA == 1;
    rule.linksA = static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketA));
    rule.linksB = static_cast<std::uint32_t>(std::max(1, choice.linksPerSocketB));
    rule.arePowers = std::has_single_bit(rule.linksA) && std::has_single_bit(rule.linksB);
    rule.shiftA = static_cast<std::uint8_t>(std::countr_zero(rule.linksA));
    rule.shiftB = static_cast<std::uint8_t>(std::countr_zero(rule.linksB));
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
                {last, rules[c].socketA(lastPosition(cabling.choices[c].kindA)), rules[c].socketB(lastPosition(cabling.choices[c].kindB))});
    return std::size_t{last} + 1;
}

template <class NumberOf>
SocketUses numberSockets(LinkSockets& sockets, const Cabling& cabling, const std::vector<SocketRule>& rules, std::size_t count,
                         const NumberOf& numberOf) {
    SocketUses uses(count);
    for (const CabledLinkId l : cabling.links.ids()) {
        const SocketRule& rule = rules[cabling.choice[l]];
        if (!rule.isShared) {
            sockets.a[l] = sockets.b[l] = none;
            continue;
        }
        const auto a = static_cast<std::uint32_t>(numberOf(cabling.cageA[l], rule.socketA(sockets.a[l])));
        const auto b = static_cast<std::uint32_t>(numberOf(cabling.cageB[l], rule.socketB(sockets.b[l])));
        sockets.a[l] = a;
        sockets.b[l] = b;
        uses.note(a, b, l);
        uses.note(b, a, l);
    }
    return uses;
}

// `sockets`: the places of the ports in their cages, which become numbers of sockets.
SocketUses numberSockets(LinkSockets& sockets, const Cabling& cabling, const std::vector<SocketRule>& rules) {
    const std::size_t most = mostSocketsOf(cabling, rules);
    if (most * cabling.cageNumbers <= 16 * cabling.links.size() + 1'000'000)
        return numberSockets(sockets, cabling, rules, most * cabling.cageNumbers,
                             [most](std::size_t cage, std::uint32_t socket) { return cage * most + socket; });
    const SlotNumbers numbers(cabling.cageNumbers, [&](const auto& note) {
        for (const CabledLinkId l : cabling.links.ids()) {
            const SocketRule& rule = rules[cabling.choice[l]];
            if (!rule.isShared) continue;
            note(cabling.cageA[l], rule.socketA(sockets.a[l]));
            note(cabling.cageB[l], rule.socketB(sockets.b[l]));
        }
    });
    return numberSockets(sockets, cabling, rules, numbers.size(),
                         [&](std::size_t cage, std::uint32_t socket) { return numbers.numberOf(cage, socket); });
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

FibreShape shapeOf(const SocketRule& rule, std::uint32_t a, std::uint32_t b, const SocketUses& uses, const LinkSockets& sockets,
                   std::vector<bool>& isHub) {
    if (rule.splitsAtA) return FibreShape::SplitsAtA;
    if (rule.splitsAtB) return FibreShape::SplitsAtB;
    if (uses.hasOnePartner(a) && uses.hasOnePartner(b)) return FibreShape::Straight;
    if (isHub.empty()) isHub = hubsAmong(sockets, uses.size());
    return isHub[a] ? FibreShape::SplitsAtA : isHub[b] ? FibreShape::SplitsAtB : FibreShape::Crossed;
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
    std::vector<SocketRule> rules; // by choice
    for (const OpticChoice& choice : cabling.choices) rules.push_back(ruleOf(choice));
    const SocketUses uses = numberSockets(sockets, cabling, rules);
    std::vector<bool> isHub; // found when needed
    std::vector<ShapedLinks> shapes;
    ShapedLinks run{CabledLinkId(0), CabledLinkId(0)};
    const auto endRun = [&](CabledLinkId next, FibreShape shape) {
        if (run.first != run.end) shapes.push_back(run);
        run = {next, next, shape};
    };
    for (const CabledLinkId l : cabling.links.ids()) {
        CabledLinkId patch = l;
        if (const std::uint32_t a = sockets.a[l], b = sockets.b[l]; a != none) {
            const SocketRule& rule = rules[cabling.choice[l]];
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
    endRun(none, FibreShape::Crossed);
    return shapes;
}

} // namespace railyard
