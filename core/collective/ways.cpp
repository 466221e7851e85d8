#include "core/collective/ways.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

// One way being put together.
class Way {
public:
    Way(const GroupLinks& links, const Question& question) : m_links(links), m_tuning(tuningOf(links, question)) {
        m_way.algorithm = question.algorithm;
        m_way.protocol = question.protocol;
        // Where every rank sends straight to every other is how libraries exchange, not how they reduce.
        const bool isDirectReduction =
            question.algorithm == Algorithm::Direct && (question.op == CollectiveOp::AllReduce || question.op == CollectiveOp::AllGather ||
                                                        question.op == CollectiveOp::ReduceScatter);
        m_way.isInLibrary = !isDirectReduction && (links.library ? links.library->has(toText(question.algorithm))
                                                                 : question.algorithm != Algorithm::Hierarchical);
    }
    const Tuning& tuning() const { return m_tuning; }

    // So many bytes over so much of a link.
    void inside(std::string name, std::string formula, double bytes, Bandwidth link, Seconds latency) {
        add({std::move(name), "hb", std::move(formula), bytes, transferTime(bytes, link), {}, latency, m_tuning.hbShare},
            m_tuning.mostInside);
    }
    void between(std::string name, std::string formula, double bytes, Seconds ideal, const std::string& where, double nics,
                 Seconds latency) {
        const Bandwidth speed(ideal.value() > 0 ? bytes * 8 / ideal.value() : 1);
        const double share = m_tuning.shareOf(speed, nics);
        add({std::move(name), where, std::move(formula), bytes, ideal, {}, latency, share}, m_tuning.mostBetween);
    }
    void between(std::string name, std::string formula, double bytes, const GroupLinks::Route& route, double nics, Seconds latency) {
        between(std::move(name), std::move(formula), bytes, transferTime(bytes, route.speed), route.bottleneck, nics, latency);
    }
    // Around the ring of all ranks, or over trees of chains: through HB links and the network, whichever are slower.
    void along(const GroupLinks::Route& route, std::string name, std::string formula, double bytes) {
        const bool several = m_links.domains > 1;
        const bool hbLimits =
            !several || (m_links.largest > 1 && m_links.hb.ring.value() * m_tuning.hbShare <
                                                    route.speed.value() * m_tuning.shareOf(route.speed, m_links.nicsOfDomain));
        if (hbLimits)
            add({std::move(name),
                 "hb",
                 std::move(formula),
                 bytes,
                 transferTime(bytes, m_links.hb.ring),
                 {},
                 m_tuning.latency(),
                 m_tuning.hbShare},
                several ? m_tuning.mostBetween : m_tuning.mostInside);
        else
            between(std::move(name), std::move(formula), bytes, route, m_links.nicsOfDomain, m_tuning.latency());
    }
    // The phases run at once; what of the shorter ones hides behind the longest is not paid for.
    void overlapPhases(double overlap) {
        const auto transfer = [](const CollectivePhase& phase) { return phase.ideal / phase.share; };
        const auto longest = std::max_element(m_way.phases.begin(), m_way.phases.end(),
                                              [&](const auto& a, const auto& b) { return transfer(a) < transfer(b); });
        for (auto phase = m_way.phases.begin(); phase != m_way.phases.end(); ++phase)
            if (phase != longest) phase->exposed = 1 - overlap;
    }
    // The network and what stays inside HB domains: at once, but for what the library does in turn.
    void exchangeAtOnce() {
        if (m_way.phases.size() == 2 && m_tuning.exchangeOverlap < 1) {
            m_way.phases.back().latency = Seconds();
            return overlapPhases(m_tuning.exchangeOverlap);
        }
        keepSlowest();
    }
    void keepSlowest() {
        if (m_way.phases.size() < 2) return;
        const auto slowest =
            std::max_element(m_way.phases.begin(), m_way.phases.end(), [](const auto& a, const auto& b) { return a.time() < b.time(); });
        m_way.phases = {*slowest};
    }
    CollectiveTime done(double hbBytes, double nicBytes) {
        m_way.hbBytes = hbBytes;
        m_way.nicBytes = nicBytes;
        if (m_way.phases.empty()) return m_way;
        CollectivePhase& longest = *std::max_element(m_way.phases.begin(), m_way.phases.end(), [](const auto& a, const auto& b) {
            return std::pair(a.exposed == 1, a.ideal / a.share) < std::pair(b.exposed == 1, b.ideal / b.share);
        });
        const Seconds transfer = longest.ideal / longest.share;
        longest.ramp = m_tuning.ramp + Seconds(std::sqrt(m_tuning.rampGrowth.value() * transfer.value()));
        longest.hidden = hiddenLatency(m_way.latency() + (m_tuning.hidesRamp ? m_tuning.ramp : Seconds()), transfer);
        double hb = 0, nic = 0;
        for (const CollectivePhase& phase : m_way.phases) {
            m_way.time += phase.time();
            (phase.bottleneck == "hb" ? hb : nic) += phase.ideal.value();
        }
        m_way.maxLinkUtilisation = m_way.time.value() > 0 ? std::max(hb, nic) / m_way.time.value() : 0;
        return m_way;
    }

private:
    Seconds hiddenLatency(Seconds latency, Seconds transfer) const {
        const double p = m_tuning.latencyHiding;
        if (p == 1 || latency.value() <= 0 || transfer.value() <= 0) return {};
        const double larger = std::max(latency.value(), transfer.value()), smaller = std::min(latency.value(), transfer.value());
        return Seconds(smaller - larger * (std::pow(1 + std::pow(smaller / larger, p), 1 / p) - 1));
    }
    void add(CollectivePhase phase, const std::optional<Bandwidth>& most) {
        if (phase.ideal.value() <= 0) return;
        if (most) phase.share = std::min(phase.share, *most / Bandwidth(phase.bytes * 8 / phase.ideal.value()));
        m_way.phases.push_back(std::move(phase));
    }

