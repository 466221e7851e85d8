#include "core/analysis/figures/shown_figures.h"

#include "core/analysis/metrics/networks_total.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr const char* unknown = "–";

ShownFigure shownOf(const FigureInfo& row, const FigureSource& source) {
    const FigureDisplay& display = row.display;
    ShownFigure shown{&row, std::string(row.key), std::string(display.title), row.read(source), {}, {}, {}, nullptr, {}};
    const char* const bound = row.isBound && row.isBound(source) && row.pricesOf != PricesOf::Nothing ? "≥ " : "";
    shown.text = display.text ? display.text(source) : shown.value ? bound + figureText(row, *shown.value) : unknown;
    if (display.tag) shown.tag = display.tag(source);
    if (display.note) shown.note = display.note(source);
    shown.comparedRow = display.compared.empty() ? &row : figureNamed(display.compared);
    shown.compared = shown.comparedRow->read(source);
    return shown;
}

void addMembers(const FigureInfo& row, const FigureSource& source, std::vector<ShownFigure>& figures) {
    for (const FigureMember& member : row.members(source)) {
        if (member.value.value_or(1) == 0) continue;
        std::string title(row.display.title);
        title.replace(title.find("{}"), 2, member.name);
        figures.push_back({&row,
                           std::string(row.key) + member.name,
                           std::move(title),
                           member.value,
                           member.value ? figureText(row, *member.value) : unknown,
                           {},
                           {},
                           &row,
                           member.value});
    }
}

std::vector<const FigureInfo*> rowsOf(FigureDisplay::Place place) {
    std::vector<const FigureInfo*> rows;
    for (const FigureInfo& row : figureTable())
        if ((row.display.places & place) != 0) rows.push_back(&row);
    if (place == FigureDisplay::Summary) return rows; // a sheet has the order of the table
    std::stable_sort(rows.begin(), rows.end(), [](const FigureInfo* a, const FigureInfo* b) { return a->display.rank < b->display.rank; });
    return rows;
}

PartKinds leftOut(const FigureInfo& row, const std::string& key, const Bill& bill) {
    switch (row.pricesOf) {
    case PricesOf::Nothing: break;
    case PricesOf::Network: return unpricedKinds(bill, &Bill::network);
    case PricesOf::AllNetworks: return networksLeftOut(bill);
    case PricesOf::Everything: return unpricedKinds(bill, &Bill::total);
    case PricesOf::Category: {
        PartKinds kinds = unpricedKinds(bill, &Bill::total);
        for (std::size_t c = 0; c < billCategoryNames.size(); ++c)
            if (key.substr(row.key.size()) != billCategoryNames[c]) kinds.reset(c);
        return kinds;
    }
    }
    return {};
}

} // namespace

std::vector<ShownFigure> shownFigures(FigureDisplay::Place place, const FigureSource& source) {
    std::vector<ShownFigure> figures;
    for (const FigureInfo* row : rowsOf(place)) {
        if (row->isFamily())
            addMembers(*row, source, figures);
        else
            figures.push_back(shownOf(*row, source));
    }
    return figures;
}

std::vector<std::pair<ShownFigure, ShownFigure>> shownFigures(FigureDisplay::Place place, const FigureSource& first,
                                                              const FigureSource& second) {
    std::vector<std::pair<ShownFigure, ShownFigure>> pairs;
    for (const FigureInfo* row : rowsOf(place)) {
        if (!row->isFamily()) {
            pairs.emplace_back(shownOf(*row, first), shownOf(*row, second));
            continue;
        }
        std::vector<ShownFigure> a, b;
        addMembers(*row, first, a);
        addMembers(*row, second, b);
        const auto absent = [&](ShownFigure of) {
            of.value = of.compared = 0;
            of.text = figureText(*row, 0);
            return of;
        };
        const auto find = [](const std::vector<ShownFigure>& in, const std::string& key) {
            return std::find_if(in.begin(), in.end(), [&](const ShownFigure& each) { return each.key == key; });
        };
        for (const ShownFigure& each : a) {
            const auto other = find(b, each.key);
            pairs.emplace_back(each, other == b.end() ? absent(each) : *other);
        }
        for (const ShownFigure& each : b)
            if (find(a, each.key) == a.end()) pairs.emplace_back(absent(each), each);
    }
    return pairs;
}

std::string lineText(const ShownFigure& figure, const FigureSource& source) {
    const FigureInfo* companion = figure.row->display.companion.empty() ? nullptr : figureNamed(figure.row->display.companion);
    if (!companion || !figure.value) return figure.text;
    return fmt::format("{} · {}", figure.text, shownOf(*companion, source).text);
}

bool isOfBackground(const FigureInfo& figure) {
    static constexpr std::string_view sections[] = {"bisection.", "collectives.", "latency.", "failure.", "training."};
    return std::any_of(std::begin(sections), std::end(sections), [&](std::string_view section) { return figure.key.starts_with(section); });
}

std::optional<double> differenceOf(const ShownFigure& first, const ShownFigure& second, const Bill& firstBill, const Bill& secondBill) {
    if (!first.compared || !second.compared) return {};
    if (leftOut(*first.row, first.key, firstBill) != leftOut(*second.row, second.key, secondBill)) return {};
    return *second.compared - *first.compared;
}

std::string differenceText(const ShownFigure& first, const ShownFigure& second, const Bill& firstBill, const Bill& secondBill) {
    const auto difference = differenceOf(first, second, firstBill, secondBill);
    if (!difference) return first.compared && second.compared ? unknown : "";
    if (*difference == 0) return {};
    const FigureInfo& row = *first.comparedRow;
    const bool isAmount = row.storedUnit == "USD" || row.storedUnit == "W" || (row.storedUnit.empty() && row.format == FigureFormat::Count);
    if (isAmount) return (*difference > 0 ? "+" : "−") + figureText(row, std::abs(*difference));
    if (*first.compared == 0) return "was 0";
    const double percent = *difference / *first.compared * 100;
    return fmt::format("{}{:.{}f} %", percent > 0 ? "+" : "−", std::abs(percent), std::abs(percent) < 10 ? 1 : 0);
}

} // namespace railyard
