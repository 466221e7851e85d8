#include "core/reliability/monte_carlo.h"

#include "core/base/parameter.h"
#include "core/reliability/lifetime_draw.h"
#include "core/reliability/server_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace railyard {
namespace {

constexpr double secondsPerYear = 8760 * 3600.0;
constexpr double z99 = 2.5758293035489004; // of a normal distribution: 99 % lie within

struct Trial {
    std::int64_t interruptions = 0;
    double useful = 0, waiting = 0; // s
    std::array<std::int64_t, partKindNames.size()> spares{};
};

// Servers that fail more often than others, and servers that compute more slowly: drawn anew in every trial.
class ServerTraits {
public:
    ServerTraits(const Operation& operation, const ReliabilityRequest& request)
        : m_servers(operation.groupOf.size()),
          m_lemonCount(countOf(request.lemonShare)),
          m_slowCount(countOf(request.slowShare)),
          m_slowRatio(request.slowRatio) {}

    void draw(RandomNumbers& random) {
        drawLemons(random);
        m_slow.clear();
        while (m_slow.size() < m_slowCount) {
            const auto server = static_cast<std::uint32_t>(random.fraction() * static_cast<double>(m_servers));
            if (std::find(m_slow.begin(), m_slow.end(), server) == m_slow.end()) m_slow.push_back(server);
        }
    }
    std::size_t lemonCount() const { return m_lemonCount; }
    const std::vector<std::uint32_t>& lemons() const { return m_lemons; }
    bool isLemon(std::uint32_t server) const { return m_isLemon[server]; }
    // Work per time of the servers that the job uses; those that it uses change only while it waits.
    double paceOf(const ServerPool& pool) const {
        const bool isSlow = std::any_of(m_slow.begin(), m_slow.end(), [&](std::uint32_t server) { return pool.isUsed(server); });
        return isSlow ? 1 / m_slowRatio : 1;
    }

private:
    std::size_t countOf(double share) const { return static_cast<std::size_t>(std::llround(share * static_cast<double>(m_servers))); }
    // Spread evenly from a random one on, so that no leaf has all of them.
    void drawLemons(RandomNumbers& random) {
        m_lemons.clear();
        m_isLemon.assign(m_lemonCount > 0 ? m_servers : 0, false);
        const auto offset = m_lemonCount > 0 ? static_cast<std::size_t>(random.fraction() * static_cast<double>(m_servers)) : 0;
        for (std::size_t k = 0; k < m_lemonCount; ++k) {
            const std::size_t server = (offset + k * m_servers / m_lemonCount) % m_servers;
            m_isLemon[server] = true;
            m_lemons.push_back(static_cast<std::uint32_t>(server));
        }
    }

    const std::size_t m_servers, m_lemonCount, m_slowCount;
    const double m_slowRatio;
    std::vector<std::uint32_t> m_lemons, m_slow;
    std::vector<bool> m_isLemon;
};

// The work that no restart repeats, in time of servers that are not slow.
class Work {
public:
    Work(const ReliabilityRequest& request, Seconds interval)
        : m_interval(interval.value()),
          m_write(request.checkpoint.write.value()),
          m_peers(request.peerCopies) {}

    void start() { m_useful = 0; }
    double useful() const { return m_useful; }
    // The job ran for this time. Work since the last checkpoint is lost, but not at the end of the horizon.
    void closeRun(double ran, double pace, bool losesPeers, bool isEnd) {
        if (m_peers.isOn())
            closeWithCopies(std::max(0.0, ran), pace, losesPeers, isEnd);
        else if (ran > 0)
            m_useful += stored(ran, isEnd) * pace;
    }

private:
    // Work is counted from the start, and copies are made at whole multiples of their intervals of work. The last copy at a peer is taken,
    // unless the server that holds it failed too; then all work since the last checkpoint in storage is repeated, of earlier runs too.
    void closeWithCopies(double ran, double pace, bool losesPeers, bool isEnd) {
        const double write = m_interval > 0 ? m_write / m_interval : 0;
        const double reached = m_useful + ran * pace / (1 + (write + m_peers.write / m_peers.interval) * pace);
        const double inStorage = m_interval > 0 ? std::floor(reached / m_interval) * m_interval : reached;
        const double atPeer = std::floor(reached / m_peers.interval.value()) * m_peers.interval.value();
        m_useful = isEnd ? reached : losesPeers ? inStorage : std::max(inStorage, atPeer);
    }
    double stored(double ran, bool isEnd) const {
        if (m_interval <= 0) return ran; // checkpoints that cost nothing are always there
        const double cycle = m_interval + m_write, whole = std::floor(ran / cycle);
        return whole * m_interval + (isEnd ? std::min(ran - whole * cycle, m_interval) : 0);
    }

