#include "core/io/presentation/offer.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/io/tables/bom_workbook.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/single_failures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

std::string wordsOf(const Cell& cell, const Column& column) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    const auto value = numberIn(cell);
    if (!value) return {};
    const CellFormat format = formatOf(cell, column);
    const bool isWhole = format == CellFormat::Money && std::round(*value) == *value; // a page has little room
    return shownNumber(*value, isWhole ? CellFormat::Integer : format);
}

// These columns of a table, as they read.
OfferTable columnsOf(const Table& table, const std::vector<OfferColumn>& columns) {
    OfferTable made{columns, {}};
    for (const auto& row : table.rows) {
        std::vector<std::string>& words = made.rows.emplace_back();
        for (const OfferColumn& column : columns) {
            const std::size_t at = table.columnOf(column.name);
            words.push_back(wordsOf(row[at], table.columns[at]));
        }
    }
    return made;
}

class OfferWriter {
public:
    explicit OfferWriter(const OfferRequest& request)
        : m_request(request),
          m_fabric(*request.fabric),
          m_metrics(request.metrics),
          m_source{request.metrics.instant, &request.metrics.background},
          m_cabling(request.metrics.cabling ? *request.metrics.cabling : cablingOf(*request.fabric)),
          m_options{false, {}, {}, {}, request.isCustomer} {
        m_offer.stated.fingerprint = m_metrics.fingerprint;
    }

    Offer write() && {
        summary();
        comparison();
        bill();
        power();
        floorAndRacks();
        failure();
        training();
        assumptions();
        return std::move(m_offer);
    }

private:
    OfferSection& section(std::string title) { return m_offer.sections.emplace_back(OfferSection{std::move(title), {}}); }
    bool isHidden(const FigureInfo& row) const { return m_request.isCustomer && (row.storedUnit == "USD" || row.key.starts_with("cost.")); }
    void state(const std::string& key, std::optional<double> value, const std::string& text) {
        const auto isKnown = [&](const StatedFigure& each) { return each.key == key; };
        if (value && std::none_of(m_offer.stated.figures.begin(), m_offer.stated.figures.end(), isKnown))
            m_offer.stated.figures.push_back({key, value, text});
    }

    static OfferTable figureTable() { return {{{"Figure", 5}, {"Value", 2.4, true}, {"Key", 4.2}}, {}}; }
    // All figures of a section of the table of figures whose value is known.
    OfferTable figuresOfSection(std::string_view name) {
        OfferTable table = figureTable();
        for (const FigureValue& figure : figuresOf(m_source)) {
            const FigureInfo& row = *figure.row;
            if (row.section != name || row.title.empty() || isHidden(row) || !figure.member.value) continue;
            if (row.isFamily() && *figure.member.value == 0) continue; // nothing of this tier or category
            std::string title(row.title);
            if (const std::size_t at = title.find("{}"); at != std::string::npos) title.replace(at, 2, figure.member.name);
            addFigure(table, title, figure.key(), *figure.member.value, textOf(row, *figure.member.value));
        }
        return table;
    }
    std::string textOf(const FigureInfo& row, double value) const {
        if (row.display.text) return row.display.text(m_source);
        if (row.format == FigureFormat::Percent) return formatShare(value);
        return (row.isBound && row.isBound(m_source) && row.pricesOf != PricesOf::Nothing ? "≥ " : "") + figureText(row, value);
    }
    void addFigure(OfferTable& table, const std::string& title, const std::string& key, double value, const std::string& text) {
        table.rows.push_back({title, text, key});
        state(key, value, text);
    }

    void summary() {
        OfferSection& own = section("Summary");
        own.picture = OfferPicture::Drawing;
        OfferTable table = figureTable();
        for (const ShownFigure& figure : shownFigures(FigureDisplay::Summary, m_source)) {
            if (isHidden(*figure.row) || !figure.value) continue;
            const std::string title = figure.title + (figure.tag.empty() ? "" : " (" + figure.tag + ")");
            addFigure(table, title, figure.key, *figure.value, textOf(*figure.row, *figure.value));
        }
        own.tables.push_back(std::move(table));
    }

