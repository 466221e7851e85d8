#include "core/analysis/sizing/requirements.h"

#include "core/analysis/sizing/model_in_days.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <cctype>
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
const Layout railOptimized{"Rail-optimized", "rail-optimized"}, railOnly{"Rail-only", "rail-only"};
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
        std::vector<Layout> all{railOptimized, railOnly};
        std::vector<Ratio> ratios;
        const double most = mostOversubscription();
        for (const Ratio ratio : {Ratio{3, 2}, {2, 1}, {4, 1}})
            if (valueOf(ratio) <= most + tolerance) ratios.push_back(ratio);
        if (std::isfinite(most) && most > 1 + tolerance && (ratios.empty() || valueOf(ratios.back()) < most - tolerance))
            ratios.push_back(ratioWithin(most));
        add(ratios, all);
        all.push_back({"Fat tree", "fat-tree"});
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
            for (const Layout* layout : {&railOptimized, &railOnly}) {
                if (leaves(ratio) || layout == &railOptimized) all.push_back(withRatio(*layout, ratio));
                if (leaves(ratio) || &ratio != &ratios.back()) continue;
                all.push_back(withRatio(*layout, ratio));
                all.back().isForBisection = true;
            }
    }

    const Requirements& m_asked;
};

// With as many digits as show the difference.
std::string bisectionMiss(double is, double asked) {
    std::string text;
    for (int digits = 3; digits <= 9; ++digits) {
        const std::string own = fmt::format("{:.{}f}", is, digits), wanted = fmt::format("{:.{}f}", asked, digits);
        text = fmt::format("bisection {}, {} is asked for", own, wanted);
        if (own != wanted) break;
    }
    return text;
}
std::string moreWatts(Watts more) { return more.value() < 10 ? fmt::format("{:.2g} W", more.value()) : formatWatts(more); }

// By the ratio of its leaf ports where the bisection was the wish; by the bisection where no leaf is oversubscribed.
std::string nameFor(const Layout& layout, const FabricChoice& choice, double leastBisection) {
    if (!layout.isForBisection || choice.plan.tiers == 1) return layout.name;
    const std::string kind = layout.name.substr(0, layout.name.rfind(' '));
    const RecipeSettings& s = choice.settings;
    const double ratio = s.linkSpeed * s.leafDown / (s.uplinkSpeed * s.leafUp);
    if (ratio <= 1 + tolerance) return fmt::format("{}, bisection {:g}", kind, leastBisection);
    for (int up = 1; up <= 9; ++up)
        if (std::abs(ratio * up - std::round(ratio * up)) < tolerance) return fmt::format("{} {:.0f}:{}", kind, ratio * up, up);
    return fmt::format("{} {:.2f}:1", kind, ratio);
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
        ranking.candidates = ranked(good, m_asked.sizedBy(), m_asked.most);
        // Of all that differ, also where fewer are shown.
        ranking.title =
            rankingText(ranked(good, m_asked.sizedBy(), std::max(m_asked.most, tried)), m_asked.sizedBy(), ranking.candidates.size());
        for (const RankedCandidate& each : ranking.candidates)
            if (const std::string text = smallerText(each.found); ranking.hint.empty() && !text.empty()) {
                ranking.hint = each.name + ": " + text;
                ranking.smallerGpus = each.found.smaller->gpus;
            }
        const auto nearest =
            std::min_element(misses.begin(), misses.end(), [&](const auto& a, const auto& b) { return farnessOf(a) < farnessOf(b); });
        if (nearest != misses.end()) ranking.nearestMiss = *nearest;
        if (ranking.candidates.empty() && ranking.nearestMiss) ranking.title += ": " + ranking.nearestMiss->misses.front().text;
        return ranking;
    }

