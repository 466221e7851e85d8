#include "core/analysis/sizing/requirements.h"

#include "core/analysis/metrics/networks_total.h"
#include "core/analysis/sizing/asked_parts.h"
#include "core/analysis/sizing/model_in_days.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace railyard {
namespace {

// The kinds of fabrics that differ; each becomes the cheapest of its kind.
struct Layout {
    std::string name, recipe;
    std::map<std::string, std::string> settings = {};
    double oversubscription = 1; // downlink to uplink bandwidth of a leaf, at most
    // The ratio alone may leave less than the asked bisection, which a fabric with few SUs, or with leaves that are not full, may have.
    bool isForBisection = false;
};
const Layout railOptimized{"Rail-optimized", "rail-optimized"}, railOnly{"Rail-only", "rail-only"}, fatTree{"Fat tree", "fat-tree"};
Layout withRatio(const Layout& layout, Ratio ratio) {
    const std::string text = fmt::format("{}:{}", ratio.down, ratio.up);
    return {layout.name + " " + text, layout.recipe, {{"oversubscription", text}}, static_cast<double>(ratio.down) / ratio.up};
}

constexpr double tolerance = 1e-6; // relative; figures this close are equal to people

// Which of them may meet the limits.
class Layouts {
public:
    explicit Layouts(const Requirements& asked) : m_asked(asked) {}

    // Those without oversubscription always: one of them is the nearest miss. Of the others the usual ratios, as far as they leave the
    // asked bisection, and one that is only bound by it: within the ratio that may be asked for, or 4:1.
    std::vector<Layout> usual() const {
        std::vector<Layout> all{railOptimized, railOnly, fatTree};
        std::vector<Ratio> ratios;
        const double most = mostOversubscription();
        for (const Ratio ratio : {Ratio{3, 2}, {2, 1}, {4, 1}})
            if (valueOf(ratio) <= most + tolerance) ratios.push_back(ratio);
        if (std::isfinite(most) && most > 1 + tolerance && (ratios.empty() || valueOf(ratios.back()) < most - tolerance))
            ratios.push_back(ratioWithin(most));
        add(ratios, all);
        all.push_back({"Rail-optimized, 2 planes", "rail-optimized", {{"planes", "2"}}});
        return all;
    }
    // With less bandwidth than anyone would choose: of interest only where nothing else meets the limits.
    std::vector<Layout> thin() const {
        std::vector<Layout> all;
        std::vector<Ratio> ratios;
        for (const int down : {8, 16, 32})
            if (down <= mostOversubscription() + tolerance) ratios.push_back({down, 1});
        add(ratios, all);
        return all;
    }
    double mostOversubscription() const {
        if (m_asked.oversubscription.empty()) return std::numeric_limits<double>::infinity();
        const std::size_t colon = m_asked.oversubscription.find(':'); // checked by check()
        const double down = parameterNumber(m_asked.oversubscription.substr(0, colon));
        return colon == std::string::npos ? down : down / parameterNumber(m_asked.oversubscription.substr(colon + 1));
    }

private:
    static double valueOf(Ratio ratio) { return static_cast<double>(ratio.down) / ratio.up; }
    bool leaves(Ratio ratio) const { return !m_asked.bisection || valueOf(ratio) * *m_asked.bisection <= 1 + tolerance; }
    // Those that leave the asked bisection, and the largest with that bisection. Rail-optimized also with the others: one of them is the
    // nearest miss.
    void add(const std::vector<Ratio>& ratios, std::vector<Layout>& all) const {
        for (const Ratio& ratio : ratios)
            for (const Layout* layout : {&railOptimized, &railOnly, &fatTree}) {
                if (leaves(ratio) || layout == &railOptimized) all.push_back(withRatio(*layout, ratio));
                if (leaves(ratio) || &ratio != &ratios.back()) continue;
                all.push_back(withRatio(*layout, ratio));
                all.back().isForBisection = true;
            }
    }

