#include "core/analysis/curves/training_curves.h"

#include "core/collective/collective.h"
#include "core/design/model/limits.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
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

    void overGpus(TrainingCurve& curve) const {
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
            add(curve, static_cast<double>(fewer.job.gpus()), m_fabric, fewer);
        }
    }
    void overBatch(TrainingCurve& curve) const {
        constexpr double most = 9e18; // that can be counted
        for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
            const double batch = factor * static_cast<double>(m_placed.job.globalBatch);
            if (batch > most) break;
            PlacedJob other = m_placed;
            other.job.globalBatch = factor == 1 ? m_placed.job.globalBatch : static_cast<std::int64_t>(batch);
            if (other.job.globalBatch >= 1) add(curve, static_cast<double>(other.job.globalBatch), m_fabric, other);
        }
    }
    void overSpeed(TrainingCurve& curve, bool isOfHb) const {
        for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
            if (const auto other = atSpeeds(m_fabric, isOfHb ? 1 : factor, isOfHb ? factor : 1))
                add(curve, factor, *other, m_placed);
            else
                curve.points.push_back({factor, std::nullopt, other.error().text});
        }
    }
    Status overHbDomains(TrainingCurve& curve) const {
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
            const auto built = build(call, design.name, design.catalog);
            if (!built) {
                curve.points.push_back({static_cast<double>(size), std::nullopt, built.error().text});
                continue;
            }
            const FabricPointer other = elaborate(std::make_shared<const Design>(*built));
            add(curve, static_cast<double>(size), *other, placedJob(m_placed.job, *other, RankOrder::Near));
        }
        return Done{};
    }

private:
    void add(TrainingCurve& curve, double x, const Fabric& fabric, const PlacedJob& placed) const {
        auto estimate = estimateTraining(fabric, placed, m_plan, m_calibration);
        if (estimate)
            curve.points.push_back({x, std::move(*estimate), {}});
        else
            curve.points.push_back({x, std::nullopt, estimate.error().text});
    }

    const Fabric& m_fabric;
    const PlacedJob& m_placed;
    const TrainingPlan& m_plan;
    const TrainingCalibration& m_calibration;
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
                                    const TrainingCalibration& calibration) {
    if (auto problems = placed.job.problems(); !problems.empty()) return problems;
    TrainingCurve curve{axis, {}};
    const Curve of(fabric, placed, plan, calibration);
    switch (axis) {
    case TrainingAxis::Gpus: of.overGpus(curve); break;
    case TrainingAxis::Batch: of.overBatch(curve); break;
    case TrainingAxis::Network: of.overSpeed(curve, false); break;
    case TrainingAxis::Hb: of.overSpeed(curve, true); break;
    case TrainingAxis::HbDomain:
        if (const Status done = of.overHbDomains(curve); !done) return done.errors();
    }
    return curve;
}

} // namespace railyard
