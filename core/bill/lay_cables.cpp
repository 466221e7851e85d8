#include "core/bill/lay_cables.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

// Which cages hang together by links.
class CageClusters {
public:
    explicit CageClusters(const Cabling& cabling) : m_cabling(cabling), m_parent(cabling.cageNumbers) {
        std::iota(m_parent.begin(), m_parent.end(), 0U);
        for (const CabledLinkId l : cabling.links.ids()) join(cageA(l), cageB(l));
    }

    std::uint32_t cageA(CabledLinkId link) const { return m_cabling.cageA[link]; }
    std::uint32_t cageB(CabledLinkId link) const { return m_cabling.cageB[link]; }
    std::uint32_t clusterOf(CabledLinkId link) { return find(cageA(link)); }
    std::size_t size() const { return m_parent.size(); }

private:
    std::uint32_t find(std::uint32_t cage) {
        while (m_parent[cage] != cage) cage = m_parent[cage] = m_parent[m_parent[cage]];
        return cage;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        if (a != b) m_parent[std::max(a, b)] = std::min(a, b);
    }

    const Cabling& m_cabling;
    std::vector<std::uint32_t> m_parent;
};

struct Cluster {
    float longest = 0; // metres
    CabledLinkId firstLink;
    std::uint32_t links = 0;
    std::uint32_t hub = none; // the cage that all links share; none where there is none
    bool copperShape = true;  // one cable with fixed ends could serve all links
};

// Links of one kind are joined by the same parts.
struct LinkKind {
    std::uint32_t one = 0, other = 0; // kinds of cages
    std::size_t step = 0;             // of the reach
    bool hasHub = false;              // several cages share one
    bool operator==(const LinkKind&) const = default;
};
struct LinkKindHash {
    std::size_t operator()(const LinkKind& kind) const {
        constexpr std::uint64_t mix = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
        return ((std::uint64_t{kind.one} << 32 | kind.other) * mix) ^ (kind.step * 2 + (kind.hasHub ? 1 : 0));
    }
};

class Layer {
public:
    Layer(const Fabric& fabric, OpticChooser& chooser, Cabling& cabling)
        : m_fabric(fabric),
          m_chooser(chooser),
          m_cabling(cabling),
          m_listed(cabling.choices),
          m_listedOf(cabling.choice),
          m_steps(*fabric.design->catalog),
          m_cages(cabling),
          m_clusters(m_cages.size()) {}

    void lay(CagePositions positions) {
        measure();
        survey();
        m_cabling.choices.assign(1, {});
        for (const CabledLinkId l : m_cabling.links.ids()) m_cabling.choice[l] = choose(l);
        for (const ShapedLinks& shaped : groupPatchCables(std::move(positions), m_cabling))
            for (const CabledLinkId l : shaped.ids())
                if (const OpticChoice& choice = withShape(l, shaped.shape); choice.shape != m_cabling.choiceOf(l).shape)
                    m_cabling.choice[l] = number(&choice, choice, listed(l), Metres());
        if (!m_copper.empty()) joinCopper();
        order();
    }

private:
    void measure() {
        const LinkTable& links = m_fabric.links;
        m_cabling.route.resize(m_cabling.links.size());
        for (const CabledLinkId l : m_cabling.links.ids()) {
            const LinkId link = m_cabling.links[l];
            const auto route = m_cabling.floor.route(links.a[link], links.b[link]);
            m_cabling.route[l] = static_cast<float>(route ? route->value() : Cabling::defaultLengthMetres);
        }
    }

    // One cable, however many plugs it has.
    void joinCopper() {
        for (const CabledLinkId l : m_cabling.links.ids())
            if (!m_cabling.choiceOf(l).pluggable()) m_cabling.patch[l] = m_clusters[m_cages.clusterOf(l)].firstLink;
    }

    // All links of a cable that is laid are as long as its longest, and have its stock length.
    void order() {
        for (const CabledLinkId l : m_cabling.links.ids()) {
            float& longest = m_cabling.route[m_cabling.patch[l]];
            longest = std::max(longest, m_cabling.route[l]);
        }
        const std::vector<Cabling::Choice> unordered = std::exchange(m_cabling.choices, std::vector<Cabling::Choice>(1));
        m_numbers.clear();
        m_last = nullptr;
        for (const CabledLinkId l : m_cabling.links.ids()) {
            m_cabling.route[l] = m_cabling.route[m_cabling.patch[l]];
            const Cabling::Choice& choice = unordered[m_cabling.choice[l]];
            m_cabling.choice[l] = number(&choice, choice, choice, stockLength(choice.cable, Metres(m_cabling.route[l])));
        }
    }