    const double m_interval, m_write;
    const PeerCopies m_peers;
    double m_useful = 0;
};

class Simulator {
public:
    Simulator(const Operation& operation, const ReliabilityRequest& request, Seconds interval)
        : m_operation(operation),
          m_request(request),
          m_end(request.horizon.value()),
          m_traits(operation, request),
          m_work(request, interval),
          m_pool(operation) {
        const bool hasLemons = m_traits.lemonCount() > 0;
        for (const Operation::Kind& kind : operation.kinds) {
            m_streams.push_back({&kind, LifetimeDraw(request.lifetimes, secondsPerYear / kind.perYear), kind.units, false});
            if (kind.isOfServer && hasLemons && request.lemonMultiple > 0)
                m_streams.push_back(
                    {&kind, LifetimeDraw(request.lifetimes, secondsPerYear / (kind.perYear * request.lemonMultiple)), 0, true});
        }
        for (std::size_t s = 0; s < m_streams.size(); ++s)
            if (hasLemons && m_streams[s].kind->isOfServer) m_streams[s].unitsOf = unitsByServer(*m_streams[s].kind);
    }

    Trial run(std::uint64_t seed, std::uint64_t number) {
        RandomNumbers random(mixedBits(seed) ^ mixedBits(number * randomStep + 1));
        start(random);
        while (!m_events.empty() && m_events.top().at < m_end) {
            const Event event = m_events.top();
            m_events.pop();
            switch (event.what) {
            case What::First: failFirst(event.at, event.index, random); break;
            case What::Again: fail(event.at, event.index, event.unit, random); break;
            case What::Repaired: repaired(event.at, event.index, event.unit, random); break;
            }
        }
        if (isComplete())
            closeRun(m_end, true);
        else
            m_trial.waiting += m_end - m_since;
        m_trial.useful = m_work.useful();
        return m_trial;
    }

private:
    enum class What : std::uint8_t { First, Again, Repaired };
    struct Event {
        double at;
        std::uint64_t order; // of equal times: as they were made
        What what;
        std::uint32_t index, unit;                                                                                   // of a stream
        bool operator<(const Event& other) const { return std::pair(at, order) > std::pair(other.at, other.order); } // earliest on top
    };
    struct Stream { // units of a kind with the same lifetimes
        const Operation::Kind* kind;
        LifetimeDraw lifetimes;
        std::size_t units;
        bool isOfLemons;
        std::vector<std::vector<std::uint32_t>> unitsOf = {}; // by server; only with lemons
        double survival = 1;                                  // of the units that have not failed yet
        std::size_t left = 0;
        std::vector<std::uint32_t> failed = {}; // no unit fails first twice; with a constant hazard that makes no difference
    };

    bool isExponential() const { return m_request.lifetimes.kind == Lifetimes::Kind::Exponential; }
    std::vector<std::vector<std::uint32_t>> unitsByServer(const Operation::Kind& kind) const {
        std::vector<std::vector<std::uint32_t>> units(m_operation.groupOf.size());
        for (std::uint32_t u = 0; u < kind.units; ++u) units[kind.serversOf[kind.first[u]]].push_back(u);
        return units;
    }

    void start(RandomNumbers& random) {
        const std::size_t servers = m_operation.groupOf.size();
        m_trial = {};
        m_repairs.assign(m_request.retireAfter > 0 ? servers : 0, 0);
        m_pool.start();
        m_events = {};
        m_order = 0;
        m_blocks = 0;
        m_since = m_resumes = m_stalled = m_stallEnd = 0;
        m_isWaiting = false;
        m_extraRestarts = 0;
        m_work.start();
        m_traits.draw(random);
        m_pace = m_traits.paceOf(m_pool);
        for (std::uint32_t s = 0; s < m_streams.size(); ++s) {
            Stream& stream = m_streams[s];
            stream.survival = 1;
            stream.failed.clear();
            stream.left = stream.units;
            if (!stream.unitsOf.empty()) {
                std::size_t ofLemons = 0;
                for (const std::uint32_t server : m_traits.lemons()) ofLemons += stream.unitsOf[server].size();
                stream.left = stream.isOfLemons ? ofLemons : stream.kind->units - ofLemons;
            }
            next(0, s, random);
        }
    }
    void push(double at, What what, std::uint32_t index, std::uint32_t unit) {
        if (at < m_end) m_events.push({at, m_order++, what, index, unit});
    }