    const Requirements& m_asked;
};

// Without an exponent and without zeros at the end.
std::string withDigits(double value, int digits) {
    const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
    std::string text = fmt::format("{:.{}f}", value, std::max(0, digits - before));
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}
// Two numbers with as many digits, from three on, as show that they differ.
std::pair<std::string, std::string> apart(double a, double b) {
    int digits = 3;
    while (digits < 12 && withDigits(a, digits) == withDigits(b, digits)) ++digits;
    return {withDigits(a, digits), withDigits(b, digits)};
}
// Of all networks.
Bandwidth fastestLinkOf(const Fabric& fabric) {
    Bandwidth fastest;
    const auto look = [&](const Fabric& network, const Cabling& cabling) {
        for (const CabledLinkId l : cabling.links.ids()) fastest = std::max(fastest, network.speedOf(cabling.links[l]));
    };
    const Cabling cabling = cablingOf(fabric);
    look(fabric, cabling);
    for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) look(*side.fabric, side.cabling);
    return fastest;
}
std::string unpricedModuleOf(const std::vector<RankedCandidate>& all) {
    for (const RankedCandidate& each : all)
        if (std::string module = networksTotal(*each.found.instant).unpricedModule; !module.empty()) return module;
    return {};
}
bool isLargest(const RankedCandidate& each) {
    const RecipeSettings& s = each.found.best->settings;
    return s.gpus() + s.gpusPerServer * s.serversPerDomain() > mostSizedGpus;
}
std::string moreWatts(Watts more) { return more.value() < 10 ? fmt::format("{:.2g} W", more.value()) : formatWatts(more); }

// By the ratio of all its leaves, as drawn, if the layout is sized by the bisection; by the bisection if they are not oversubscribed.
std::string nameFor(const Layout& layout, const SizeCandidate& found, double leastBisection) {
    const FabricChoice& choice = *found.best;
    if (!layout.isForBisection || choice.plan.tiers == 1) return layout.name;
    const std::string kind = layout.name.substr(0, layout.name.rfind(' '));
    const RecipeSettings& s = choice.settings;
    const double ofPorts = s.linkSpeed * s.leafDown / (s.uplinkSpeed * s.leafUp);
    const double ratio = found.instant ? found.instant->oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)] : ofPorts;
    if (ratio <= 1 + tolerance) return fmt::format("{}, bisection {:g}", kind, leastBisection);
    for (int up = 1; up <= 3; ++up)
        if (std::abs(ratio * up - std::round(ratio * up)) < tolerance) return fmt::format("{} {:.0f}:{}", kind, ratio * up, up);
    return fmt::format("{} {:.2f}:1", kind, ratio);
}

std::string bisectionSuffix(const RankedCandidate& each) {
    return each.found.instant ? fmt::format(", bisection {:.3g}", figuresOf(each.found).bisection) : std::string();
}
// Candidates with the same name get their bisection appended.
void nameApart(std::vector<RankedCandidate>& all) {
    for (auto each = all.begin(); each != all.end(); ++each) {
        const auto isSame = [&](const RankedCandidate& other) { return other.name == each->name; };
        if (std::any_of(all.begin(), each, isSame)) each->name += bisectionSuffix(*each);
    }
}

std::string nameOf(SizeLimit limit) {
    return limit == SizeLimit::FacilityPower ? "power" : limit == SizeLimit::NetworkCost ? "budget" : "interval";
}

class Ranker {
public:
    Ranker(const Requirements& asked, CatalogPointer catalog, const TaskContext& context)
        : m_asked(asked),
          m_layouts(asked),
          m_catalog(std::move(catalog)),
          m_parts(asked, *m_catalog),
          m_context(context) {}