private:
    Status check() const {
        if (!m_asked.gpus && !m_asked.power && !m_asked.budget && !m_asked.days)
            return Error::usage("a size is missing: --gpus, --power, --budget, or --model with --days");
        if (!m_asked.server.empty() && (!m_catalog->find(m_asked.server) || !m_catalog->find(m_asked.server)->as<ServerPart>()))
            return Error::usage(fmt::format(
                "--server {}: is no server of the catalogue; `railyard-cli catalog list --kind server` lists them", m_asked.server));
        if (!m_asked.switchId.empty() && (!m_catalog->find(m_asked.switchId) || !m_catalog->find(m_asked.switchId)->as<SwitchPart>()))
            return Error::usage(fmt::format(
                "--switch {}: is no switch of the catalogue; `railyard-cli catalog list --kind switch` lists them", m_asked.switchId));
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
        return checkVendor();
    }
    Status checkVendor() const {
        std::set<std::string> vendors;
        for (const auto& [id, part] : m_catalog->parts())
            if (part.as<SwitchPart>()) {
                if (isOfVendor(part)) return Done{};
                vendors.insert(part.vendor);
            }
        return Error::usage(fmt::format("--vendor {}: the catalogue has switches of {}", m_asked.vendor, fmt::join(vendors, ", ")));
    }
    bool isOfVendor(const Part& part) const {
        const auto isSame = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
        const std::string &wanted = m_asked.vendor, &own = part.vendor;
        return wanted.empty() || std::equal(wanted.begin(), wanted.end(), own.begin(), own.end(), isSame);
    }
    // The asked one. Without it that of the recipe (empty), unless it is of another vendor than asked or has no ports as fast as the NICs
    // of the server: then of the switches with a price the one with the most such ports.
    std::string switchFor(const RecipeCall& call) const {
        if (!m_asked.switchId.empty()) return m_asked.switchId;
        const auto usual = resolve({call.name, {}}, *m_catalog);
        if (!usual) return {};
        const Part& server = m_asked.server.empty() ? *usual->server : *m_catalog->find(m_asked.server);
        const auto setting = [&](const char* key, double usualValue) {
            const auto found = m_asked.settings.find(key);
            const double value = found == m_asked.settings.end() ? usualValue : parameterNumber(found->second);
            return value > 0 ? value : usualValue;
        };
        // Of one port of a NIC.
        const Bandwidth speed =
            gigabitsPerSecond(setting("nic_gbps", inGbps(server.as<ServerPart>()->nicBandwidth)) / setting("nic_ports", 1));
        const auto fits = [&](const Part& part) {
            return part.as<SwitchPart>() && part.as<SwitchPart>()->portsAt(speed) > 0 && isOfVendor(part);
        };
        if (fits(*usual->leafSwitch)) return {};
        const Part* best = nullptr;
        const auto rank = [&](const Part& part) {
            return std::pair(part.price && part.price->base, part.as<SwitchPart>()->portsAt(speed));
        };
        for (const auto& [id, part] : m_catalog->parts())
            if (fits(part) && (!best || rank(part) > rank(*best))) best = &part;
        return best ? best->id : std::string();
    }
    SizeWish wishOf(const Layout& layout) const {
        SizeWish wish{RecipeCall{layout.recipe, m_asked.settings}, {}, m_asked.change, m_training, mostSizedGpus};
        RecipeCall& call = wish.fabric.call;
        for (const auto& [key, value] : layout.settings) call.parameters[key] = value;
        if (!m_asked.server.empty()) call.parameters["server"] = m_asked.server;
        if (const std::string id = switchFor(call); !id.empty()) call.parameters["switch"] = id;
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
        const ModelInDays model{m_training, m_asked.days.value_or(0), *m_divisions, m_catalog};
        if (m_asked.gpus && m_asked.days) wish.training = trainingOn(wish.fabric, model);
        if (!m_asked.gpus && m_asked.days) {
            auto sized = sizeByDays(wish.fabric, model, mostSizedGpus, m_context.stop);
            if (!sized) {
                candidate.misses.push_back({"days", sized.error().text});
                return candidate;
            }
            wish.training = std::move(*sized);
        }
        auto found = candidateFor(wish, m_catalog, m_context.stop);
        if (!found) return candidate;
        candidate.found = std::move(*found);
        if (candidate.found.best) candidate.name = nameFor(layout, *candidate.found.best, m_asked.bisection.value_or(1));
        if (candidate.found.problem) {
            candidate.misses.push_back(
                {candidate.found.tooLow ? nameOf(*candidate.found.tooLow) : sizedBy(), candidate.found.problem->text});
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
    // Which requirement gave the size that cannot be built.
    std::string sizedBy() const { return m_asked.gpus ? "size" : m_asked.days ? "days" : m_asked.power ? "power" : "budget"; }
    std::vector<Miss> missesOf(const SizeCandidate& found) const {
        std::vector<Miss> misses;
        const CandidateFigures figures = figuresOf(found);
        const RecipeSettings& settings = found.best->settings;
        if (m_asked.switchId.empty() && !isOfVendor(*settings.leafSwitch))
            misses.push_back(
                {"vendor", fmt::format("no switch of {} has ports of {}", m_asked.vendor, formatBandwidth(settings.linkSpeed))});
        if (const Bandwidth fastest = std::max(settings.linkSpeed, settings.uplinkSpeed); m_asked.link && fastest > *m_asked.link)
            misses.push_back(
                {"link", fmt::format("links of {}, at most {} is asked for", formatBandwidth(fastest), formatBandwidth(*m_asked.link))});
        const auto hours = [](double count) { return formatDuration(Seconds(count * 3600)); };
        if (const auto mean = found.background->interrupts.meanTimeHours; m_asked.intervalHours && mean && *mean < *m_asked.intervalHours)
            misses.push_back({"interval", fmt::format("a job on all GPUs is interrupted every {}, at least {} is asked for", hours(*mean),
                                                      hours(*m_asked.intervalHours))});
        if (m_layouts.mostOversubscription() < 1 - tolerance)
            misses.push_back(
                {"oversubscription", fmt::format("leaves are built with 1:1 or more, at most {} is asked for", m_asked.oversubscription)});
        if (const bool isKnown = found.background->bisection.front().fractionOfInjection.has_value(); m_asked.bisection && !isKnown)
            misses.push_back({"bisection", "a single server or HB domain has no bisection"});
        else if (m_asked.bisection && figures.bisection < *m_asked.bisection - tolerance)
            misses.push_back({"bisection", bisectionMiss(figures.bisection, *m_asked.bisection)});
        if (m_asked.budget && figures.leftOut.test(static_cast<std::size_t>(BillCategory::Switch)))
            misses.push_back({"budget", "a switch has no price, so that nobody knows whether it fits; add one to your price book"});
        else if (m_asked.budget && figures.cost > m_asked.budget->inDollars()) {
            const Money more = Money::dollars(figures.cost - m_asked.budget->inDollars());
            misses.push_back(
                {"budget", fmt::format("the networks cost {}{}, {} more than the budget", figures.leftOut.none() ? "" : "at least ",
                                       formatMoney(Money::dollars(figures.cost)), formatMoney(more))});
        }
        if (const auto power = found.instant->bill.facilityPower(); m_asked.power && !power)
            misses.push_back({"power", "its power is not published"});
        else if (m_asked.power && power->value() > m_asked.power->value())
            misses.push_back(
                {"power", fmt::format("{} of power, {} more than there is", formatWatts(*power), moreWatts(*power - *m_asked.power))});
        if (!m_asked.days) return misses;
        const auto& training = found.background->training;
        if (!training || !training->estimate)
            misses.push_back({"days", "the model cannot be trained on it: " + (training ? training->why : std::string("not computed"))});
        else if (!training->estimate->isFeasible())
            misses.push_back({"days", "the model does not fit into the memory of the GPUs"});
        else if (training->estimate->days() > *m_asked.days * (1 + tolerance))
            misses.push_back(
                {"days", fmt::format("training takes {:.3g} days; the limit is {:g} days", training->estimate->days(), *m_asked.days)});
        return misses;
    }
    // How far a candidate is from what one requirement asks, relative. Far, where nobody knows or no size would help.
    double distanceOf(const SizeCandidate& found, const std::string& requirement) const {
        constexpr double far = 1e6;
        const CandidateFigures figures = figuresOf(found);
        if (requirement == "bisection") return 1 - figures.bisection / *m_asked.bisection;
        if (requirement == "oversubscription") return 1 / m_layouts.mostOversubscription() - 1;
        if (requirement == "budget" && !figures.leftOut.test(static_cast<std::size_t>(BillCategory::Switch)))
            return figures.cost / m_asked.budget->inDollars() - 1;
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
