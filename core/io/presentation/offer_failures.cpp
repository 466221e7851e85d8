#include "core/io/presentation/offer_failures.h"

#include "core/base/unit_text.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/single_failures.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

OfferTable jobTable(const Reliability& reliability, OfferStatement& statement) {
    OfferTable table = emptyFigures();
    const auto add = [&](const std::string& title, const char* key, double value, const std::string& text) {
        statement.addFigure(table, title, fmt::format("reliability.{}", key), value, text);
    };
    add("GPUs of the job", "job_gpus", static_cast<double>(reliability.jobGpus), formatCount(reliability.jobGpus));
    if (reliability.meanTimeHours)
        add("Mean time between interruptions", "mttf_h", *reliability.meanTimeHours,
            formatDuration(Seconds(*reliability.meanTimeHours * 3600)));
    if (reliability.isKnown)
        add(fmt::format("Expected interruptions in {:g} days", reliability.horizonHours / 24), "expected_interruptions",
            reliability.expectedInterruptions(), fmt::format("{:.3g}", reliability.expectedInterruptions()));
    if (const auto& checkpoint = reliability.checkpoint) {
        add("Interval of checkpoints", "checkpoint.young_s", checkpoint->interval.value(), formatDuration(checkpoint->interval));
        add("Useful work with these checkpoints", "checkpoint.ettr_fraction", checkpoint->ettr, formatShare(checkpoint->ettr));
    }
    return table;
}

OfferTable componentTable(const Reliability& reliability, OfferStatement& statement) {
    OfferTable table{{{"Part", 3.4},
                      {"Count", 1.4, true},
                      {"Failures/year per part", 2, true},
                      {"Expected failures", 1.5, true},
                      {"Interrupts the job", 1.7},
                      {"Key", 2.4}},
                     {}};
    std::map<std::string, int> seen;
    for (const FailureComponent& row : byKind(reliability.components)) {
        // A kind of which only a part interrupts has two rows, and one with several rates more.
        std::string key(toText(row.kind));
        if (const int number = ++seen[key]; number > 1) key += fmt::format("#{}", number);
        const auto expected = row.expected(reliability.horizonHours);
        const std::string count = formatCount(row.count), rate = row.rate.base ? fmt::format("{:.3g}", *row.rate.base) : "not published",
                          failures = expected ? fmt::format("{:.3g}", *expected) : "–";
        table.rows.push_back({std::string(labelOf(row.kind)), count, rate, failures, row.interruptsJob ? "yes" : "no", key});
        const auto add = [&](const char* what, std::optional<double> value, const std::string& text) {
            statement.state(fmt::format("reliability.components.{}.{}", key, what), value, text);
        };
        add("count", static_cast<double>(row.count), count);
        add("per_year", row.rate.base, rate);
        add("expected_failures", expected, failures);
    }
    table.keys = "Keys: reliability.components.KEY.count, .per_year, .expected_failures.";
    return table;
}

OfferTable singleTable(const FabricPointer& fabric, const JobParts& parts, const ReliabilityRequest& asked, OfferStatement& statement) {
    OfferTable table{{{"One failure of", 5},
                      {"Count", 1.4, true},
                      {"GPUs lost", 1.4, true},
                      {"GPUs degraded", 1.6, true},
                      {"Bandwidth left", 1.8, true}},
                     {}};
    constexpr std::size_t most = 8;
    for (const SingleFailure& each : singleFailures(fabric, parts, asked)) {
        if (table.rows.size() == most) break;
        const std::string left = each.bandwidthLeft ? formatShare(*each.bandwidthLeft) : "–";
        table.rows.push_back({std::string(labelOf(each.kind)) + ", such as " + each.path, formatCount(each.count),
                              formatCount(each.gpusLost), formatCount(each.gpusDegraded), left});
        const auto add = [&](const char* what, std::optional<double> value, const std::string& text) {
            statement.state(fmt::format("reliability.single_points_of_failure.{}.{}", each.path, what), value, text);
        };
        add("count", static_cast<double>(each.count), table.rows.back()[1]);
        add("gpus_lost", static_cast<double>(each.gpusLost), table.rows.back()[2]);
        add("gpus_degraded", static_cast<double>(each.gpusDegraded), table.rows.back()[3]);
        add("bandwidth_left_fraction", each.bandwidthLeft, left);
    }
    table.keys = "Keys: reliability.single_points_of_failure.PATH.count, .gpus_lost, .gpus_degraded, .bandwidth_left_fraction.";
    return table;
}

} // namespace

OfferSection failureSection(const FabricPointer& fabric, const Cabling& cabling, OfferStatement& statement) {
    OfferSection own{"Failures", {}};
    const ReliabilityRequest asked = reliabilityOfDesign(*fabric->design);
    const auto place = jobPlaceOf(*fabric, asked);
    if (!place) return own.sentences.push_back(place.error().text), own;
    const JobParts parts = jobPartsOf(*fabric, *place, asked.policy);
    const Reliability reliability = reliabilityOf(*fabric, parts, asked, &cabling);
    own.tables.push_back(jobTable(reliability, statement));
    own.tables.push_back(componentTable(reliability, statement));
    own.tables.push_back(singleTable(fabric, parts, asked, statement));
    own.tables.push_back(statement.figuresOfSection("Reliability"));
    std::set<std::string> sources;
    for (const FailureComponent& row : reliability.components)
        if (row.count > 0 && !row.rate.source.empty() && sources.insert(row.rate.source).second)
            own.notes.push_back(fmt::format("Rate, {}: {}", shortLabelOf(row.kind), row.rate.source));
    return own;
}

} // namespace railyard