    const GroupLinks& m_links;
    Tuning m_tuning;
    CollectiveTime m_way;
};

class Ways {
public:
    Ways(const GroupLinks& links, CollectiveOp op, double bytes, const Estimate& estimate)
        : m_links(links),
          m_op(op),
          m_bytes(bytes),
          m_n(static_cast<double>(links.ranks)),
          m_x(static_cast<double>(links.largest)),
          m_y(static_cast<double>(links.domains)),
          m_isInside(links.domains < 2),
          m_isTwice(op == CollectiveOp::AllReduce),
          m_estimate(estimate) {}

    void reductions(bool withDirect);
    void exchanges();
    void rings();
    void roots();
    void pointToPoint();
    std::vector<CollectiveTime> all;

private:
    template <class Make>
    void eachProtocol(Algorithm algorithm, const Make& make) {
        for (const Protocol protocol : protocolsOf(m_links, algorithm)) {
            Way way(m_links, {m_op, m_bytes, algorithm, protocol, m_estimate});
            all.push_back(make(way));
        }
    }
    void trees();
    void hierarchical();
    void nvls();
    void directReduction();
    // Data is worth as much again where it goes round twice.
    std::string rounds(const std::string& formula) const { return (m_isTwice ? "2 * " : "") + formula; }

    const GroupLinks& m_links;
    CollectiveOp m_op;
    double m_bytes, m_n, m_x, m_y;
    bool m_isInside, m_isTwice;
    Estimate m_estimate;
};

// x = GPUs of a domain, y = domains, n = x*y, D = size, C_F and C_S = HB and NIC bandwidth of a GPU:
// ring 2(n-1)/n*D/B; all-gather and reduce-scatter half of it.
void Ways::reductions(bool withDirect) {
    const Bandwidth slower = m_isInside            ? m_links.hb.ring
                             : m_links.largest > 1 ? std::min(m_links.hb.ring, m_links.ring.speed)
                                                   : m_links.ring.speed;
    if (slower.value() <= 0) return;
    const double bytes = (m_isTwice ? 2 : 1) * (m_n - 1) / m_n * m_bytes, nic = m_isInside ? 0 : bytes / m_x;
    eachProtocol(Algorithm::Ring, [&](Way& way) {
        way.along(m_links.ring, "ring", rounds("(ranks - 1) / ranks * size_bytes"), bytes);
        return way.done(bytes - nic, nic);
    });
    if (m_isTwice) trees();
    if (!m_isInside && m_links.largest > 1) hierarchical();
    if (m_links.nvlsShare && (m_isInside || (m_isTwice && m_links.tree.speed.value() > 0))) nvls();
    if (withDirect && (m_isInside ? m_links.hb.exchange.value() > 0 : m_links.direct.isPossible)) directReduction();
}

