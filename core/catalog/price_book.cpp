#include "core/catalog/price_book.h"

#include "core/base/csv_rows.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <set>
#include <unistd.h>
#include <utility>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 9> headings{"id",   "length_m", "low_usd", "base_usd",   "high_usd",
                                                   "date", "source",   "kind",    "part_number"};
enum Heading : std::size_t { Id, Length, Low, Base, High, Date, Source, Kind, Number };
constexpr double mostDollars = 1e10;

bool isDate(const std::string& text) { // 2026, 2026-07, 2026-07-31
    if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((i == 4 || i == 7) ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
    return true;
}

// Headings match whatever their case, blanks and underscores: "Base USD" is base_usd.
std::string plain(std::string_view heading) {
    std::string text;
    for (const char c : heading)
        if (c != ' ' && c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
}

class Reader {
public:
    Reader(const std::string& file, const PartLookup& lookup) : m_file(file), m_lookup(lookup) {}

    void heading(const CsvRow& row) {
        m_column.fill(row.cells.size());
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            const auto at =
                std::find_if(headings.begin(), headings.end(), [&](std::string_view h) { return plain(h) == plain(row.cells[c]); });
            if (at == headings.end())
                fail(row, c,
                     fmt::format("unknown column \"{}\"; the columns are id or part_number, length_m, low_usd, base_usd, high_usd, date, "
                                 "source, kind",
                                 row.cells[c]));
            else
                m_column[static_cast<std::size_t>(at - headings.begin())] = c;
        }
        m_isByNumber = m_lookup && m_column[Id] == row.cells.size() && m_column[Number] < row.cells.size();
        for (const Heading needed : {m_isByNumber ? Number : Id, Base})
            if (m_column[needed] == row.cells.size()) fail(row, 0, fmt::format("the required column {} is missing", headings[needed]));
    }

    void price(const CsvRow& row) {
        BookedPrice price;
        if (m_isByNumber) {
            takeNumber(row, price);
        } else {
            price.id = row.cell(m_column[Id]);
            if (price.id.empty()) fail(row, m_column[Id], "id is empty; write the part ID from the catalogue, for example sw-qm9700");
        }
        if (const auto metres = number(row, Length, 1e5)) price.length = Metres(*metres);
        const auto low = number(row, Low, mostDollars), base = number(row, Base, mostDollars), high = number(row, High, mostDollars);
        if (row.cell(m_column[Base]).empty()) fail(row, m_column[Base], "base_usd is empty; write the unit price in US dollars");
        if (low) price.low = Money::dollars(*low);
        if (high) price.high = Money::dollars(*high);
        price.base = Money::dollars(base.value_or(0));
        if (base && ((low && *low > *base) || (high && *high < *base)))
            fail(row, m_column[Base], "low_usd, base_usd and high_usd must satisfy low_usd <= base_usd <= high_usd");
        price.date = row.cell(m_column[Date]);
        if (!price.date.empty() && !isDate(price.date))
            fail(row, m_column[Date], fmt::format("date is \"{}\"; write it as 2026-11-30, 2026-11 or 2026", price.date));
        price.source = row.cell(m_column[Source]);
        price.kind = row.cell(m_column[Kind]);
        if (!price.kind.empty() && std::find(priceKindNames.begin(), priceKindNames.end(), price.kind) == priceKindNames.end())
            fail(row, m_column[Kind],
                 fmt::format("kind is \"{}\"; write one of {}, or nothing for a quote", price.kind, fmt::join(priceKindNames, ", ")));
        if (!price.id.empty() && !m_seen.emplace(price.id, price.length ? price.length->value() : -1).second)
            fail(row, m_column[Id], fmt::format("{} already has a price; a part can have one price per length", price.id));
        prices.push_back(std::move(price));
    }

    std::vector<BookedPrice> prices;
    std::vector<Error> errors;

private:
    void takeNumber(const CsvRow& row, BookedPrice& price) {
        const std::string& number = row.cell(m_column[Number]);
        const auto part = m_lookup(number);
        if (!part) return fail(row, m_column[Number], part.error().text);
        price.id = part->id;
        price.length = part->length;
    }
    void fail(const CsvRow& row, std::size_t column, std::string text) {
        if (errors.size() < mostErrors) errors.push_back(Error::file(m_file, std::move(text), row.line, static_cast<int>(column) + 1));
    }
    std::optional<double> number(const CsvRow& row, Heading heading, double most) {
        const std::string& text = row.cell(m_column[heading]);
        if (text.empty()) return {};
        double value = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value >= 0 && value <= most) return value;
        fail(row, m_column[heading],
             fmt::format("{} is \"{}\"; write a plain number from 0 to {:.0f}, for example 32870.50", headings[heading], text, most));
        return {};
    }

    std::string m_file;
    const PartLookup& m_lookup;
    bool m_isByNumber = false;
    std::array<std::size_t, headings.size()> m_column{};
    std::set<std::pair<std::string, double>> m_seen;
};