    // The next of the first failures. With a constant hazard a unit is as new after each, so that all of them are drawn so.
    void next(double now, std::uint32_t s, RandomNumbers& random) {
        Stream& stream = m_streams[s];
        if (stream.left == 0) return;
        const double draw = 1 - random.fraction(); // not 0
        if (isExponential()) return push(now + stream.lifetimes.at(draw) / static_cast<double>(stream.left), What::First, s, 0);
        stream.survival *= std::pow(draw, 1 / static_cast<double>(stream.left));
        --stream.left;
        push(stream.lifetimes.at(stream.survival), What::First, s, 0);
    }
    std::uint32_t drawUnit(const Stream& stream, RandomNumbers& random) const {
        const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random.fraction() * static_cast<double>(count)); };
        if (stream.unitsOf.empty()) return static_cast<std::uint32_t>(below(stream.kind->units));
        if (!stream.isOfLemons)
            while (true) {
                const auto unit = static_cast<std::uint32_t>(below(stream.kind->units));
                if (!m_traits.isLemon(stream.kind->serversOf[stream.kind->first[unit]])) return unit;
            }
        std::size_t most = 0;
        for (const std::uint32_t server : m_traits.lemons()) most = std::max(most, stream.unitsOf[server].size());
        while (true) { // servers may hold different numbers of units
            const auto& units = stream.unitsOf[m_traits.lemons()[below(m_traits.lemons().size())]];
            const std::size_t at = below(most);
            if (at < units.size()) return units[at];
        }
    }
    void failFirst(double now, std::uint32_t s, RandomNumbers& random) {
        Stream& stream = m_streams[s];
        std::uint32_t unit = drawUnit(stream, random);
        while (std::find(stream.failed.begin(), stream.failed.end(), unit) != stream.failed.end()) unit = drawUnit(stream, random);
        if (!isExponential()) stream.failed.push_back(unit);
        fail(now, s, unit, random);
        next(now, s, random);
    }

    void fail(double now, std::uint32_t s, std::uint32_t unit, RandomNumbers& random) {
        const Operation::Kind& kind = *m_streams[s].kind;
        const auto begin = kind.serversOf.begin() + kind.first[unit], end = kind.serversOf.begin() + kind.first[std::size_t{unit} + 1];
        const bool isOfOneServer = kind.effect == Operation::Effect::Servers && end - begin == 1;
        if (isOfOneServer && m_pool.isDown(*begin)) return renew(now, s, unit, random); // nothing fails in a server that is down
        if (kind.isReplaced) ++m_trial.spares[static_cast<std::size_t>(kind.kind)];
        switch (kind.effect) {
        case Operation::Effect::Servers: {
            bool isHit = false;
            for (auto server = begin; server != end; ++server) isHit = m_pool.takeDown(*server) || isHit;
            if (isHit) {
                m_losesPeers = m_request.peerCopies.isOn() && takesPeers(begin, end);
                interrupt(now);
                while (m_isOfNewWait && m_request.misdiagnosis > 0 && random.fraction() < m_request.misdiagnosis)
                    ++m_extraRestarts, ++m_trial.interruptions;
                m_losesPeers = false;
            }
            break;
        }
        case Operation::Effect::Blocks:
            interrupt(now);
            ++m_blocks;
            break;
        case Operation::Effect::Interrupts:
            if (begin == end || m_pool.isUsed(*begin)) interrupt(now);
            renew(now, s, unit, random);
            break;
        case Operation::Effect::Stalls:
            if (isComplete() && now >= m_resumes) stall(now);
            renew(now, s, unit, random);
            break;
        }
        if (kind.effect <= Operation::Effect::Blocks) push(now + repairTime(kind, random), What::Repaired, s, unit);
        settle(now);
    }
    double repairTime(const Operation::Kind& kind, RandomNumbers& random) const {
        if (!kind.isOfServer || m_request.autoRepairShare <= 0) return kind.repair.value();
        const bool isDone = random.fraction() < m_request.autoRepairShare;
        return m_request.autoRepair.value() + (isDone ? 0 : kind.repair.value());
    }
    // A server and the one that holds its copy.
    template <class Iterator>
    bool takesPeers(Iterator begin, Iterator end) const {
        const std::size_t servers = m_operation.groupOf.size();
        return servers < 2 || std::any_of(begin, end, [&](std::uint32_t server) {
                   return std::find(begin, end, static_cast<std::uint32_t>((server + servers / 2) % servers)) != end;
               });
    }
    void renew(double now, std::uint32_t s, std::uint32_t unit, RandomNumbers& random) {
        if (!isExponential()) push(now + m_streams[s].lifetimes.draw(random), What::Again, s, unit);
    }
    void repaired(double now, std::uint32_t s, std::uint32_t unit, RandomNumbers& random) {
        const Operation::Kind& kind = *m_streams[s].kind;
        if (m_request.repairSuccess < 1 && random.fraction() >= m_request.repairSuccess)
            return push(now + repairTime(kind, random), What::Repaired, s, unit);
        if (kind.effect == Operation::Effect::Blocks)
            --m_blocks;
        else
            for (std::size_t at = kind.first[unit]; at < kind.first[std::size_t{unit} + 1]; ++at) {
                const std::uint32_t server = kind.serversOf[at];
                if (!m_repairs.empty() && kind.isOfServer && ++m_repairs[server] >= m_request.retireAfter) continue; // retired
                m_pool.bringUp(server);
            }
        renew(now, s, unit, random);
        settle(now);
    }

    void settle(double now) {
        m_pool.fill();
        if (!m_isWaiting || !isComplete()) return;
        m_trial.waiting += now - m_since;
        m_isWaiting = false;
        m_resumes = now + m_request.checkpoint.restart.value() * (1 + m_extraRestarts);
        m_extraRestarts = 0;
        m_stalled = m_stallEnd = 0;
        m_pace = m_traits.paceOf(m_pool);
    }
    bool isComplete() const { return m_pool.isComplete() && m_blocks == 0; }
    void interrupt(double now) {
        m_isOfNewWait = !m_isWaiting;
        if (m_isWaiting) return;
        closeRun(now, false);
        ++m_trial.interruptions;
        m_since = now;
        m_isWaiting = true;
    }
    // A second of two recoveries at once is one second.
    void stall(double now) {
        const double end = now + m_request.recovery.value();
        m_stalled += std::max(0.0, end - std::max(now, m_stallEnd));
        m_stallEnd = std::max(m_stallEnd, end);
    }
    void closeRun(double now, bool isEnd) {
        const double stalled = m_stalled - std::max(0.0, m_stallEnd - now); // the last one may not have ended
        m_work.closeRun(now - m_resumes - stalled, m_pace, m_losesPeers, isEnd);
    }

    const Operation& m_operation;
    const ReliabilityRequest& m_request;
    const double m_end;
    ServerTraits m_traits;
    Work m_work;
    std::vector<Stream> m_streams;
    std::priority_queue<Event> m_events;
    std::uint64_t m_order = 0;
    Trial m_trial;
    ServerPool m_pool;
    std::vector<std::int64_t> m_repairs;
    std::int64_t m_blocks = 0;
    double m_since = 0, m_resumes = 0;    // when the job began to wait; goes on
    double m_stalled = 0, m_stallEnd = 0; // what recoveries took since; when the last one ends
    bool m_isWaiting = false;
    bool m_isOfNewWait = false, m_losesPeers = false; // of the failure at hand
    int m_extraRestarts = 0;                          // that keep the failed server
    double m_pace = 1;
};