// 2*D/B.
void Ways::trees() {
    if (!m_isInside && m_links.tree.speed.value() <= 0) return;
    eachProtocol(Algorithm::Tree, [&](Way& way) {
        way.along(m_links.tree, "tree", "2 * size_bytes", 2 * m_bytes);
        const double nic = m_isInside ? 0 : 2 * m_bytes / m_x;
        return way.done(2 * m_bytes - nic, nic);
    });
}

// All-reduce 2(x-1)/x*D/C_F + 2(y-1)/y*D/(x*C_S); all-gather (y-1)*D/(x*y*C_S) + (x-1)*D/(x*C_F), where domains differ with
// (n-m)/n*D for the smallest, of m ranks, in place of (y-1)/y*D: what it holds less of it gets more of.
void Ways::hierarchical() {
    const double hb = (m_isTwice ? 2 : 1) * (m_x - 1) / m_x * m_bytes;
    const auto smallest = static_cast<double>(m_links.smallest);
    const double nic = m_isTwice ? 2 * (m_y - 1) / m_y * m_bytes : (m_n - smallest) / m_n * m_bytes; // of a domain
    const std::string formula =
        m_isTwice ? "2 * (domains - 1) / domains * size_bytes" : "(ranks - smallest_domain_gpus) / ranks * size_bytes";
    eachProtocol(Algorithm::Hierarchical, [&](Way& way) {
        const Tuning& tuning = way.tuning();
        way.inside("inside HB domains", rounds("(domain_gpus - 1) / domain_gpus * size_bytes"), hb, m_links.hb.ring,
                   tuning.base + tuning.insideLatency);
        way.between("between HB domains", formula, nic, m_links.ring, m_links.nicsOfDomain, tuning.nicLatency);
        way.overlapPhases(tuning.overlap);
        return way.done(hb, nic / m_x);
    });
}

// HB switches reduce and copy: D passes the links of a GPU once, as NCCL reckons for gathers too. Between domains a tree along the
// rails, 2*D over the NICs of a domain; NCCL pipelines both.
void Ways::nvls() {
    eachProtocol(Algorithm::Nvls, [&](Way& way) {
        const Tuning& tuning = way.tuning();
        way.inside("inside HB domains", "size_bytes", m_bytes, m_links.hb.ring, tuning.base + tuning.insideLatency);
        if (!m_isInside)
            way.between("between HB domains", "2 * size_bytes", 2 * m_bytes, m_links.tree, m_links.nicsOfDomain, tuning.nicLatency);
        way.overlapPhases(1);
        return way.done(m_bytes, m_isInside ? 0 : 2 * m_bytes / m_x);
    });
}

// Every rank sends every other its part, and what it has reduced.
void Ways::directReduction() {
    const double passes = m_isTwice ? 2 : 1, part = m_bytes / m_n;
    const double hb = passes * (m_x - 1) * part,
                 nic = m_isInside ? 0 : passes * static_cast<double>(m_links.ranks - m_links.smallest) * part;
    eachProtocol(Algorithm::Direct, [&](Way& way) {
        if (!m_isInside) {
            const double load = std::max(m_links.direct.nicLoad, m_links.direct.switchLoad);
            const bool switchesLimit = m_links.direct.switchLoad > m_links.direct.nicLoad * (1 + 1e-9);
            way.between("between HB domains", rounds("(ranks - smallest_domain_gpus) * size_bytes / ranks"), nic,
                        Seconds(load * part * 8 * passes), switchesLimit ? m_links.direct.bottleneck : "nic", m_links.nicsOfGpu,
                        way.tuning().latency());
        }
        if (m_x > 1)
            way.inside("inside HB domains", rounds("(domain_gpus - 1) * size_bytes / ranks"), hb, m_links.hb.exchange,
                       way.tuning().latency());
        way.keepSlowest();
        return way.done(hb, nic);
    });
}

