#include "core/analysis/curves/training_curves.h"

#include "core/collective/collective.h"
#include "core/design/model/limits.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace railyard {
namespace {

class Curve {
public:
    Curve(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, const TrainingCalibration& calibration)
        : m_fabric(fabric),
          m_placed(placed),
          m_plan(plan),
          m_calibration(calibration) {}

    void overGpus() {
        const std::int64_t replicas = m_placed.job.by(Parallel::Data);
        std::vector<std::int64_t> degrees{replicas};
        while (degrees.back() % 2 == 0) degrees.push_back(degrees.back() / 2);
        std::reverse(degrees.begin(), degrees.end());
        for (const std::int64_t degree : degrees) {
            PlacedJob fewer = m_placed;
            fewer.job.degrees[static_cast<std::size_t>(Parallel::Data)] = degree;
            // A job may need more GPUs than there are: then all of them stay, and the point says so.
            const auto needed = static_cast<std::size_t>(fewer.job.gpus());
            if (needed < fewer.gpus.size()) fewer.gpus.resize(needed);
            add(static_cast<double>(fewer.job.gpus()), std::move(fewer));
        }
    }
    void overBatch() {
        constexpr double most = 9e18; // that can be counted
        for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
            const double batch = factor * static_cast<double>(m_placed.job.globalBatch);
            if (batch > most) break;
            PlacedJob other = m_placed;
            other.job.globalBatch = factor == 1 ? m_placed.job.globalBatch : static_cast<std::int64_t>(batch);
            if (other.job.globalBatch >= 1) add(static_cast<double>(other.job.globalBatch), std::move(other));
        }
    }
    void overSpeed(bool isOfHb) {
        for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0})
            m_points.emplace_back([=, this] {
                const auto other = atSpeeds(m_fabric, isOfHb ? 1 : factor, isOfHb ? factor : 1);
                return other ? estimated(factor, *other, m_placed) : TrainingPoint{factor, std::nullopt, other.error().text};
            });
    }
    Status overHbDomains() {
        const Design& design = *m_fabric.design;
        if (!design.recipe || m_fabric.intact)
            return Error::unbuildable("HB domains of other sizes are built from a recipe, and this design is hand-drawn or has failures");
        const auto settings = resolve(*design.recipe, *design.catalog);
        if (!settings) return settings.errors();
        std::vector<std::int64_t> sizes;
        for (std::int64_t size = settings->gpusPerServer; size < settings->gpus(); size *= 2)
            if (settings->gpus() % size == 0) sizes.push_back(size);
        sizes.insert(sizes.end(), {settings->hbDomainGpus, settings->gpus()});
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        for (const std::int64_t size : sizes) {
            RecipeCall call = *design.recipe;
            call.parameters["hb_domain_gpus"] = std::to_string(size);
            m_points.emplace_back([this, &design, size, call] {
                const auto x = static_cast<double>(size);
                const auto built = build(call, design.name, design.catalog);
                if (!built) return TrainingPoint{x, std::nullopt, built.error().text};
                const FabricPointer other = elaborate(std::make_shared<const Design>(*built));
                return estimated(x, *other, placedJob(m_placed.job, *other, RankOrder::Near));
            });
        }
        return Done{};
    }

    // In the order in which they were added, on the pool.
    std::vector<TrainingPoint> run(const TaskContext& context) const {
        const auto found = runTasks<TrainingPoint>(m_points.size(), context, [&](std::size_t i) { return m_points[i](); });
        std::vector<TrainingPoint> points;
        for (const auto& point : found)
            if (point) points.push_back(*point);
        return points;
    }

private:
    void add(double x, PlacedJob placed) {
        m_points.emplace_back([this, x, placed = std::move(placed)] { return estimated(x, m_fabric, placed); });
    }
    TrainingPoint estimated(double x, const Fabric& fabric, const PlacedJob& placed) const {
        auto estimate = estimateTraining(fabric, placed, m_plan, m_calibration);
        return estimate ? TrainingPoint{x, std::move(*estimate), {}} : TrainingPoint{x, std::nullopt, estimate.error().text};
    }

    const Fabric& m_fabric;
    const PlacedJob& m_placed;
    const TrainingPlan& m_plan;
    const TrainingCalibration& m_calibration;
    std::vector<std::function<TrainingPoint()>> m_points;
};

} // namespace

Result<Fabric> atSpeeds(const Fabric& fabric, double ofNetwork, double ofHb) {
    Fabric other = fabric;
    std::map<std::pair<std::uint8_t, bool>, std::uint8_t> known; // a speed may be that of network links and of HB links
    other.speeds.clear();
    for (const LinkId l : fabric.links.ids()) {
        const bool isHb = fabric.links.tier[l] == LinkTier::Hb;
        const auto [at, isNew] = known.try_emplace({fabric.links.speed[l], isHb});
        if (isNew) {
            const Bandwidth speed = fabric.speedOf(l) * (isHb ? ofHb : ofNetwork); // of a NIC's PCIe link: as fast as the NIC
            const auto same = std::find(other.speeds.begin(), other.speeds.end(), speed);
            at->second = static_cast<std::uint8_t>(same - other.speeds.begin());
            if (same == other.speeds.end()) other.speeds.push_back(speed);
        }
        if (other.speeds.size() > mostSpeeds)
            return Error::unbuildable(fmt::format("with these speeds the links would have more than {} different ones", mostSpeeds));
        other.links.speed[l] = at->second;
    }
    return other;
}

Result<TrainingCurve> trainingCurve(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, TrainingAxis axis,
                                    const TrainingCalibration& calibration, const TaskContext& context) {
    if (auto problems = placed.job.problems(); !problems.empty()) return problems;
    Curve curve(fabric, placed, plan, calibration);
    switch (axis) {
    case TrainingAxis::Gpus: curve.overGpus(); break;
    case TrainingAxis::Batch: curve.overBatch(); break;
    case TrainingAxis::Network: curve.overSpeed(false); break;
    case TrainingAxis::Hb: curve.overSpeed(true); break;
    case TrainingAxis::HbDomain:
        if (const Status done = curve.overHbDomains(); !done) return done.errors();
    }
    return TrainingCurve{axis, curve.run(context)};
}

} // namespace railyard
