#include "core/io/verification/verification.h"

#include "core/io/document/carried_design.h"
#include "core/io/presentation/offer.h"
#include "core/io/presentation/slide_content.h"
#include "core/io/tables/currency.h"
#include "core/io/tables/table.h"
#include "core/io/verification/package_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

std::optional<double> numberIn(const std::string& text) {
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

// Spreadsheet programs keep 15 digits.
bool isSame(double stated, double now) { return std::abs(stated - now) <= 1e-9 * std::abs(now); }

// By the ID of their part: a part may have several lines, and prices of cables go by their length.
struct PartLines {
    double quantity = 0;
    std::vector<std::optional<double>> dollars; // of one
};
std::map<std::string, PartLines> linesByPart(const Bill& bill) {
    std::map<std::string, PartLines> parts;
    for (const BillLine& line : bill.lines) {
        if (!line.part) continue;
        PartLines& part = parts[line.part->id];
        part.quantity += static_cast<double>(line.quantity);
        part.dollars.push_back(line.base ? std::optional(line.base->inDollars()) : std::nullopt);
    }
    return parts;
}

// "1,024" and "12.4" in "1,024 GPUs cost 12.4 % more".
std::vector<std::string> numbersIn(const std::string& text) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::vector<std::string> numbers;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isDigit(text[at])) continue;
        std::size_t end = at;
        while (end < text.size() &&
               (isDigit(text[end]) || ((text[end] == ',' || text[end] == '.') && end + 1 < text.size() && isDigit(text[end + 1]))))
            ++end;
        numbers.push_back(text.substr(at, end - at));
        at = end;
    }
    return numbers;
}

class Verifier {
public:
    Verifier(const std::string& file, const VerifiedDesign& design)
        : m_file(file),
          m_design(design),
          m_source{design.metrics.instant, &design.metrics.background} {}

    // The list that the file carries. In a package the visible numbers are compared instead, because people edit them.
    Status takeList(const std::string& bytes, bool isPackage) {
        const auto carried = carriedText(CarriedText::Figures, bytes, m_file);
        if (!carried) return carried.errors();
        if (!*carried) return Done{};
        const auto stated = readStated(**carried, m_file);
        if (!stated) return stated.errors();
        m_result.fingerprint = stated->fingerprint;
        if (isPackage) return Done{};
        const bool lacksOther = !stated->other.empty() && !m_design.other;
        if (lacksOther) m_result.otherFingerprint = stated->other;
        const auto now = statedNow(stated->by, stated->isCustomer);
        std::set<std::string_view> keys;
        for (const StatedFigure& figure : stated->figures) {
            keys.insert(figure.key);
            if (lacksOther && isOfOther(figure.key))
                ++m_result.unchecked;
            else if (const auto found = now.find(figure.key); found != now.end())
                compare(figure, found->second);
            else if (!figure.value)
                ++m_result.figures, stale(figure.key, figure.text, "no longer there");
            else
                compare(figure.key, figure.value, figure.text, 1);
        }
        for (const auto& [key, figure] : now)
            if (key.starts_with("bill.") && !keys.contains(key)) stale(key, "not stated", figure.text);
        return Done{};
    }
    Status takePackage(const std::string& bytes) {
        const auto kind = kindOfPackage(bytes, m_file);
        if (!kind) return kind.errors();
        if (*kind == PackageKind::Workbook) return takeWorkbook(bytes);
        return *kind == PackageKind::Presentation ? takePresentation(bytes) : Status(Done{});
    }
    Result<Verification> result() && {
        if (m_result.figures == 0)
            return Error::file(m_file, "states no figures of a design; verify reads workbooks of the bill, slides and reports")
                .with("read");
        return std::move(m_result);
    }

private:
    void stale(const std::string& key, const std::string& stated, const std::string& now) { m_result.stale.push_back({key, stated, now}); }

