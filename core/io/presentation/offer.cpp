#include "core/io/presentation/offer.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/base/unit_text.h"
#include "core/io/presentation/offer_bill.h"
#include "core/io/presentation/offer_failures.h"
#include "core/io/presentation/slide_content.h"
#include "core/io/tables/bom_workbook.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

bool hasNumber(const std::string& words) {
    return std::any_of(words.begin(), words.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class OfferWriter {
public:
    explicit OfferWriter(const OfferRequest& request)
        : m_request(request),
          m_fabric(*request.fabric),
          m_metrics(request.metrics),
          m_cabling(request.metrics.cabling ? *request.metrics.cabling : cablingOf(*request.fabric)),
          m_options{false, {}, {}, {}, request.isCustomer},
          m_statement(request) {}

    Offer write() && {
        head();
        summary();
        comparison();
        m_offer.sections.push_back(billSection(m_request, m_statement));
        m_offer.sections.push_back(powerSection(m_request, m_statement));
        floorAndRacks();
        m_offer.sections.push_back(failureSection(m_request.fabric, m_cabling, m_statement));
        training();
        assumptions();
        stateSentences();
        m_offer.stated = std::move(m_statement).take();
        return std::move(m_offer);
    }

private:
    OfferSection& section(std::string title) { return m_offer.sections.emplace_back(OfferSection{std::move(title), {}}); }
    // Sentences that hold numbers count by their words.
    void stateSentences() {
        for (const OfferSection& each : m_offer.sections) {
            const auto stateAll = [&](const std::vector<std::string>& sentences, const char* what) {
                for (std::size_t i = 0; i < sentences.size(); ++i)
                    if (hasNumber(sentences[i]))
                        m_statement.state(fmt::format("{}.{}[{}]", slugOf(each.title), what, i + 1), {}, sentences[i]);
            };
            stateAll(each.sentences, "sentence");
            stateAll(each.notes, "note");
        }
    }

    void head() {
        const SlideContent slide = slideContentOf(m_fabric, m_metrics, m_request.twin, {.showsPrices = !m_request.isCustomer});
        m_offer.title = slide.title; // about the twin
        m_offer.subtitle = slide.subtitle;
        if (const OtherDesign* other = m_request.other)
            m_offer.title = m_request.isCustomer ? fmt::format("{} compared with {}", m_metrics.name, other->metrics.name)
                                                 : comparisonVerdict(m_metrics, other->metrics);
        m_statement.state(std::string(titleKey), {}, m_offer.title);
        m_statement.state("subtitle", {}, m_offer.subtitle);
    }

    void summary() {
        OfferSection& own = section("Summary");
        own.picture = OfferPicture::Drawing;
        OfferTable table = emptyFigures();
        for (const ShownFigure& figure : shownFigures(FigureDisplay::Summary, m_statement.source())) {
            if (m_statement.isHidden(*figure.row) || !figure.value) continue;
            const std::string title = figure.title + (figure.tag.empty() ? "" : " (" + figure.tag + ")");
            m_statement.addFigure(table, title, figure.key, *figure.value, m_statement.textOf(*figure.row, *figure.value));
        }
        own.tables.push_back(std::move(table));
    }

    void comparison() {
        const OtherDesign* beside = m_request.other ? m_request.other : m_request.twin;
        if (!beside) return;
        const Metrics& other = beside->metrics;
        OfferSection& own = section("Comparison with " + other.name);
        own.sentences.push_back("The same figures for both designs. A difference is \"–\" where the two totals leave out different parts.");
        OfferTable table{{{"Figure", 3}, {m_metrics.name, 2, true}, {other.name, 2, true}, {"Difference", 1.5, true}, {"Key", 4.4}}, {}};
        const FigureSource second{other.instant, &other.background};
        for (const auto& [a, b] : shownFigures(FigureDisplay::Comparison, m_statement.source(), second)) {
            if (m_statement.isHidden(*a.row)) continue;
            const std::string difference = differenceText(a, b, m_metrics.instant.bill, other.instant.bill);
            table.rows.push_back({a.title, a.text, b.text, difference, a.key});
            m_statement.state(a.key, a.value, a.text);
            m_statement.state(std::string(otherPrefix) + a.key, b.value, b.text);
            m_statement.state(std::string(differencePrefix) + a.key, {}, difference);
        }
        table.keys = fmt::format("Keys of {}: {}KEY; of differences: {}KEY.", other.name, otherPrefix, differencePrefix);
        own.tables.push_back(std::move(table));
    }

    void floorAndRacks() {
        OfferSection& own = section("Floor and racks");
        if (!m_cabling.floor.isPlaced()) {
            own.sentences.push_back(
                fmt::format("No racks are placed. Every cable is assumed to be {:g} m long.", Cabling::defaultLengthMetres));
            return;
        }
        own.picture = OfferPicture::Floor;
        std::map<std::string, std::pair<std::string, std::int64_t>> kinds; // name and count by ID
        for (const Rack& rack : m_cabling.floor.racks) {
            auto& [name, count] = kinds[rack.part ? rack.part->id : "unknown"];
            name = rack.part ? rack.part->name : "no rack of the catalogue fits";
            ++count;
        }
        OfferTable table{{{"Rack", 5}, {"Count", 1.5, true}, {"Key", 4}}, {}};
        for (const auto& [id, kind] : kinds)
            m_statement.addFigure(table, kind.first, "racks." + id, static_cast<double>(kind.second), formatCount(kind.second));
        own.tables.push_back(std::move(table));
        own.tables.push_back(m_statement.figuresOfSection("Floor"));
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
        own.tables.push_back(m_statement.figuresOfSection("Training"));
        own.notes.push_back("Calibration: " + estimate.calibration);
    }

    void assumptions() {
        OfferSection& own = section("Assumptions and sources");
        OfferTable table = columnsOf(assumptionsTable(m_fabric, m_metrics.instant.bill, m_options), {{"Assumption", 2.6}, {"Value", 7}});
        for (const auto& row : table.rows) // settings of the recipe stand below it
            m_statement.state("assumptions." + slugOf(row[0].substr(std::min(row[0].find_first_not_of(' '), row[0].size()))), {}, row[1]);
        table.keys = "Keys: assumptions.NAME. Keys of sentences and notes: SECTION.sentence[N], SECTION.note[N].";
        own.tables.push_back(std::move(table));
        if (m_request.isCustomer) return;
        OfferTable sources{{{"Part", 2.6}, {"Price source and date", 7}}, {}};
        std::set<std::string> known;
        const Table bom = bomTable(m_metrics.instant.bill);
        for (const auto& row : bom.rows) {
            const std::string id = cellText(row[bom.columnOf("Catalogue ID")], {}),
                              source = cellText(row[bom.columnOf("Price source and date")], {});
            if (id.empty() || !known.insert(id).second) continue;
            sources.rows.push_back({id, source});
            m_statement.state(billKey(id, "price_source"), {}, source);
        }
        sources.keys = "Keys: " + billKey("PART", "price_source") + ".";
        own.tables.push_back(std::move(sources));
    }

    const OfferRequest& m_request;
    const Fabric& m_fabric;
    const Metrics& m_metrics;
    Cabling m_cabling;
    BomOptions m_options;
    OfferStatement m_statement;
    Offer m_offer;
};

} // namespace

Offer offerOf(const OfferRequest& request) { return OfferWriter(request).write(); }

} // namespace railyard
