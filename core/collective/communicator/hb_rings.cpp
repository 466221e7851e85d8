#include "core/collective/communicator/hb_rings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace railyard {
namespace {

using Ring = HbRing;

// Each ring starts at member 0 and visits all others; rings are found in the order of their members, so that no set of them is
// tried twice.
class RingSearch {
public:
    RingSearch(std::vector<std::vector<int>> links, bool bothWays)
        : m_links(std::move(links)),
          m_bothWays(bothWays),
          m_visited(m_links.size()) {
        m_most = std::numeric_limits<int>::max();
        for (std::size_t i = 0; i < m_links.size(); ++i) {
            int out = 0, in = 0;
            for (std::size_t j = 0; j < m_links.size(); ++j) out += m_links[i][j], in += m_links[j][i];
            m_most = std::min({m_most, bothWays ? out / 2 : out, bothWays ? in / 2 : in});
        }
    }
    std::vector<Ring> find() {
        nextRing();
        return m_best;
    }

private:
    bool isDone() const { return static_cast<int>(m_best.size()) >= m_most || m_steps > 300'000; }
    void nextRing() {
        if (m_rings.size() > m_best.size()) m_best = m_rings;
        if (isDone()) return;
        m_visited.assign(m_links.size(), false);
        m_visited[0] = true;
        visit({0});
    }
    void visit(Ring ring) {
        ++m_steps;
        const std::size_t last = ring.back();
        if (ring.size() == m_links.size()) {
            if (m_links[last][0] == 0 || (!m_rings.empty() && ring < m_rings.back())) return;
            take(ring, -1);
            m_rings.push_back(ring);
            const std::vector<bool> visited = m_visited;
            nextRing();
            m_visited = visited;
            m_rings.pop_back();
            take(ring, 1);
            return;
        }
        for (std::size_t next = 1; next < m_links.size() && !isDone(); ++next) {
            if (m_visited[next] || m_links[last][next] == 0) continue;
            m_visited[next] = true;
            ring.push_back(next);
            visit(ring);
            ring.pop_back();
            m_visited[next] = false;
        }
    }
    void take(const Ring& ring, int by) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const std::size_t from = ring[i], to = ring[(i + 1) % ring.size()];
            m_links[from][to] += by;
            if (m_bothWays) m_links[to][from] += by;
        }
    }

    std::vector<std::vector<int>> m_links;
    const bool m_bothWays;
    std::vector<bool> m_visited;
    std::vector<Ring> m_rings, m_best;
    int m_most = 0;
    std::int64_t m_steps = 0;
};

} // namespace

bool isComplete(const std::vector<std::vector<std::int64_t>>& speeds) {
    for (std::size_t i = 0; i < speeds.size(); ++i)
        for (std::size_t j = 0; j < speeds.size(); ++j)
            if (i != j && (speeds[i][j] != speeds[0][1] || speeds[0][1] == 0)) return false;
    return true;
}

LinkUnits linkUnitsOf(const std::vector<std::vector<std::int64_t>>& speeds) {
    LinkUnits units{0, std::vector<std::vector<int>>(speeds.size(), std::vector<int>(speeds.size()))};
    for (const auto& row : speeds)
        for (const std::int64_t speed : row) units.speed = std::gcd(units.speed, speed);
    for (std::size_t i = 0; units.speed > 0 && i < speeds.size(); ++i)
        for (std::size_t j = 0; j < speeds.size(); ++j)
            units.links[i][j] = static_cast<int>(std::min<std::int64_t>(speeds[i][j] / units.speed, 1024));
    return units;
}

int ringsSideBySide(std::vector<std::vector<int>> links) {
    return links.size() < 2 ? 0 : static_cast<int>(RingSearch(std::move(links), false).find().size());
}

std::vector<HbRing> ringsBothWays(std::vector<std::vector<int>> links) {
    return links.size() < 3 ? std::vector<HbRing>() : RingSearch(std::move(links), true).find();
}

std::vector<std::vector<std::int64_t>> directSpeeds(const Fabric& fabric, const std::vector<DeviceId>& gpus,
                                                    const std::vector<LinkId>& hb) {
    std::vector<std::vector<std::int64_t>> speeds(gpus.size(), std::vector<std::int64_t>(gpus.size()));
    const auto place = [&](DeviceId gpu) { return static_cast<std::size_t>(std::find(gpus.begin(), gpus.end(), gpu) - gpus.begin()); };
    for (const LinkId l : hb) {
        const std::size_t a = place(fabric.links.a[l]), b = place(fabric.links.b[l]);
        if (a == gpus.size() || b == gpus.size()) continue;
        const auto speed = static_cast<std::int64_t>(std::llround(fabric.speedOf(l).value()));
        speeds[a][b] += speed;
        speeds[b][a] += speed;
    }
    return speeds;
}

} // namespace railyard