    // What a slide or an offer of this design states, by its keys.
    std::map<std::string, StatedFigure> statedNow(StatedFigures::By by, bool isCustomer) const {
        std::map<std::string, StatedFigure> now;
        if (by == StatedFigures::By::Figures) return now;
        const std::optional<OtherDesign> twin = m_design.other ? std::nullopt : twinBeside(*m_design.fabric->design);
        const OtherDesign* beside = twin ? &*twin : nullptr;
        const StatedFigures stated = by == StatedFigures::By::Offer
                                         ? offerOf({m_design.fabric, m_design.metrics, beside, m_design.other, isCustomer}).stated
                                         : slideContentOf(*m_design.fabric, m_design.metrics, beside, {.showsPrices = !isCustomer}).stated;
        for (const StatedFigure& figure : stated.figures) now.emplace(figure.key, figure);
        return now;
    }

    void compare(const StatedFigure& stated, const StatedFigure& now) {
        ++m_result.figures;
        const bool areNumbers = stated.value && now.value;
        if (areNumbers ? isSame(*stated.value, *now.value) : stated.text == now.text) return;
        if (!areNumbers || stated.text != now.text) return stale(stated.key, stated.text, now.text);
        stale(stated.key, fmt::format("{}", *stated.value), fmt::format("{}", *now.value)); // rounded they read alike
    }
    // `scale`: what is stated / the value of the figure.
    void compare(const std::string& key, std::optional<double> stated, const std::string& text, double scale) {
        ++m_result.figures;
        const auto now = statedFigure(m_source, key);
        if (!now) return stale(key, text, figureNamed(key) ? "not known" : "there is no such figure");
        const FigureInfo& row = *figureNamed(key);
        const std::string nowText = now->text;
        if (!stated) return stale(key, text, nowText);
        if (isSame(*stated, *now->value * scale)) return;
        const std::string statedText = text.empty() ? figureText(row, *stated / scale) : text;
        if (statedText != nowText) return stale(key, statedText, nowText);
        stale(key, fmt::format("{}", *stated / scale), fmt::format("{}", *now->value)); // rounded they read alike
    }
    // "≥ $3.57 M", "1,024 GPUs": the figure with a bound before it, or with what it counts behind it.
    void compareText(const std::string& key, const std::string& shown) {
        ++m_result.figures;
        const auto now = statedFigure(m_source, key);
        if (!now) return shown == "–" ? void() : stale(key, shown, "not known");
        std::string text = shown;
        for (const std::string_view bound : {"≥ ", "≤ "})
            if (text.starts_with(bound)) text.erase(0, bound.size());
        const bool isSameText = text.starts_with(now->text) && (text.size() == now->text.size() || text[now->text.size()] == ' ');
        if (!isSameText) stale(key, shown, now->text);
    }

    // People reword titles, so only the numbers in them are compared.
    void compareNumbers(const std::string& key, const std::string& shown, const std::string& now) {
        ++m_result.figures;
        const std::vector<std::string> known = numbersIn(now);
        for (const std::string& number : numbersIn(shown))
            if (std::find(known.begin(), known.end(), number) == known.end()) return stale(key, shown, now);
    }