// All-to-all, d = D/n bytes a pair: direct x(y-1)*d/C_S; forwarded (PXN) the same + y(x-1)*d/C_F; with several NICs of a domain on
// a rail y(x - x/rails)*d/C_F, because only data for other rails is forwarded.
void Ways::exchanges() {
    const double pair = m_bytes / m_n, bits = pair * 8;
    if (m_isInside) {
        if (m_links.hb.exchange.value() <= 0) return;
        return eachProtocol(Algorithm::Direct, [&](Way& way) {
            way.inside("inside the HB domain", "(ranks - 1) * size_bytes / ranks", (m_n - 1) * pair, m_links.hb.exchange,
                       way.tuning().latency());
            return way.done((m_n - 1) * pair, 0);
        });
    }
    const double across = static_cast<double>(m_links.ranks - m_links.smallest) * pair;
    const auto network = [&](Way& way, const GroupLinks::Exchange& exchange, Seconds latency) {
        const bool switchesLimit = exchange.switchLoad > exchange.nicLoad * (1 + 1e-9);
        way.between("between HB domains", "(ranks - smallest_domain_gpus) * size_bytes / ranks", across,
                    Seconds(std::max(exchange.nicLoad, exchange.switchLoad) * bits), switchesLimit ? exchange.bottleneck : "nic",
                    m_links.nicsOfGpu, latency);
    };
    if (m_links.direct.isPossible)
        eachProtocol(Algorithm::Direct, [&](Way& way) {
            // What stays inside the domain runs beside it on the HB fabric.
            network(way, m_links.direct, way.tuning().latency());
            if (m_links.largest > 1 && m_links.hb.exchange.value() > 0)
                way.inside("inside HB domains", "(domain_gpus - 1) * size_bytes / ranks", (m_x - 1) * pair, m_links.hb.exchange,
                           way.tuning().latency());
            way.exchangeAtOnce();
            return way.done((m_x - 1) * pair, across);
        });
    if (m_links.forwarded.isPossible)
        eachProtocol(Algorithm::Pxn, [&](Way& way) {
            const Tuning& tuning = way.tuning();
            const auto offRail = static_cast<double>(m_links.offRail);
            if (offRail > 0)
                way.inside("forward inside HB domains", "domains * off_rail_gpus * size_bytes / ranks", m_y * offRail * pair,
                           m_links.hb.exchange, tuning.insideLatency);
            network(way, m_links.forwarded, tuning.base + tuning.nicLatency);
            return way.done((m_y * offRail + m_x - 1 - offRail) * pair, across); // with the traffic inside the domain on its own rail
        });
}

// Broadcast and reduce pipeline along the ring.
void Ways::rings() {
    const Bandwidth slower = m_isInside            ? m_links.hb.ring
                             : m_links.largest > 1 ? std::min(m_links.hb.ring, m_links.ring.speed)
                                                   : m_links.ring.speed;
    if (slower.value() <= 0) return;
    eachProtocol(Algorithm::Ring, [&](Way& way) {
        way.along(m_links.ring, "ring", "size_bytes", m_bytes);
        return way.done(m_bytes, m_isInside ? 0 : m_bytes / m_x);
    });
}