Simulated meanOf(double sum, double squares, std::int64_t count) {
    const auto n = static_cast<double>(count);
    const double mean = sum / n, variance = count > 1 ? std::max(0.0, (squares - n * mean * mean) / (n - 1)) : 0;
    const double half = z99 * std::sqrt(variance / n);
    return {mean, mean - half, mean + half};
}
// Of a value that all trials have, or the only one has: they show nothing of how it varies.
bool isOneValue(const Simulated& mean) { return mean.low == mean.high; }

// Wilson, JASA 1927: stays within 0 and 1, and is no point where all trials agree.
Simulated shareOf(std::int64_t hits, std::int64_t count) {
    const auto n = static_cast<double>(count);
    const double p = static_cast<double>(hits) / n, z2 = z99 * z99;
    const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    const double half = z99 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    // Exact at the ends, where rounding would leave them out.
    return {p, hits == 0 ? 0 : std::max(0.0, centre - half), hits == count ? 1 : std::min(1.0, centre + half)};
}

struct Sums {
    std::int64_t trials = 0, hits = 0;
    std::array<double, 4> sum{}, squares{}; // interruptions, ETTR, waiting, overhead
    std::array<double, partKindNames.size()> spares{};

    void add(const Trial& trial, double horizon) {
        ++trials;
        hits += trial.interruptions > 0 ? 1 : 0;
        const double ettr = trial.useful / horizon, waiting = trial.waiting / horizon;
        const std::array<double, 4> values{static_cast<double>(trial.interruptions), ettr, waiting, 1 - ettr - waiting};
        for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i], squares[i] += values[i] * values[i];
        for (std::size_t k = 0; k < spares.size(); ++k) spares[k] += static_cast<double>(trial.spares[k]);
    }
    Simulated estimate(std::size_t of) const { return meanOf(sum[of], squares[of], trials); }
    Simulated share(std::size_t of) const {
        Simulated found = estimate(of);
        if (isOneValue(found)) {
            const double others = shareOf(0, trials).high; // of trials that may have any other value
            found.low = found.mean * (1 - others);
            found.high = found.mean + (1 - found.mean) * others;
        }
        found.low = std::max(found.low, 0.0);
        found.high = std::min(found.high, 1.0);
        return found;
    }
    Simulated interruptions() const {
        Simulated found = estimate(0);
        const auto n = static_cast<double>(trials);
        if (isOneValue(found)) { // as a Poisson count varies; of none, the most that leaves none in half of the 1 % outside
            const double half = z99 * std::sqrt(found.mean / n);
            found.low = found.mean - half;
            found.high = found.mean > 0 ? found.mean + half : -std::log(0.005) / n;
        }
        found.low = std::max(found.low, 0.0);
        return found;
    }
    bool isExact() const { // within ± 1 %
        const Simulated ettr = estimate(1), share = shareOf(hits, trials);
        return ettr.high - ettr.mean <= 0.01 * ettr.mean && share.high - share.low <= 0.02;
    }
};

} // namespace