    Result<Ranking> rank() {
        if (const Status good = check(); !good) return good.errors();
        // The usual model too, which is that of a design without a job.
        const ParameterTexts usual{{"model", usualRequest().model}};
        m_training = dividedModel(m_asked.training.empty() ? usual : m_asked.training, wishOf(railOptimized).fabric.call, m_catalog,
                                  m_asked.gpus, m_context);
        m_divisions.emplace(wishOf(railOptimized).fabric.call, m_asked.training.empty() ? usual : m_asked.training, m_catalog,
                            m_context.stop);
        if (m_asked.training.empty() && m_training == usual) m_training.clear();
        if (m_asked.gpus && m_asked.days) m_training = trainingOfSize();
        Ranking ranking;
        std::vector<RankedCandidate> good, misses;
        std::size_t tried = 0;
        for (const std::vector<Layout>& next : {m_layouts.usual(), m_layouts.thin()}) {
            if (!good.empty()) break;
            tried += next.size();
            const auto found = runTasks<RankedCandidate>(next.size(), m_context, [&](std::size_t i) { return candidateOf(next[i]); });
            for (const auto& each : found) {
                if (!each || m_context.stop.stop_requested()) return Ranking{};
                if (each->misses.empty() && !each->found.instant) continue; // a layout that these parts do not have
                (each->misses.empty() ? good : misses).push_back(*each);
            }
        }
        nameApart(good);
        ranking.candidates = ranked(good, m_asked.sizedBy(), m_asked.most);
        // Of all that differ, also where fewer are shown.
        ranking.title =
            rankingText(ranked(good, m_asked.sizedBy(), std::max(m_asked.most, tried)), m_asked.sizedBy(), ranking.candidates.size());
        for (const RankedCandidate& each : ranking.candidates) // a smaller one would not end in the days
            if (const std::string text = m_asked.days ? std::string() : smallerText(each.found); ranking.hint.empty() && !text.empty()) {
                ranking.hint = each.name + ": " + text;
                ranking.smallerGpus = each.found.smaller->gpus;
            }
        if (const std::string module = m_asked.budget ? unpricedModuleOf(ranking.candidates) : std::string(); !module.empty())
            ranking.title += fmt::format("; the budget leaves out parts without a price, such as {}", module);
        if (!m_asked.gpus && !m_asked.days && std::any_of(ranking.candidates.begin(), ranking.candidates.end(), isLargest))
            ranking.title += fmt::format("; sizes above {} GPUs are not tried", formatCount(mostSizedGpus));
        if (const RankedCandidate* nearest = nearestOf(misses)) ranking.nearestMiss = *nearest;
        const auto hasItsName = [&](const RankedCandidate& each) { return each.name == ranking.nearestMiss->name; };
        if (ranking.nearestMiss && std::any_of(ranking.candidates.begin(), ranking.candidates.end(), hasItsName))
            ranking.nearestMiss->name += bisectionSuffix(*ranking.nearestMiss);
        if (ranking.candidates.empty() && ranking.nearestMiss) ranking.title += ": " + ranking.nearestMiss->misses.front().text;
        return ranking;
    }

private:
    // All fabrics of a size train the same job: that which is fastest on the first that can be built.
    ParameterTexts trainingOfSize() const {
        for (const Layout* layout : {&railOptimized, &railOnly, &fatTree})
            if (const SizeWish wish = wishOf(*layout); cheapestFabric(wish.fabric, *m_catalog))
                return trainingOn(wish.fabric, {m_training, *m_asked.days, *m_divisions, m_catalog});
        return m_training;
    }
    Status check() const {
        if (!m_asked.gpus && !m_asked.power && !m_asked.budget && !m_asked.days)
            return Error::usage("a size is missing: --gpus, --power, --budget, or --model with --days");
        if (const Status parts = m_parts.check(); !parts) return parts.errors();
        if (const auto job = readJob(m_asked.training); !job) return job.errors();
        if (auto usual = build({"rail-optimized", {}}, "usual", m_catalog); usual && m_asked.change)
            if (const auto with = m_asked.change(std::move(*usual)); !with) return with.errors();
        for (const auto& [key, option] : {std::pair("gpus", "--gpus"),
                                          {"servers", "--gpus"},
                                          {"server", "--server"},
                                          {"switch", "--switch"},
                                          {"oversubscription", "--oversubscription"}})
            if (m_asked.settings.contains(key)) return Error::usage(fmt::format("--set {}: use {}", key, option));
        std::vector<std::string_view> searched = searchedParameters();
        searched.push_back("planes"); // a layout of its own
        for (const std::string_view key : searched)
            if (m_asked.settings.contains(std::string(key)))
                return Error::usage(
                    fmt::format("--set {}: is chosen by the candidates; build a fabric with it by `railyard-cli new`", key));
        RecipeCall usual{"rail-optimized", m_asked.settings};
        if (!m_asked.oversubscription.empty()) usual.parameters["oversubscription"] = m_asked.oversubscription;
        const auto settings = resolve(usual, *m_catalog);
        if (!settings && settings.error().kind == Error::Kind::Usage) return settings.errors();
        return Done{};
    }
    SizeWish wishOf(const Layout& layout) const {
        SizeWish wish{RecipeCall{layout.recipe, m_asked.settings}, {}, m_asked.change, m_training, mostSizedGpus};
        RecipeCall& call = wish.fabric.call;
        for (const auto& [key, value] : layout.settings) call.parameters[key] = value;
        if (!m_asked.server.empty()) call.parameters["server"] = m_asked.server;
        if (const std::string id = m_parts.switchFor(call); !id.empty()) call.parameters["switch"] = id;
        if (m_asked.gpus) call.parameters["gpus"] = std::to_string(*m_asked.gpus);
        if (layout.isForBisection) wish.fabric.leastBisection = m_asked.bisection;
        if (m_asked.gpus || m_asked.days) return wish; // by days it is sized below
        if (m_asked.power) wish.limits.emplace_back(SizeLimit::FacilityPower, m_asked.power->value());
        if (m_asked.budget) wish.limits.emplace_back(SizeLimit::NetworkCost, m_asked.budget->inDollars());
        if (m_asked.intervalHours) wish.limits.emplace_back(SizeLimit::Interruptions, 1 / *m_asked.intervalHours);
        return wish;
    }
    RankedCandidate candidateOf(const Layout& layout) const {
        RankedCandidate candidate{layout.name, {}};
        SizeWish wish = wishOf(layout);
        if (layout.settings.contains("planes") && !haveNicsFor(wish.fabric.call)) return candidate;
        if (!m_asked.gpus && m_asked.days) {
            const ModelInDays model{m_training, *m_asked.days, *m_divisions, m_catalog};
            auto sized = sizeByDays(wish.fabric, model, mostSizedGpus, m_context.stop);
            if (!sized) {
                candidate.misses.push_back(missOf(layout, sized.error()));
                return candidate;
            }
            wish.training = std::move(*sized);
        }
        auto found = candidateFor(wish, m_catalog, m_context.stop);
        if (!found) return candidate;
        candidate.found = std::move(*found);
        if (candidate.found.best) candidate.name = nameFor(layout, candidate.found, m_asked.bisection.value_or(1));
        if (candidate.found.problem) {
            candidate.misses.push_back(missOf(layout, *candidate.found.problem));
            if (candidate.found.tooLow) candidate.misses.back().requirement = nameOf(*candidate.found.tooLow);
            return candidate;
        }
        if (!candidate.found.instant)
            candidate.misses.push_back({"size", "its figures are not known"});
        else
            candidate.misses = missesOf(candidate.found);
        if (candidate.found.instant) // first what binds most
            std::stable_sort(candidate.misses.begin(), candidate.misses.end(), [&](const Miss& a, const Miss& b) {
                return distanceOf(candidate.found, a.requirement) > distanceOf(candidate.found, b.requirement);
            });
        return candidate;
    }
    // Planes need as many ports on each NIC.
    bool haveNicsFor(RecipeCall call) const {
        const int planes = std::stoi(call.parameters.at("planes"));
        call.parameters.erase("planes");
        const auto settings = resolve(call, *m_catalog);
        return !settings || settings->nicPorts >= planes; // what else is wrong is said of it
    }
    // The parameter that cannot be built; of a size the requirement that gave it.
    Miss missOf(const Layout& layout, const Error& problem) const {
        static const std::set<std::string> sizes{"", "gpus", "servers", "hb_domain_gpus"};
        if (const std::string missing = m_parts.missingOfVendor(wishOf(layout).fabric.call); !missing.empty()) return {"vendor", missing};
        return {sizes.contains(problem.field) ? sizedBy() : problem.field, problem.text};
    }
    std::string sizedBy() const { return m_asked.gpus ? "size" : m_asked.days ? "days" : m_asked.power ? "power" : "budget"; }
    std::vector<Miss> missesOf(const SizeCandidate& found) const {
        std::vector<Miss> misses;
        const CandidateFigures figures = figuresOf(found);
        const RecipeSettings& settings = found.best->settings;
        if (m_asked.switchId.empty() && !m_parts.isOfVendor(*settings.leafSwitch))
            misses.push_back(
                {"vendor", fmt::format("no switch of {} has ports of {}", m_asked.vendor, formatBandwidth(settings.linkSpeed))});
        if (const Bandwidth fastest = m_asked.link ? fastestLinkOf(*found.fabric) : Bandwidth(); m_asked.link && fastest > *m_asked.link)
            misses.push_back(
                {"link", fmt::format("links of {}; the limit is {}", formatBandwidth(fastest), formatBandwidth(*m_asked.link))});
        if (const auto mean = found.background->interrupts.meanTimeHours; m_asked.intervalHours && mean && *mean < *m_asked.intervalHours) {
            const auto [own, wanted] = apart(*mean, *m_asked.intervalHours);
            misses.push_back({"interval", fmt::format("a job on all GPUs is interrupted every {} h; the limit is {} h", own, wanted)});
        }
        if (m_layouts.mostOversubscription() < 1 - tolerance)
            misses.push_back(
                {"oversubscription", fmt::format("leaves are built with 1:1 or more; the limit is {}", m_asked.oversubscription)});
        if (const bool isKnown = found.background->bisection.front().fractionOfInjection.has_value(); m_asked.bisection && !isKnown)
            misses.push_back({"bisection", "a single server or HB domain has no bisection"});
        else if (m_asked.bisection && figures.bisection < *m_asked.bisection - tolerance) {
            const auto [own, wanted] = apart(figures.bisection, *m_asked.bisection);
            misses.push_back({"bisection", fmt::format("bisection between servers {}, at least {} is required", own, wanted)});
        }
        if (const NetworksTotal total = networksTotal(*found.instant); m_asked.budget && !total.unpricedSwitch.empty())
            misses.push_back(
                {"budget", fmt::format("{} has no price, so whether the budget suffices is not known; add one to your price book",
                                       total.unpricedSwitch)});
        else if (m_asked.budget && total.cost > *m_asked.budget)
            misses.push_back({"budget", fmt::format("the networks cost {}{}, {} more than the budget", total.isComplete ? "" : "at least ",
                                                    formatMoney(total.cost), formatMoney(total.cost - *m_asked.budget))});
        if (const auto power = found.instant->bill.facilityPower(); m_asked.power && !power)
            misses.push_back(
                {"power", fmt::format("the power consumption of {} is not published", fmt::join(found.instant->bill.unknownPower, ", "))});
        else if (m_asked.power && power->value() > m_asked.power->value())
            misses.push_back(
                {"power", fmt::format("{} of power, {} above the limit", formatWatts(*power), moreWatts(*power - *m_asked.power))});
        if (!m_asked.days) return misses;
        const auto& training = found.background->training;
        if (!training || !training->estimate)
            misses.push_back({"days", "the model cannot be trained on it: " + (training ? training->why : std::string("not computed"))});
        else if (!training->estimate->isFeasible())
            misses.push_back({"days", "the model does not fit into the memory of the GPUs"});
        else if (training->estimate->days() > *m_asked.days * (1 + tolerance)) {
            const auto [own, wanted] = apart(training->estimate->days(), *m_asked.days);
            misses.push_back(
                {"days", fmt::format("training takes {} days; the limit is {} {}", own, wanted, wanted == "1" ? "day" : "days")});
        }
        return misses;
    }
    // Of nearly equal ones the first: usual layouts come before thin ones.
    const RankedCandidate* nearestOf(const std::vector<RankedCandidate>& misses) const {
        constexpr double margin = 0.01; // of what is asked
        const RankedCandidate* nearest = nullptr;
        std::pair<double, double> least;
        for (const RankedCandidate& each : misses) {
            const auto farness = farnessOf(each);
            if (nearest && farness >= std::pair(least.first, least.second - margin)) continue;
            nearest = &each;
            least = farness;
        }
        return nearest;
    }
    // How far a candidate is from what one requirement asks, relative. Far, where nobody knows or no size would help.
    double distanceOf(const SizeCandidate& found, const std::string& requirement) const {
        constexpr double far = 1e6;
        const CandidateFigures figures = figuresOf(found);
        if (requirement == "bisection") return 1 - figures.bisection / *m_asked.bisection;
        if (requirement == "oversubscription") return 1 / m_layouts.mostOversubscription() - 1;
        if (const NetworksTotal total = networksTotal(*found.instant); requirement == "budget" && total.unpricedSwitch.empty())
            return total.cost.inDollars() / m_asked.budget->inDollars() - 1;
        if (const auto power = found.instant->bill.facilityPower(); requirement == "power" && power)
            return power->value() / m_asked.power->value() - 1;
        if (const auto mean = found.background->interrupts.meanTimeHours; requirement == "interval" && mean)
            return 1 - *mean / *m_asked.intervalHours;
        if (const auto& training = found.background->training;
            requirement == "days" && training && training->estimate && training->estimate->isFeasible())
            return training->estimate->days() / *m_asked.days - 1;
        return requirement == "vendor" || requirement == "link" ? 1 : far;
    }
    // By the number of requirements that it misses, as a limit only helps by being loosened alone; then by that which it misses by most.
    // What cannot be built is farthest.
    std::pair<double, double> farnessOf(const RankedCandidate& miss) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (!miss.found.instant || !miss.found.background || miss.misses.empty()) return {infinity, infinity};
        return {static_cast<double>(miss.misses.size()), distanceOf(miss.found, miss.misses.front().requirement)};
    }

    const Requirements& m_asked;
    const Layouts m_layouts;
    const CatalogPointer m_catalog;
    const AskedParts m_parts;
    ParameterTexts m_training; // divided so that it fits
    std::optional<Divisions> m_divisions;
    const TaskContext& m_context;
};

} // namespace

Result<Ranking> candidatesFor(const Requirements& asked, const CatalogPointer& catalog, const TaskContext& context) {
    return Ranker(asked, catalog, context).rank();
}

std::string smallerText(const SizeCandidate& candidate) {
    if (!candidate.smaller) return {};
    const SmallerFabric& smaller = *candidate.smaller;
    if (!smaller.networksCost || smaller.networksCost->inCents() <= 0)
        return fmt::format("{} GPUs save a tier: {}.", formatCount(smaller.gpus),
                           counted(smaller.switches, "{} switch fewer", "{} switches fewer"));
    return fmt::format("{} GPUs save a tier: {} and {} less.", formatCount(smaller.gpus),
                       counted(smaller.switches, "{} switch", "{} switches"), formatMoney(*smaller.networksCost));
}

} // namespace railyard
