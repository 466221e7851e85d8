#include "core/io/presentation/offer_parts.h"

#include "core/base/unit_text.h"
#include "core/io/tables/compare_words.h"

#include <algorithm>
#include <cmath>

namespace railyard {

std::string cellText(const Cell& cell, const Column& column) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    const auto value = numberIn(cell);
    if (!value) return {};
    const CellFormat format = formatOf(cell, column);
    const bool isWhole = format == CellFormat::Money && std::round(*value) == *value; // a page has little room
    return shownNumber(*value, isWhole ? CellFormat::Integer : format);
}

OfferTable columnsOf(const Table& table, const std::vector<OfferColumn>& columns) {
    OfferTable made{columns, {}};
    for (const auto& row : table.rows) {
        std::vector<std::string>& words = made.rows.emplace_back();
        for (const OfferColumn& column : columns) {
            const auto at =
                std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.name == column.name; });
            const auto place = static_cast<std::size_t>(at - table.columns.begin());
            words.push_back(at == table.columns.end() ? std::string() : cellText(row[place], *at));
        }
    }
    return made;
}

std::size_t columnNamed(const OfferTable& table, std::string_view name) {
    const auto at =
        std::find_if(table.columns.begin(), table.columns.end(), [&](const OfferColumn& column) { return column.name == name; });
    return static_cast<std::size_t>(at - table.columns.begin());
}

std::string slugOf(const std::string& title) {
    std::string slug;
    for (const char c : title) slug += c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return slug;
}

OfferTable emptyFigures() { return {{{"Figure", 5}, {"Value", 2.4, true}, {"Key", 4.2}}, {}}; }

OfferStatement::OfferStatement(const OfferRequest& request)
    : m_isCustomer(request.isCustomer),
      m_source{request.metrics.instant, &request.metrics.background} {
    m_stated.fingerprint = request.metrics.fingerprint;
    m_stated.by = StatedFigures::By::Offer;
    m_stated.isCustomer = request.isCustomer;
    if (request.other) m_stated.other = request.other->metrics.fingerprint;
}

bool OfferStatement::isHidden(const FigureInfo& row) const {
    return m_isCustomer && (row.storedUnit == "USD" || row.key.starts_with("cost."));
}

void OfferStatement::state(std::string key, std::optional<double> value, const std::string& text) {
    if (!text.empty()) m_stated.add(std::move(key), value, text);
}

void OfferStatement::addFigure(OfferTable& table, const std::string& title, const std::string& key, std::optional<double> value,
                               const std::string& text) {
    table.rows.push_back({title, text, key});
    state(key, value, text);
}

OfferTable OfferStatement::figuresOfSection(std::string_view name) {
    OfferTable table = emptyFigures();
    for (const FigureValue& figure : figuresOf(m_source)) {
        const FigureInfo& row = *figure.row;
        if (row.section != name || row.title.empty() || isHidden(row) || !figure.member.value) continue;
        if (row.isFamily() && *figure.member.value == 0) continue; // nothing of this tier or category
        const auto words = wordsOf(figure.key());
        addFigure(table, words ? words->title : std::string(row.title), figure.key(), *figure.member.value,
                  textOf(row, *figure.member.value));
    }
    return table;
}

std::string OfferStatement::textOf(const FigureInfo& row, double value) const {
    if (row.display.text) return row.display.text(m_source);
    if (row.format == FigureFormat::Percent) return formatShare(value);
    return (row.isBound && row.isBound(m_source) && row.pricesOf != PricesOf::Nothing ? "≥ " : "") + figureText(row, value);
}

} // namespace railyard