Result<std::int64_t> trialsFrom(const std::string& text) {
    if (text == "auto") return std::int64_t{0};
    const ParameterInfo trials{.key = "monte_carlo",
                               .label = "Trials",
                               .help = "trials of the simulation",
                               .low = 1,
                               .high = static_cast<double>(MonteCarloRequest::most)};
    if (const std::string wrong = trials.problemOf(text); !wrong.empty()) return Error::usage(wrong + ", or auto");
    return std::int64_t{std::stoll(text)};
}

MonteCarlo simulate(const Operation& operation, const ReliabilityRequest& request, Seconds interval, const MonteCarloRequest& how,
                    const TaskContext& context) {
    constexpr std::int64_t chunk = 64, round = 1024, mostOfAuto = 1 << 20;
    const std::int64_t all = how.trials > 0 ? how.trials : mostOfAuto;
    Sums sums;
    MonteCarlo result;
    result.seed = how.seed;
    while (sums.trials < all && result.isComplete) {
        const std::int64_t first = sums.trials, count = how.trials > 0 ? all : std::min(all - first, round);
        const auto chunks = static_cast<std::size_t>((count + chunk - 1) / chunk);
        const auto pieces = runTasks<std::vector<Trial>>(chunks, context, [&](std::size_t piece) {
            Simulator simulator(operation, request, interval);
            std::vector<Trial> trials;
            const std::int64_t from = static_cast<std::int64_t>(piece) * chunk, to = std::min(count, from + chunk);
            for (std::int64_t trial = from; trial < to && !context.stop.stop_requested(); ++trial)
                trials.push_back(simulator.run(how.seed, static_cast<std::uint64_t>(first + trial)));
            return trials;
        });
        for (const auto& piece : pieces) {
            result.isComplete = result.isComplete && piece && !context.stop.stop_requested();
            if (piece)
                for (const Trial& trial : *piece) sums.add(trial, request.horizon.value());
        }
        if (how.trials == 0 && sums.isExact()) break;
    }
    result.trials = sums.trials;
    if (sums.trials == 0) return result;
    result.interruptProbability = shareOf(sums.hits, sums.trials);
    result.interruptions = sums.interruptions();
    result.ettr = sums.share(1);
    result.waiting = sums.share(2);
    result.overhead = sums.share(3);
    for (std::size_t k = 0; k < sums.spares.size(); ++k)
        if (sums.spares[k] > 0) result.sparesUsed[static_cast<PartKind>(k)] = sums.spares[k] / static_cast<double>(sums.trials);
    return result;
}

} // namespace railyard