    void survey() {
        for (const CabledLinkId l : m_cabling.links.ids()) {
            Cluster& cluster = m_clusters[m_cages.clusterOf(l)];
            cluster.longest = std::max(cluster.longest, m_cabling.route[l]);
            const auto a = m_cages.cageA(l), b = m_cages.cageB(l);
            if (cluster.links++ == 0) {
                cluster.firstLink = l;
                continue;
            }
            const auto firstA = m_cages.cageA(cluster.firstLink), firstB = m_cages.cageB(cluster.firstLink);
            // A cable has one kind of plug at each end.
            const Cabling::Choice &kinds = listed(l), &firstKinds = listed(cluster.firstLink);
            cluster.copperShape &= kinds.kindA == firstKinds.kindA && kinds.kindB == firstKinds.kindB;
            const bool parallel = a == firstA && b == firstB;
            if (!parallel) { // a star: all links share one cage
                const auto shared = b == firstB ? b : a == firstA ? a : none;
                cluster.copperShape &= shared != none && (cluster.hub == none || cluster.hub == shared) && !isParallel(cluster);
                cluster.hub = shared;
            } else {
                cluster.copperShape &= cluster.hub == none;
            }
        }
    }
    // Two or more links so far, all between the same two cages.
    static bool isParallel(const Cluster& cluster) { return cluster.links > 2 && cluster.hub == none; }

    std::uint32_t choose(CabledLinkId l) {
        const Cluster& cluster = m_clusters[m_cages.clusterOf(l)];
        const std::size_t step = m_steps.stepOf(Metres(cluster.longest));
        if (m_cabling.floor.plan.medium == CableMedium::ByLength && cluster.copperShape)
            if (const Part* copper = copperFor(cluster, step)) {
                m_cabling.cable[l] = cluster.firstLink; // one cable, however many plugs it has
                return number(copper, copperChoice(*copper), listed(l), Metres());
            }
        const Cabling::Choice& kinds = listed(l);
        const OpticChoice*& optic = m_optics[{kinds.kindA, kinds.kindB, step, false}];
        if (!optic) optic = &m_chooser.choose(kind(kinds.kindA), kind(kinds.kindB), m_steps.reachOf(step));
        return number(optic, *optic, kinds, Metres());
    }
    const OpticChoice& withShape(CabledLinkId l, FibreShape shape) {
        const std::size_t step = m_steps.stepOf(Metres(m_clusters[m_cages.clusterOf(l)].longest));
        return m_chooser.choose(kind(listed(l).kindA), kind(listed(l).kindB), m_steps.reachOf(step), shape);
    }

    const Cage& kind(std::uint32_t of) const { return m_cabling.cageKinds[of]; }
    const Cabling::Choice& listed(CabledLinkId link) const { return m_listed[m_listedOf[link]]; }

    const Part* copperFor(const Cluster& cluster, std::size_t step) {
        const auto l = cluster.firstLink;
        const auto a = listed(l).kindA, b = listed(l).kindB;
        const bool upperHub = cluster.hub == none ? kind(b).links >= kind(a).links : cluster.hub == m_cages.cageB(l);
        const auto ofNear = upperHub ? b : a, ofFar = upperHub ? a : b;
        const auto [known, fresh] = m_copper.try_emplace(LinkKind{ofNear, ofFar, step, cluster.hub != none}, nullptr);
        if (!fresh) return known->second;
        const Cage &near = kind(ofNear), &far = kind(ofFar);
        const int breakout = far.links == 1 && near.links > 1 ? near.links : 1;
        if (cluster.hub != none && breakout == 1) return nullptr; // several far cages need several plugs
        return known->second = m_chooser.fixedEnds(near, far, breakout, m_steps.reachOf(step));
    }
    static OpticChoice copperChoice(const Part& copper) {
        OpticChoice choice;
        choice.cable = &copper;
        choice.medium = copper.as<CablePart>()->medium;
        choice.cableName = copper.name;
        return choice;
    }

    // `source` tells apart what is bought, `kinds` what cages it joins.
    std::uint32_t number(const void* source, const OpticChoice& choice, const Cabling::Choice& kinds, Metres ordered) {
        const Bought key(source, kinds.kindA, kinds.kindB, ordered);
        if (m_last && m_last->first == key) return m_last->second; // links in a row are mostly alike
        const auto [it, fresh] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_cabling.choices.size()));
        if (fresh) {
            m_cabling.choices.push_back({choice, kinds.kindA, kinds.kindB});
            m_cabling.choices.back().ordered = ordered;
        }
        m_last = &*it;
        return it->second;
    }

    const Fabric& m_fabric;
    OpticChooser& m_chooser;
    Cabling& m_cabling;
    const std::vector<Cabling::Choice> m_listed; // at the default length, with the kinds of cages
    const UnsetBy<CabledLinkId, std::uint32_t> m_listedOf;
    ReachSteps m_steps;
    CageClusters m_cages;
    std::vector<Cluster> m_clusters; // by the first cage
    std::unordered_map<LinkKind, const OpticChoice*, LinkKindHash> m_optics;
    std::unordered_map<LinkKind, const Part*, LinkKindHash> m_copper;
    using Bought = std::tuple<const void*, std::uint32_t, std::uint32_t, Metres>;
    std::map<Bought, std::uint32_t> m_numbers;
    const std::pair<const Bought, std::uint32_t>* m_last = nullptr; // in m_numbers
};

} // namespace

void layCables(const Fabric& fabric, OpticChooser& chooser, CagePositions positions, Cabling& cabling) {
    Layer(fabric, chooser, cabling).lay(std::move(positions));
}

} // namespace railyard
