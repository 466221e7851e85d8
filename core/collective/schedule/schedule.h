// The steps of a collective as an animated drawing shows them, as its algorithm describes them: who sends how much to whom is left to
// steps.h, which knows the GPUs.
#pragma once

#include "core/collective/operation/operation.h"

namespace railyard {

struct CollectiveStep {
    std::string name; // all-gather inside HB domains
    std::string what; // a sentence fragment that describes the traffic
    Seconds start, duration;
};

// Who sends to whom; several plans can be concurrent in a step.
struct StepPlan {
    enum class Shape { Inside, Around, Between, TreesUp, TreesDown, Forward, Rounds, ToRoot, FromRoot, Neighbours, Ahead, Behind };
    Shape shape = Shape::Inside;
    double bytes = 0;                 // per GPU, domain or pair, or the whole message, depending on the shape
    std::size_t first = 0, every = 1; // for Rounds: distances between domains; for Ahead and Behind `first`: between ranks
};

class Schedule {
public:
    using Shape = StepPlan::Shape;
    Schedule(const CollectiveResult& result, std::size_t gpus, std::size_t domains) : m_result(result), m_gpus(gpus), m_domains(domains) {}

    const CollectiveResult& result() const { return m_result; }
    double size() const { return static_cast<double>(m_result.size.count()); }
    bool scatters() const { return m_result.op != CollectiveOp::AllGather; }    // of a reduction: its first half
    bool gathers() const { return m_result.op != CollectiveOp::ReduceScatter; } // its second
    double passes() const { return scatters() && gathers() ? 2 : 1; }

    void add(std::string name, std::string what, Seconds duration, std::vector<StepPlan> plans);
    // Up two trees and down again, with this share of the message; `beside` runs at the same time.
    std::vector<StepPlan> alongTrees(Shape direction, double bytes) const;
    void addTrees(double share, Seconds duration, const std::vector<StepPlan>& concurrentSteps = {});
    // Every domain to every other, by their distance; several distances at a time where there are many. What stays inside runs beside them.
    void addRounds(double bytesOfPair, Seconds duration);
    // Inside HB domains, between them, inside: what of a phase hides behind the other runs beside it.
    void addPhases();

    static bool isTooMany(std::size_t gpus); // pairs to be followed one by one

    std::vector<CollectiveStep> steps;
    std::vector<std::vector<StepPlan>> plans; // parallel to `steps`

private:
    const CollectiveResult& m_result;
    std::size_t m_gpus, m_domains;
};

} // namespace railyard