// Gather and scatter are limited by the root.
void Ways::roots() {
    const auto x = static_cast<double>(m_links.ofRoot);
    const double outside = (m_n - x) / m_n * m_bytes, local = (x - 1) / m_n * m_bytes;
    const std::string outsideFormula = "(ranks - root_domain_gpus) / ranks * size_bytes",
                      localFormula = "(root_domain_gpus - 1) / ranks * size_bytes";
    if (m_isInside) {
        if (m_links.hb.root.value() <= 0) return;
        return eachProtocol(Algorithm::Direct, [&](Way& way) {
            way.inside("inside the HB domain", localFormula, local, m_links.hb.root, way.tuning().latency());
            return way.done(local, 0);
        });
    }
    const bool isToRoot = m_op == CollectiveOp::Gather;
    const GroupLinks::Route& direct = isToRoot ? m_links.root.toDirect : m_links.root.fromDirect;
    const GroupLinks::Route& forwarded = isToRoot ? m_links.root.toForwarded : m_links.root.fromForwarded;
    const bool isJoined = m_links.ofRoot < 2 || m_links.hb.root.value() > 0; // else all comes over the NICs of the root
    if (m_links.direct.isPossible && direct.speed.value() > 0)
        eachProtocol(Algorithm::Direct, [&](Way& way) {
            way.between("root", isJoined ? outsideFormula : "(ranks - 1) / ranks * size_bytes", isJoined ? outside : outside + local,
                        direct, m_links.root.nicsOfGpu, way.tuning().latency());
            if (m_links.hb.root.value() > 0) way.inside("root", localFormula, local, m_links.hb.root, way.tuning().latency());
            way.keepSlowest();
            return way.done(local, outside);
        });
    if (m_links.forwarded.isPossible && m_links.ofRoot > 1 && forwarded.speed.value() > 0)
        eachProtocol(Algorithm::Pxn, [&](Way& way) {
            const Tuning& tuning = way.tuning();
            const double hb = (x - 1) / x * outside + local;
            way.inside(isToRoot ? "HB domain to the root" : "root to its HB domain",
                       "(root_domain_gpus - 1) / root_domain_gpus * " + outsideFormula + " + " + localFormula, hb, m_links.hb.root,
                       tuning.insideLatency);
            way.between("all NICs of the root's domain", outsideFormula, outside, forwarded, m_links.root.nicsOfDomain,
                        tuning.base + tuning.nicLatency);
            return way.done(hb, outside / x);
        });
}

// Every rank to the next, as nccl-tests' sendrecv: across domains the last GPU of one meets the first of the next.
void Ways::pointToPoint() {
    if (m_isInside) {
        if (m_links.hb.neighbour.value() <= 0) return;
        return eachProtocol(Algorithm::Direct, [&](Way& way) {
            way.inside("inside the HB domain", "size_bytes", m_bytes, m_links.hb.neighbour, way.tuning().latency());
            return way.done(m_bytes, 0);
        });
    }
    if (m_links.largest > 1 && m_links.hb.neighbour.value() <= 0) return; // next to each other, and no HB link between
    if (m_links.next.speed.value() > 0)
        eachProtocol(Algorithm::Direct, [&](Way& way) {
            way.between("between HB domains", "size_bytes", m_bytes, m_links.next, m_links.nicsOfGpu, way.tuning().latency());
            return way.done(0, m_bytes);
        });
    if (m_links.forwarded.isPossible && m_links.largest > 1 && m_links.nextForwarded.speed.value() > 0)
        eachProtocol(Algorithm::Pxn, [&](Way& way) {
            const Tuning& tuning = way.tuning();
            way.inside("forward inside the HB domain", "size_bytes", m_bytes, m_links.hb.neighbour, tuning.insideLatency);
            way.between("between HB domains", "size_bytes", m_bytes, m_links.nextForwarded, m_links.nicsOfGpu,
                        tuning.base + tuning.nicLatency);
            return way.done(m_bytes, m_bytes);
        });
}

} // namespace

std::vector<CollectiveTime> waysOf(const GroupLinks& links, CollectiveOp op, double bytes, const Estimate& estimate,
                                   bool withDirectReductions) {
    Ways ways(links, op, bytes, estimate);
    switch (op) {
    case CollectiveOp::AllReduce:
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter: ways.reductions(withDirectReductions); break;
    case CollectiveOp::AllToAll: ways.exchanges(); break;
    case CollectiveOp::PointToPoint: ways.pointToPoint(); break;
    case CollectiveOp::Broadcast:
    case CollectiveOp::Reduce: ways.rings(); break;
    case CollectiveOp::Gather:
    case CollectiveOp::Scatter: ways.roots(); break;
    }
    return std::move(ways.all);
}

} // namespace railyard