    Status takePresentation(const std::string& bytes) {
        const auto texts = slideTexts(bytes, m_file);
        if (!texts) return texts.errors();
        const std::vector<NamedShape>& shapes = texts->shapes;
        const bool isCustomer = std::none_of(shapes.begin(), shapes.end(), [](const NamedShape& each) { return each.name == networkCost; });
        bool isOurs = false; // a slide of ours has shapes that are named by figures
        for (const NamedShape& shape : shapes)
            if (figureNamed(shape.name)) isOurs = true, compareText(shape.name, shape.text);
        if (!isOurs) return Done{};
        const std::optional<OtherDesign> twin = twinBeside(*m_design.fabric->design);
        const SlideContent now = slideContentOf(*m_design.fabric, m_design.metrics, twin ? &*twin : nullptr, {.showsPrices = !isCustomer});
        for (const NamedShape& shape : shapes) {
            if (figureNamed(shape.name)) continue;
            if (shape.isTitle) compareNumbers(std::string(titleKey), shape.text, now.title);
            for (const StatedFigure& figure : now.stated.figures)
                if (figure.key == shape.name && figure.key != titleKey) compareNumbers(figure.key, shape.text, figure.text);
        }
        for (const SheetRows& table : texts->tables) takeComparison(table, now);
        return Done{};
    }
    // The table of the second slide: a column a figure, a row a layout.
    void takeComparison(const SheetRows& table, const SlideContent& now) {
        if (table.empty()) return;
        for (std::size_t c = 0; c < now.columns.size(); ++c) {
            const auto column = std::find(table.front().begin(), table.front().end(), now.columns[c].title);
            if (column == table.front().end()) continue;
            const auto place = static_cast<std::size_t>(column - table.front().begin());
            for (std::size_t r = 0; r < now.rows.size() && r + 1 < table.size(); ++r) {
                ++m_result.figures;
                const std::string& shown = cellOf(table[r + 1], place);
                const std::string words = now.rows[r].cells[c].words();
                if (shown != words) stale((r == 0 ? "" : std::string(otherPrefix)) + now.columns[c].key, shown, words);
            }
        }
    }

