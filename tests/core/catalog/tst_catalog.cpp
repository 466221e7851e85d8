#include "core/bill/part_number.h"
#include "core/catalog/catalog_json.h"
#include "core/design/recipes/recipe.h"
#include "core/json/json_view.h"

#include <QTest>

using namespace railyard;

class tst_catalog : public QObject {
    Q_OBJECT

private slots:
    void shipsEveryKind() {
        std::map<std::string_view, int> kinds;
        for (const auto& [id, part] : shippedCatalog()->parts()) ++kinds[part.kind()];
        for (const char* kind : {"gpu", "server", "nic", "switch", "optic", "cable"}) QVERIFY2(kinds[kind] >= 5, kind);
    }
    void everyPartNamesSourceAndConfidence() {
        for (const auto& [id, part] : shippedCatalog()->parts()) {
            QVERIFY2(!part.confidence.empty() && !part.asOf.empty(), id.c_str());
            if (part.price) QVERIFY2(!part.price->date.empty() && !part.price->confidence.empty(), id.c_str());
            if (part.price) { // a citation: who sells it or says so, not "a blog"
                const std::string& source = part.price->source;
                QVERIFY2(source.size() > 10 && source.find("blog ") == std::string::npos && source.find("script)") == std::string::npos,
                         (id + ": " + source).c_str());
                QVERIFY2(!source.starts_with("http") &&
                             std::count(source.begin(), source.end(), '(') == std::count(source.begin(), source.end(), ')'),
                         (id + ": " + source).c_str());
            }
            QVERIFY2(part.name.find("xxx") == std::string::npos && partNumberOf(&part, Metres(30)).number.find("xxx") == std::string::npos,
                     part.name.c_str());
            if (part.price && part.price->low && part.price->base) QVERIFY2(*part.price->low <= *part.price->base, id.c_str());
            if (part.price && part.price->high && part.price->base) QVERIFY2(*part.price->high >= *part.price->base, id.c_str());
        }
    }
    void oneDirectionEverywhere() {
        const auto* h100 = shippedCatalog()->find<ServerPart>("srv-dgx-h100")->as<ServerPart>();
        QCOMPARE(inGbps(h100->hbBandwidth), 3600.0); // 450 GB/s each way; brochures say 900
        const auto* qm9700 = shippedCatalog()->find<SwitchPart>("sw-qm9700")->as<SwitchPart>();
        QCOMPARE(inGbps(qm9700->capacity), 25600.0);
        QCOMPARE(qm9700->portsAt(gigabitsPerSecond(400)), 64);
        QCOMPARE(qm9700->portsAt(gigabitsPerSecond(123)), 0);
        for (const auto& [id, part] : shippedCatalog()->parts()) {
            const SwitchPart* details = part.as<SwitchPart>();
            if (!details || id == "sw-alibaba-hpn-tor") continue;
            for (const PortOption& option : details->ports)
                QVERIFY2(inGbps(option.speed) * option.count <= inGbps(details->capacity) * 1.0001, id.c_str());
        }
    }
    void recipesFindTheirParts() {
        for (const RecipeInfo& recipe : recipes())
            QVERIFY2(static_cast<bool>(resolve({std::string(recipe.name), {}}, *shippedCatalog())), std::string(recipe.name).c_str());
    }
    void pricesByLengthTakeTheNextLengthUp() {
        Price price;
        price.byLength = {{Metres(2), Money::dollars(5)}, {Metres(30), Money::dollars(100)}};
        QCOMPARE(price.baseAt(Metres(3))->inDollars(), 100.0);
        QCOMPARE(price.baseAt(Metres(2))->inDollars(), 5.0);
        QVERIFY(!price.baseAt(Metres(31)));
    }
    // A quote for a cable of 1 m says nothing of one of 30 m.
    void cablesArePricedByLength() {
        for (const auto& [id, part] : shippedCatalog()->parts()) {
            const CablePart* cable = part.as<CablePart>();
            const bool hasLength = id.find("cassette") == std::string::npos && id.find("enclosure") == std::string::npos;
            if (!cable || !hasLength || !part.price || !part.price->base) continue;
            QVERIFY2(!part.price->byLength.empty(), id.c_str());
            QVERIFY2(!part.price->baseAt(Metres(part.price->byLength.back().first.value() + 1)), id.c_str());
        }
        const Part* splitter = shippedCatalog()->find("fib-mpo12-om4-split");
        QCOMPARE(splitter->price->baseAt(Metres(1))->inDollars(), 122.0);
        QVERIFY(!splitter->price->baseAt(Metres(30)));
    }
    void oldPrices() {
        QVERIFY(isOldPrice("2023", "2026-09-22"));
        QVERIFY(!isOldPrice("2026-07", "2026-09-22"));
        QVERIFY(!isOldPrice("2025", "2026-09-22")); // it may be of December
        QVERIFY(isOldPrice("2025-08", "2026-09-22"));
    }
    void brokenCataloguesSayWhere() {
        const auto broken =
            readCatalog({{"mine.json", "{\n\"as_of\": \"2026\",\n\"parts\": [\n{\"id\": \"x\", \"kind\": \"switch\", \"ports\": "
                                       "[{\"count\": -1, \"gbps\": 400}], \"native_gbps\": \"fast\", \"capacity_gbps\": 1}]}"}});
        QVERIFY(!broken);
        QCOMPARE(broken.errors().size(), std::size_t{2});
        QCOMPARE(broken.errors()[0].where.line, 4);
        QVERIFY(toText(broken.errors()[0]).find("parts.0.ports.0.count") != std::string::npos);
    }
    void nearestIdsHelp() { QCOMPARE(shippedCatalog()->nearest("sw-qm970", "switch").front(), std::string("sw-qm9700")); }
};

QTEST_GUILESS_MAIN(tst_catalog)
#include "tst_catalog.moc"