    void comparison() {
        if (!m_request.otherMetrics) return;
        const Metrics& other = *m_request.otherMetrics;
        OfferSection& own = section("Comparison with " + other.name);
        own.sentences.push_back("The same figures for both designs. A difference is \"–\" where the two totals leave out different parts.");
        OfferTable table{{{"Figure", 4}, {m_metrics.name, 2.6, true}, {other.name, 2.6, true}, {"Difference", 2, true}}, {}};
        const FigureSource second{other.instant, &other.background};
        for (const auto& [a, b] : shownFigures(FigureDisplay::Comparison, m_source, second))
            if (!isHidden(*a.row))
                table.rows.push_back({a.title, a.text, b.text, differenceText(a, b, m_metrics.instant.bill, other.instant.bill)});
        own.tables.push_back(std::move(table));
    }

    void bill() {
        OfferSection& own = section("Bill of materials");
        Bill bill = m_metrics.instant.bill;
        if (m_request.isCustomer)
            for (BillLine& line : bill.lines) line.low = line.base = line.high = {};
        const Table table = bomTable(bill, {}, {m_fabric.design->name, BomFor::Text, !m_request.isCustomer});
        std::vector<OfferColumn> columns{
            {"Section", 1.5}, {"Part number", 2.4}, {"Manufacturer", 2.1}, {"Description", 4.2}, {"Qty", 1.1, true}};
        if (!m_request.isCustomer)
            columns.insert(columns.end(), {{"Price kind", 2.2}, {"Unit price", 1.7, true}, {"Extended net", 2, true}});
        OfferTable lines = columnsOf(table, columns);
        if (!m_request.isCustomer) {
            std::vector<std::string> total(columns.size());
            total.front() = "Total";
            total[3] = table.sumsLabel;
            total.back() = shownNumber(bill.total.inDollars(), CellFormat::Money);
            lines.rows.push_back(std::move(total));
            lines.endsInTotal = true;
            own.sentences.push_back(fmt::format("Prices in US dollars from the catalogue of {}.", m_fabric.design->catalog->asOf()));
        }
        own.tables.push_back(std::move(lines));
        own.notes = table.notes;
        std::map<std::string, std::int64_t> quantities;
        for (const BillLine& line : bill.lines)
            if (line.part) quantities[line.part->id] += line.quantity;
        for (const auto& [id, quantity] : quantities) state("quantity." + id, static_cast<double>(quantity), formatCount(quantity));
        if (!m_request.isCustomer) own.tables.push_back(figuresOfSection("Cost"));
    }

    void power() {
        OfferSection& own = section("Power and cooling");
        if (const auto total = m_metrics.instant.bill.totalPower) {
            constexpr double btuPerHour = 3.412142; // of a watt
            own.sentences.push_back(fmt::format("The equipment draws {0} and gives off as much heat: {1} BTU/h.", formatWatts(*total),
                                                formatCount(std::llround(total->value() * btuPerHour))));
        } else {
            own.sentences.push_back("The total is not known: the power of a part is not published.");
        }
        own.tables.push_back(columnsOf(powerTable(m_metrics.instant.bill, {}, !m_request.isCustomer),
                                       {{"Category", 2}, {"Power (W)", 1.6, true}, {"Basis", 6}}));
        own.tables.push_back(figuresOfSection("Power"));
    }

    void floorAndRacks() {
        OfferSection& own = section("Floor and racks");
        if (!m_cabling.floor.isPlaced()) {
            own.sentences.push_back(
                fmt::format("No racks are placed. Every cable is assumed to be {:g} m long.", Cabling::defaultLengthMetres));
            return;
        }
        own.picture = OfferPicture::Floor;
        std::map<std::string, std::int64_t> kinds;
        for (const Rack& rack : m_cabling.floor.racks) ++kinds[rack.part ? rack.part->name : std::string("no rack of the catalogue fits")];
        OfferTable table{{{"Rack", 6}, {"Count", 1.5, true}}, {}};
        for (const auto& [name, count] : kinds) table.rows.push_back({name, formatCount(count)});
        own.tables.push_back(std::move(table));
        own.tables.push_back(figuresOfSection("Floor"));
    }