    Status takeWorkbook(const std::string& bytes) {
        const auto sheets = rowsOfSheets(bytes, {"Summary", "BOM", "Assumptions"}, m_file);
        if (!sheets) return sheets.errors();
        for (const auto& row : sheets->at("Assumptions"))
            if (const auto rate = rateIn(cellOf(row, 1)); rate && cellOf(row, 0) == "Exchange rate") m_currency.perDollar = *rate;
        takeSummary(sheets->at("Summary"));
        takeBom(sheets->at("BOM"));
        return Done{};
    }
    // The places of these headings in the row that has all of them, and the rows below it.
    static std::optional<std::pair<std::size_t, std::vector<std::size_t>>> headingsIn(const SheetRows& rows,
                                                                                      const std::vector<std::string_view>& names) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::vector<std::size_t> columns;
            for (const std::string_view name : names) {
                const auto at = std::find(rows[r].begin(), rows[r].end(), name);
                if (at != rows[r].end()) columns.push_back(static_cast<std::size_t>(at - rows[r].begin()));
            }
            if (columns.size() == names.size()) return std::pair(r + 1, columns);
        }
        return {};
    }
    static const std::string& cellOf(const std::vector<std::string>& row, std::size_t column) {
        static const std::string nothing;
        return column < row.size() ? row[column] : nothing;
    }
    void takeSummary(const SheetRows& rows) {
        const auto heading = headingsIn(rows, {"Value", "Key"});
        if (!heading) return;
        for (std::size_t r = heading->first; r < rows.size(); ++r) {
            const std::string &key = cellOf(rows[r], heading->second[1]), &value = cellOf(rows[r], heading->second[0]);
            const FigureInfo* row = key.empty() ? nullptr : figureNamed(key);
            if (!row) continue;
            const auto number = numberIn(value);
            if (!number && !statedFigure(m_source, key)) {
                ++m_result.figures; // not known then, and not now
                continue;
            }
            compare(key, number, number ? std::string() : value, row->scale);
        }
    }
    // Quantities by part: the lines of a bill by block add up to those of a flat one.
    void takeBom(const SheetRows& rows) {
        const auto heading = headingsIn(rows, {"Section", "Qty", "Catalogue ID"});
        if (!heading) return;
        std::map<std::string, double> stated;
        for (std::size_t r = heading->first; r < rows.size(); ++r) {
            const std::string& id = cellOf(rows[r], heading->second[2]);
            if (id.empty() || cellOf(rows[r], heading->second[0]) == "Spares") continue;
            stated[id] += numberIn(cellOf(rows[r], heading->second[1])).value_or(0);
        }
        for (const auto& [id, quantity] : stated) {
            ++m_result.figures;
            const auto now = m_parts.find(id);
            const std::string nowText = now == m_parts.end() ? "not in the bill" : fmt::format("{}", now->second.quantity);
            if (now == m_parts.end() || now->second.quantity != quantity)
                stale(billKey(id, "quantity"), fmt::format("{}", quantity), nowText);
        }
        for (const auto& [id, part] : m_parts)
            if (!stated.contains(id)) stale(billKey(id, "quantity"), "not in the bill", fmt::format("{}", part.quantity));
        takePrices(rows);
    }
    // Prices in the currency of the sheet, and what its formulas make of them. A discount is of whoever wrote the bill.
    void takePrices(const SheetRows& rows) {
        const auto heading =
            headingsIn(rows, {"Total qty", "Unit price", "Discount %", "Net price", "Extended net", "Currency", "Catalogue ID"});
        if (!heading) return; // a copy for the customer
        for (std::size_t r = heading->first; r < rows.size(); ++r) {
            const auto cell = [&](std::size_t column) -> const std::string& { return cellOf(rows[r], heading->second[column]); };
            const std::string& id = cell(6);
            const auto part = m_parts.find(id);
            if (id.empty() || part == m_parts.end()) continue;
            m_currency.code = cell(5);
            if (m_currency.code != "USD" && m_currency.perDollar == 1) continue; // of an unknown rate
            comparePrice(id, numberIn(cell(1)), part->second.dollars);
            const auto unit = numberIn(cell(1)), net = numberIn(cell(3)), extended = numberIn(cell(4));
            const double discount = numberIn(cell(2)).value_or(0), count = numberIn(cell(0)).value_or(0);
            if (unit && net) compareProduct(billKey(id, "net"), *net, roundedToCents(*unit * (1 - discount / 100)));
            if (net && extended) compareProduct(billKey(id, "extended"), *extended, roundedToCents(*net * count));
        }
    }
    void comparePrice(const std::string& id, std::optional<double> stated, const std::vector<std::optional<double>>& dollars) {
        ++m_result.figures;
        const auto amount = [&](double price) { return roundedToCents(price * m_currency.perDollar); };
        const auto words = [&](double shown) { return shownNumber(shown, CellFormat::Money) + " " + m_currency.code; };
        std::string now;
        for (const std::optional<double>& price : dollars) {
            if (stated.has_value() == price.has_value() && (!stated || isSame(*stated, amount(*price)))) return;
            const std::string text = price ? words(amount(*price)) : std::string("no price");
            if (now.find(text) == std::string::npos) now += (now.empty() ? "" : " or ") + text;
        }
        stale(billKey(id, "unit_price"), stated ? words(*stated) : "no price", now);
    }
    void compareProduct(const std::string& key, double stated, double now) {
        ++m_result.figures;
        constexpr double cent = 0.005 + 1e-9;
        if (std::abs(stated - now) <= cent || isSame(stated, now)) return;
        stale(key, shownNumber(stated, CellFormat::Money), shownNumber(now, CellFormat::Money));
    }

    static constexpr std::string_view networkCost = "cost.network_usd";
    const std::string& m_file;
    const VerifiedDesign& m_design;
    FigureSource m_source;
    std::map<std::string, PartLines> m_parts = linesByPart(m_design.metrics.instant.bill);
    Currency m_currency;
    Verification m_result;
};

} // namespace

Result<Verification> verifyFigures(const std::string& bytes, const std::string& file, const VerifiedDesign& design) {
    Verifier verifier(file, design);
    const bool isPackage = bytes.starts_with("PK");
    if (Status done = verifier.takeList(bytes, isPackage); !done) return done.errors();
    if (isPackage)
        if (Status done = verifier.takePackage(bytes); !done) return done.errors();
    return std::move(verifier).result();
}

} // namespace railyard
