#include "core/collective/lower_bound.h"

#include <algorithm>

namespace railyard {
namespace {

class LowerBound {
public:
    LowerBound(const CommunicatorLinks& links, double bytes)
        : m_links(links),
          m_bytes(bytes),
          m_n(static_cast<double>(links.ranks)),
          m_hasNetwork(links.domains > 1) {}

    Seconds timeOf(CollectiveOp op) {
        switch (op) {
        case CollectiveOp::AllReduce: allReduce(); break;
        case CollectiveOp::AllGather:
        case CollectiveOp::ReduceScatter: eachDomain([&](double m) { return (m_n - m) / m_n; }, (m_n - 1) / m_n); break;
        case CollectiveOp::AllToAll:
            eachDomain([&](double m) { return m * (m_n - m) / m_n; }, (m_n - 1) / m_n);
            m_bound = std::max(m_bound, Seconds(m_links.busiestCut() * m_bytes / m_n * 8));
            break;
        case CollectiveOp::Gather:
        case CollectiveOp::Scatter: rooted(); break;
        case CollectiveOp::PointToPoint:
            if (m_hasNetwork) return raise(m_bytes, m_links.nicOfDomain), m_bound; // one GPU may use all NICs of its domain
            raise(m_bytes, m_links.leastGpu);
            break;
        default: eachDomain([](double) { return 1.0; }, 0); raise(m_bytes, m_links.leastGpu);
        }
        return m_bound;
    }

private:
    void raise(double bytes, Bandwidth capacity) {
        if (capacity.value() > 0) m_bound = std::max(m_bound, transferTime(bytes, capacity));
    }
    // `outside(m)`: share of the message that enters or leaves a domain of m ranks; `ofGpu`: that each of its GPUs receives.
    template <class Outside>
    void eachDomain(const Outside& outside, double ofGpu) {
        for (const CommunicatorLinks::DomainCapacity& domain : m_links.domainCapacities) {
            const auto m = static_cast<double>(domain.gpus);
            if (m_hasNetwork) raise(outside(m) * m_bytes, domain.nics);
            raise(m * ofGpu * m_bytes, domain.hb + domain.nics);
        }
    }
    // Every element is reduced over all ranks and comes back to all: n - 1 transfers each, y - 1 of them between domains.
    void allReduce() {
        Bandwidth nics, all;
        for (const CommunicatorLinks::DomainCapacity& domain : m_links.domainCapacities) {
            nics += domain.nics * static_cast<double>(domain.count);
            all += (domain.nics + domain.hb) * static_cast<double>(domain.count);
        }
        eachDomain([](double) { return 1.0; }, 1);
        if (m_hasNetwork) raise(2 * static_cast<double>(m_links.domains - 1) * m_bytes, nics);
        if (!m_links.nvlsShare) raise(2 * (m_n - 1) * m_bytes, all);
    }
    // A root alone may use all of a NIC that it shares.
    void rooted() {
        const auto ofRoot = static_cast<double>(m_links.ofRoot);
        if (m_hasNetwork) raise((m_n - ofRoot) / m_n * m_bytes, m_links.root.nicOfDomain);
        raise((m_n - 1) / m_n * m_bytes,
              m_links.root.hb + (m_hasNetwork ? m_links.root.nicOfDomain : m_links.domainCapacities.front().nics));
    }

    const CommunicatorLinks& m_links;
    double m_bytes, m_n;
    bool m_hasNetwork;
    Seconds m_bound;
};

} // namespace

Seconds lowerBoundOf(const CommunicatorLinks& links, CollectiveOp op, double bytes) {
    constexpr double rounding = 1e-12; // capacities are sums in another order than those behind times
    return links.ranks < 2 ? Seconds() : LowerBound(links, bytes).timeOf(op) * (1 - rounding);
}

} // namespace railyard