    void failure() {
        OfferSection& own = section("Failures");
        const ReliabilityRequest asked = reliabilityOfDesign(*m_fabric.design);
        const auto place = jobPlaceOf(m_fabric, asked);
        if (!place) return own.sentences.push_back(place.error().text);
        const JobParts parts = jobPartsOf(m_fabric, *place, asked.policy);
        const Reliability reliability = reliabilityOf(m_fabric, parts, asked, &m_cabling);
        if (reliability.meanTimeHours)
            own.sentences.push_back(fmt::format("A job on {} GPUs is interrupted every {} on average: {:.3g} interruptions in {:g} days.",
                                                formatCount(reliability.jobGpus),
                                                formatDuration(Seconds(*reliability.meanTimeHours * 3600)),
                                                reliability.expectedInterruptions(), reliability.horizonHours / 24));
        if (reliability.checkpoint)
            own.sentences.push_back(fmt::format("With a checkpoint every {}, {} of the time is useful work.",
                                                formatDuration(reliability.checkpoint->interval),
                                                formatShare(reliability.checkpoint->ettr)));
        OfferTable components{{{"Part", 4},
                               {"Count", 1.6, true},
                               {"Failures/year per part", 2.2, true},
                               {"Expected failures", 1.6, true},
                               {"Interrupts the job", 2}},
                              {}};
        for (const FailureComponent& row : byKind(reliability.components)) {
            const auto expected = row.expected(reliability.horizonHours);
            components.rows.push_back({std::string(labelOf(row.kind)), formatCount(row.count),
                                       row.rate.base ? fmt::format("{:.3g}", *row.rate.base) : "not published",
                                       expected ? fmt::format("{:.3g}", *expected) : "–", row.interruptsJob ? "yes" : "no"});
        }
        own.tables.push_back(std::move(components));
        OfferTable singles{{{"One failure of", 5},
                            {"Count", 1.4, true},
                            {"GPUs lost", 1.4, true},
                            {"GPUs degraded", 1.6, true},
                            {"Bandwidth left", 1.8, true}},
                           {}};
        constexpr std::size_t most = 8;
        for (const SingleFailure& each : singleFailures(m_request.fabric, parts, asked)) {
            if (singles.rows.size() == most) break;
            singles.rows.push_back({std::string(labelOf(each.kind)) + ", such as " + each.path, formatCount(each.count),
                                    formatCount(each.gpusLost), formatCount(each.gpusDegraded),
                                    each.bandwidthLeft ? formatShare(*each.bandwidthLeft) : "–"});
        }
        own.tables.push_back(std::move(singles));
        own.tables.push_back(figuresOfSection("Reliability"));
        std::set<std::string> sources;
        for (const FailureComponent& row : reliability.components)
            if (row.count > 0 && !row.rate.source.empty() && sources.insert(row.rate.source).second)
                own.notes.push_back(fmt::format("Rate, {}: {}", shortLabelOf(row.kind), row.rate.source));
    }

    void training() {
        OfferSection& own = section("Training");
        const auto& figures = m_metrics.background.training;
        if (!figures || !figures->estimate) {
            own.sentences.push_back(figures ? figures->why : std::string("The training job was not estimated."));
            return;
        }
        const TrainingEstimate& estimate = *figures->estimate;
        own.sentences.push_back(fmt::format("{}{} on {} GPUs ({}): an iteration takes {} ({}).", estimate.job.model.name,
                                            m_fabric.design->training ? "" : ", the usual job,", formatCount(estimate.job.gpus()),
                                            estimate.job.gpusText(), formatSeconds(estimate.iteration),
                                            formatInterval(formatSeconds(estimate.low), formatSeconds(estimate.high))));
        for (const std::string& reason : estimate.reasons) own.sentences.push_back(reason);
        own.tables.push_back(figuresOfSection("Training"));
        own.notes.push_back("Calibration: " + estimate.calibration);
    }

    void assumptions() {
        OfferSection& own = section("Assumptions and sources");
        own.tables.push_back(columnsOf(assumptionsTable(m_fabric, m_metrics.instant.bill, m_options), {{"Assumption", 2.6}, {"Value", 7}}));
        if (m_request.isCustomer) return;
        OfferTable sources{{{"Part", 2.6}, {"Price source and date", 7}}, {}};
        std::set<std::string> known;
        const Table bom = bomTable(m_metrics.instant.bill);
        for (const auto& row : bom.rows) {
            const std::string id = wordsOf(row[bom.columnOf("Catalogue ID")], {}),
                              source = wordsOf(row[bom.columnOf("Price source and date")], {});
            if (!id.empty() && known.insert(id).second) sources.rows.push_back({id, source});
        }
        own.tables.push_back(std::move(sources));
    }

    const OfferRequest& m_request;
    const Fabric& m_fabric;
    const Metrics& m_metrics;
    FigureSource m_source;
    Cabling m_cabling;
    BomOptions m_options;
    Offer m_offer;
};

} // namespace

Offer offerOf(const OfferRequest& request) { return OfferWriter(request).write(); }

} // namespace railyard