std::pair<std::string_view, double> keyOf(const BookedPrice& price) { return {price.id, price.length ? price.length->value() : -1}; }

Price priceOf(const BookedPrice& booked) {
    Price price;
    price.low = booked.low;
    price.base = booked.base;
    price.high = booked.high;
    price.date = booked.date;
    price.source = "price book" + (booked.source.empty() ? "" : ": " + booked.source);
    price.basis = "own price";
    price.confidence = "published-price";
    price.kind = booked.kind.empty() ? "quote" : booked.kind;
    return price;
}

PriceBook& book() {
    static PriceBook inUse;
    return inUse;
}

} // namespace

Result<PriceBook> PriceBook::read(std::string bytes, const std::string& file, const PartLookup& lookup) {
    const auto text = checkedTable(std::move(bytes), file);
    if (!text) return text.errors();
    Reader reader(file, lookup);
    bool hasHeading = false;
    const Status done = eachCsvRow(*text, file, [&](const CsvRow& row) {
        if (std::exchange(hasHeading, true)) return reader.price(row), reader.errors.size() < mostErrors;
        reader.heading(row);
        return reader.errors.empty();
    });
    if (!done) return done.errors();
    if (!hasHeading) return Error::file(file, "is empty; the first row must contain the column names, for example id,base_usd", 1, 1);
    if (!reader.errors.empty()) return reader.errors;
    PriceBook result;
    result.m_prices = std::move(reader.prices);
    result.sort();
    return result;
}

void PriceBook::sort() {
    std::sort(m_prices.begin(), m_prices.end(), [](const BookedPrice& a, const BookedPrice& b) { return keyOf(a) < keyOf(b); });
}

std::string PriceBook::text() const {
    std::string text = fmt::format("{}\r\n", fmt::join(headings.begin(), headings.begin() + Number, ","));
    const auto money = [](const std::optional<Money>& amount) { return amount ? fmt::format("{}", amount->inDollars()) : std::string(); };
    for (const BookedPrice& p : m_prices)
        text += fmt::format("{},{},{},{},{},{},{},{}\r\n", quoted(p.id), p.length ? fmt::format("{}", p.length->value()) : "", money(p.low),
                            money(p.base), money(p.high), p.date, quoted(p.source), p.kind);
    return text;
}

void PriceBook::merge(const PriceBook& other) {
    std::vector<BookedPrice> all = other.m_prices;
    std::set<std::pair<std::string_view, double>> fresh;
    for (const BookedPrice& price : other.m_prices) fresh.insert(keyOf(price));
    for (const BookedPrice& price : m_prices)
        if (!fresh.contains(keyOf(price))) all.push_back(price);
    m_prices = std::move(all);
    sort();
}

