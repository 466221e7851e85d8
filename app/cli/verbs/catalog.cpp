#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/catalog/catalog_json.h"
#include "core/catalog/price_book.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace railyard::cli {
namespace {

std::string priceText(const Part& part) {
    if (!part.price || !part.price->base) return "–";
    return formatCount(part.price->base->inCents() / 100);
}

// As shipped, with the user's own price beside it.
Json partJson(const Part& part) {
    Json json = Json::parse(part.original);
    if (!part.shippedPrice) return json;
    const auto dollars = [](const std::optional<Money>& money) { return money ? Json(money->inDollars()) : Json(); };
    json["own_price"] = {
        {"low_usd", dollars(part.price->low)}, {"base_usd", dollars(part.price->base)}, {"high_usd", dollars(part.price->high)}};
    for (const auto& [length, money] : part.price->byLength)
        json["own_price"]["by_length"].push_back({{"length_m", length.value()}, {"base_usd", money.inDollars()}});
    json["own_price"]["date"] = part.price->date;
    json["own_price"]["source"] = part.price->source;
    return json;
}

int catalogList(const std::string& kind, const AnswerOptions& answer) {
    static constexpr std::string_view kinds[] = {"gpu", "server", "nic", "switch", "optic", "cable", "rack", "service", "ocs"};
    if (!kind.empty() && std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
        return report(
            {Error::usage(fmt::format("--kind {}: must be one of gpu, server, nic, switch, optic, cable, rack, service, ocs", kind))});
    Json list = Json::array();
    const CatalogPointer catalog = pricedCatalog(); // a range-for would not keep it
    for (const auto& [id, part] : catalog->parts()) {
        if (!kind.empty() && part.kind() != kind) continue;
        list.push_back(partJson(part));
        if (answer.wantsText())
            fmt::print("{:<30}{:<8}{:<48}{:>12} {}\n", id, part.kind(), part.name.substr(0, 47), priceText(part),
                       part.price ? part.price->date : "");
    }
    return answer.give(Json{{"schema", "railyard.catalog/1"}, {"as_of", shippedCatalog()->asOf()}, {"parts", list}});
}

int catalogShow(const std::string& id, const AnswerOptions& answer) {
    const CatalogPointer catalog = pricedCatalog();
    const Part* part = catalog->find(id);
    if (!part) {
        std::string nearest;
        for (const std::string& name : shippedCatalog()->nearest(id, "")) nearest += (nearest.empty() ? "" : ", ") + name;
        return report({Error::usage(fmt::format("there is no part \"{}\"; similar: {}", id, nearest))});
    }
    if (answer.wantsText()) {
        fmt::print("{}", shownPart(*part));
        if (part->shippedPrice) fmt::print("{:<22}{} ({}), {}\n", "price book", priceText(*part), part->price->date, part->price->source);
    }
    Json shown{{"schema", "railyard.part/1"}};
    shown.update(partJson(*part));
    return answer.give(shown);
}

// Prices of `file` join the user's book. Ids that the catalogue does not have are kept and named: some may be mistyped.
int importPrices(const std::string& file, const AnswerOptions& answer) {
    constexpr std::size_t mostNamed = 20;
    auto text = readFile(file);
    if (!text) return report(text.errors());
    auto fresh =
        PriceBook::read(std::move(*text), file, [](const std::string& number) { return partWithNumber(*shippedCatalog(), number); });
    if (!fresh) return report(fresh.errors());
    const auto done = railyard::importPrices(*fresh);
    if (!done) return report(done.errors());
    Json unknown = Json::array();
    for (const BookedPrice& price : fresh->prices())
        if (!shippedCatalog()->find(price.id)) unknown.push_back(price.id);
    for (std::size_t i = 0; i < std::min(unknown.size(), mostNamed); ++i)
        fmt::print(stderr, "railyard-cli: note: the catalogue has no part \"{}\"; its price was imported anyway; similar: {}\n",
                   unknown[i].get<std::string>(), fmt::join(shippedCatalog()->nearest(unknown[i].get<std::string>(), ""), ", "));
    if (unknown.size() > mostNamed)
        fmt::print(stderr, "railyard-cli: note: {} more parts are not in the catalogue\n", unknown.size() - mostNamed);
    const auto prices = [](std::size_t n) {
        return fmt::format("{} price{}", formatCount(static_cast<std::int64_t>(n)), n == 1 ? "" : "s");
    };
    if (answer.wantsText())
        fmt::print("{} imported ({} already in the price book replaced). The price book now has {}: {}\n", prices(fresh->prices().size()),
                   formatCount(static_cast<std::int64_t>(done->replaced)), prices(done->prices), done->path);
    return answer.give(Json{{"schema", "railyard.imported_prices/1"},
                            {"imported", fresh->prices().size()},
                            {"replaced", done->replaced},
                            {"prices", done->prices},
                            {"unknown_parts", unknown},
                            {"book", done->path}});
}

Run addCatalog(CLI::App& verb) {
    verb.require_subcommand(1);
    auto chosen = std::make_shared<Run>();
    auto kind = std::make_shared<std::string>(), id = std::make_shared<std::string>(), prices = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    CLI::App* list = verb.add_subcommand("list", "list all parts, or the parts of one kind");
    list->add_option("--kind", *kind, "kind of part: gpu, server, nic, switch, optic, cable, rack or service");
    answer->addTo(*list);
    list->callback([=] { *chosen = [=] { return catalogList(*kind, *answer); }; });
    CLI::App* show = verb.add_subcommand("show", "show a part with its sources");
    show->add_option("ID", *id, "part ID")->required();
    answer->addTo(*show);
    show->callback([=] { *chosen = [=] { return catalogShow(*id, *answer); }; });
    CLI::App* imports = verb.add_subcommand("import", "import prices from a CSV file into your price book");
    imports
        ->add_option(
            "CSV", *prices,
            "file with the columns id or part_number (of the maker), length_m, low_usd, base_usd, high_usd, date, source, kind (list, "
            "reseller, compatible, quote, estimate); the first and base_usd are required")
        ->required();
    answer->addTo(*imports);
    imports->callback([=] { *chosen = [=] { return importPrices(*prices, *answer); }; });
    return [=] { return (*chosen)(); };
}

// `import` is what mends a broken price book.
bool catalogShowsPrices(const CLI::App& verb) { return !verb.got_subcommand("import"); }

} // namespace

const VerbInfo catalogVerb{"catalog", "show parts and prices with source and date, or import prices", catalogShowsPrices, addCatalog};

} // namespace railyard::cli
