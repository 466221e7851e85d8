#include "core/io/stated/verification.h"

#include "core/io/document/carried_design.h"
#include "core/io/stated/package_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

std::optional<double> numberIn(const std::string& text) {
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

// Spreadsheet programs keep 15 digits.
bool isSame(double stated, double now) { return std::abs(stated - now) <= 1e-9 * std::abs(now); }

constexpr std::string_view quantityOf = "quantity."; // of a part in the bill

std::map<std::string, double> quantitiesOf(const Bill& bill) {
    std::map<std::string, double> quantities;
    for (const BillLine& line : bill.lines)
        if (line.part) quantities[std::string(quantityOf) + line.part->id] += static_cast<double>(line.quantity);
    return quantities;
}

class Verifier {
public:
    Verifier(const std::string& file, const Metrics& metrics)
        : m_file(file),
          m_metrics(metrics),
          m_source{metrics.instant, &metrics.background} {}

    // What the file carries beside what it shows. In a package what it shows counts.
    Status takeList(const std::string& bytes, bool isPackage) {
        const auto carried = carriedText(CarriedText::Figures, bytes, m_file);
        if (!carried) return carried.errors();
        if (!*carried) return Done{};
        const auto stated = readStated(**carried, m_file);
        if (!stated) return stated.errors();
        m_result.fingerprint = stated->fingerprint;
        if (isPackage) return Done{};
        for (const StatedFigure& figure : stated->figures) compare(figure.key, figure.value, figure.text, 1);
        return Done{};
    }
    Status takePackage(const std::string& bytes) {
        constexpr std::size_t most = std::size_t{256} << 20;
        const auto package = entriesOf(bytes, most);
        if (!package) return Error::file(m_file, package.error().text).with("read");
        if (isWorkbook(*package)) return takeWorkbook(*package);
        if (!isPresentation(*package)) return Done{};
        const auto shapes = namedShapes(*package, m_file);
        if (!shapes) return shapes.errors();
        for (const NamedShape& shape : *shapes)
            if (figureNamed(shape.name)) compareText(shape.name, shape.text);
        return Done{};
    }
    Result<Verification> result() && {
        if (m_result.figures == 0)
            return Error::file(m_file, "states no figures of a design; verify reads workbooks of the bill, slides and reports")
                .with("read");
        return std::move(m_result);
    }

private:
    void stale(const std::string& key, const std::string& stated, const std::string& now) { m_result.stale.push_back({key, stated, now}); }

    // `scale`: what is stated / the value of the figure.
    void compare(const std::string& key, std::optional<double> stated, const std::string& text, double scale) {
        if (key.starts_with(quantityOf)) return compareQuantity(key, stated.value_or(0));
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

    Status takeWorkbook(const ZipEntries& package) {
        const auto summary = rowsOfSheet(package, "Summary", m_file), bom = rowsOfSheet(package, "BOM", m_file);
        if (!summary) return summary.errors();
        if (!bom) return bom.errors();
        if (*summary) takeSummary(**summary);
        if (*bom) takeBom(**bom);
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
        for (const auto& [id, quantity] : stated) compareQuantity(std::string(quantityOf) + id, quantity);
        for (const auto& [key, quantity] : m_quantities)
            if (!stated.contains(key.substr(quantityOf.size()))) stale(key, "not in the bill", fmt::format("{}", quantity));
    }
    void compareQuantity(const std::string& key, double stated) {
        ++m_result.figures;
        const auto now = m_quantities.find(key);
        if (now == m_quantities.end() || now->second != stated)
            stale(key, fmt::format("{}", stated), now == m_quantities.end() ? "not in the bill" : fmt::format("{}", now->second));
    }

    const std::string& m_file;
    const Metrics& m_metrics;
    FigureSource m_source;
    std::map<std::string, double> m_quantities = quantitiesOf(m_metrics.instant.bill);
    Verification m_result;
};

} // namespace

Result<Verification> verifyFigures(const std::string& bytes, const std::string& file, const Metrics& metrics) {
    Verifier verifier(file, metrics);
    const bool isPackage = bytes.starts_with("PK");
    if (Status done = verifier.takeList(bytes, isPackage); !done) return done.errors();
    if (isPackage)
        if (Status done = verifier.takePackage(bytes); !done) return done.errors();
    return std::move(verifier).result();
}

} // namespace railyard