Catalog PriceBook::applyTo(Catalog catalog) const {
    for (std::size_t from = 0, to; from < m_prices.size(); from = to) {
        for (to = from + 1; to < m_prices.size() && m_prices[to].id == m_prices[from].id;) ++to;
        const Part* known = catalog.find(m_prices[from].id);
        if (!known) continue;
        Part part = *known;
        if (!part.shippedPrice) part.shippedPrice = part.price.value_or(Price{});
        part.price = priceOf(m_prices[from]);
        for (std::size_t i = from; i < to; ++i)
            if (m_prices[i].length) part.price->byLength.emplace_back(*m_prices[i].length, m_prices[i].base);
        if (m_prices[from].length) part.price->base = part.price->low = part.price->high = std::nullopt; // only by length
        catalog.add(std::move(part));
    }
    return catalog;
}

std::string userPriceBookPath() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    if (const std::string path = variable("RAILYARD_PRICE_BOOK"); !path.empty()) return path;
    for (const char* folder : {"XDG_DATA_HOME", "APPDATA"})
        if (const std::string path = variable(folder); !path.empty()) return path + "/railyard/price-book.csv";
    std::string home = variable("HOME");
    if (const passwd* user = home.empty() ? ::getpwuid(::getuid()) : nullptr) home = user->pw_dir;
    return home.empty() || home == "/" ? std::string() : home + "/.local/share/railyard/price-book.csv";
}

namespace {

struct StoredBook {
    PriceBook book;
    std::string mark = noFileMark; // of the file as it was read
};

Result<StoredBook> storedBook(const std::string& path) {
    std::error_code failure;
    if (path.empty() || !std::filesystem::exists(path, failure)) return StoredBook();
    auto text = readFile(path);
    if (!text) return text.errors();
    std::string mark = contentMark(*text);
    auto book = PriceBook::read(std::move(*text), path);
    if (!book) return book.errors();
    return StoredBook{std::move(*book), std::move(mark)};
}

} // namespace

Result<PriceBook> userPriceBook() {
    auto stored = storedBook(userPriceBookPath());
    return stored ? Result<PriceBook>(std::move(stored->book)) : Result<PriceBook>(stored.errors());
}

namespace {

// Changes the book on disk, which others may do at the same time.
Result<PriceImport> changeBook(const std::function<Status(PriceBook& book)>& change) {
    PriceImport done;
    done.path = userPriceBookPath();
    if (done.path.empty()) return Error::usage("no folder for the price book: HOME is not set; set RAILYARD_PRICE_BOOK to a file");
    std::error_code failure;
    const auto folder = std::filesystem::path(done.path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, failure);
    if (failure) return Error::file(done.path, fmt::format("the folder cannot be created: {}", failure.message()));
    const auto lock = FileLock::acquire(done.path);
    if (!lock) return lock.errors();
    auto stored = storedBook(done.path);
    if (!stored) return stored.errors();
    if (Status changed = change(stored->book); !changed) return changed.errors();
    if (Status written = writeFile(done.path, stored->book.text(), {.knownMark = stored->mark}); !written) return written.errors();
    done.prices = stored->book.prices().size();
    return done;
}

} // namespace

Result<PriceImport> importPrices(const PriceBook& fresh) {
    std::size_t before = 0;
    auto done = changeBook([&](PriceBook& book) {
        before = book.prices().size();
        book.merge(fresh);
        return Status(Done{});
    });
    if (done) done->replaced = before + fresh.prices().size() - done->prices;
    return done;
}

Result<PriceImport> replacePrices(const PriceBook& fresh, const PriceBook& known) {
    return changeBook([&](PriceBook& book) -> Status {
        if (book.text() != known.text())
            return Error::file(userPriceBookPath(), "was changed by another program in the meantime; open the price book again")
                .with("write");
        book = fresh;
        return Done{};
    });
}

void usePriceBook(PriceBook used) { book() = std::move(used); }
const PriceBook& priceBookInUse() { return book(); }
CatalogPointer pricedCatalog() {
    return book().prices().empty() ? shippedCatalog() : std::make_shared<const Catalog>(book().applyTo(*shippedCatalog()));
}

} // namespace railyard
