#include "core/analysis/edit_text.h"
#include "core/io/document/design_json.h"
#include "core/io/document/document_changes.h"
#include "core/io/document/document_merge.h"
#include "tests/support/designs.h"
#include "tests/support/random_edits.h"

#include <QElapsedTimer>
#include <fmt/format.h>
#include <set>

using namespace railyard;

namespace {

DesignPointer after(DesignPointer design, const std::string& commands) {
    for (std::size_t from = 0; from < commands.size();) {
        const std::size_t end = std::min(commands.find(';', from), commands.size());
        const std::string command = commands.substr(from, end - from);
        const auto edit = applyEdit(design, command);
        if (!edit) qFatal("%s: %s", command.c_str(), edit.error().text.c_str());
        design = edit->design;
        from = end + 1;
    }
    return design;
}

std::set<std::string> pathsOf(const DesignChanges& found) {
    std::set<std::string> paths;
    for (const DocumentChange& change : found.changes) paths.insert(std::string(toText(change.kind)) + " " + change.path);
    return paths;
}

} // namespace

class tst_diff_and_merge : public QObject {
    Q_OBJECT

private slots:
    void changesAreNamed_data() {
        QTest::addColumn<QString>("edits");
        QTest::addColumn<QStringList>("changes");
        const auto row = [](const char* name, const char* edits, QStringList changes) {
            QTest::newRow(name) << QString::fromUtf8(edits) << changes;
        };
        row("nothing", "", {});
        row("setting", "set servers=48", {QStringLiteral("changed recipe.parameters.servers")});
        row("another setting", "set rails=4", {QStringLiteral("added recipe.parameters.rails")});
        row("part", "set su[1]/leaf[2].part=sw-qm9790", {QStringLiteral("added overrides.su[1]/leaf[2]")});
        row("moved", "set su[1]/leaf[2].at=120,40", {QStringLiteral("added overrides.su[1]/leaf[2]")});
        row("job", "set training.pp=2", {QStringLiteral("added training.options.pp")});
        row("site", "set bill.pue=1.2", {QStringLiteral("added bill.options.pue")});
        row("name", "set name=other", {QStringLiteral("changed name")});
        row("two", "set name=other;remove su[1]/leaf[1]",
            {QStringLiteral("changed name"), QStringLiteral("added overrides.su[1]/leaf[1]")});
    }
    void changesAreNamed() {
        QFETCH(QString, edits);
        QFETCH(QStringList, changes);
        const DesignPointer design = test::designOf("rail-optimized", {{"servers", "40"}});
        const DesignChanges found = changesBetween(design, after(design, edits.toStdString()));
        std::set<std::string> wanted;
        for (const QString& each : changes) wanted.insert(each.toStdString());
        QCOMPARE(pathsOf(found), wanted);
        const DesignChanges back = changesBetween(after(design, edits.toStdString()), design);
        QCOMPARE(back.changes.size(), found.changes.size());
        QCOMPARE(back.addedDevices, found.removedDevices);
        QCOMPARE(back.removedLinks, found.addedLinks);
    }
    void aMovedElementIsMoved() {
        const DesignPointer design = after(test::designOf("rail-optimized", {{"servers", "40"}}), "set su[1]/leaf[2].at=120,40");
        const DesignChanges found = changesBetween(design, after(design, "set su[1]/leaf[2].at=10,40"));
        QCOMPARE(pathsOf(found), (std::set<std::string>{"moved overrides.su[1]/leaf[2].at"}));
        QCOMPARE(found.count(DocumentChange::Kind::Moved), 1);
    }
    void theFabricIsCounted() {
        const DesignPointer design = test::designOf("rail-optimized", {{"servers", "40"}});
        const DesignChanges found = changesBetween(design, after(design, "set servers=41"));
        QCOMPARE(found.addedDevices, (std::map<std::string, std::int64_t>{{"gpu", 8}, {"hb-switch", 4}, {"nic", 8}}));
        QVERIFY(found.removedDevices.empty() && found.addedLinks.at("host-leaf") == 8);
    }
    // Edits of different values: the merge is what one after the other makes, in either order.
    void independentEditsAreBothApplied_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        const QStringList edits{QStringLiteral("set servers=48"),
                                QStringLiteral("set oversubscription=2:1"),
                                QStringLiteral("set name=renamed"),
                                QStringLiteral("set training.pp=2"),
                                QStringLiteral("set training.micro_batch=2"),
                                QStringLiteral("set bill.pue=1.2"),
                                QStringLiteral("set su[1]/leaf[2].part=sw-qm9790"),
                                QStringLiteral("set su[1]/leaf[2].label=left"),
                                QStringLiteral("set su[1]/leaf[3].at=10,20"),
                                QStringLiteral("remove su[1]/srv[2]"),
                                QStringLiteral("target cost.network_usd at_most 4000000"),
                                QStringLiteral("target power.network_w at_most 90000"),
                                QStringLiteral("approve RY-P003 * known"),
                                QStringLiteral("unique su[1]/srv[3]"),
                                QStringLiteral("set racks=auto")};
        for (const QString& a : edits)
            for (const QString& b : edits)
                if (a != b) QTest::newRow(qPrintable(a + QStringLiteral(" | ") + b)) << a << b;
    }
    void independentEditsAreBothApplied() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "40"}});
        const auto one = merged(*base, *after(base, a.toStdString()), *after(base, b.toStdString()));
        QVERIFY2(one, one ? "" : one.error().text.c_str());
        QVERIFY2(one->conflicts.empty(), one->conflicts.empty() ? "" : one->conflicts.front().path.c_str());
        QCOMPARE(designText(*one->design), designText(*after(after(base, a.toStdString()), b.toStdString())));
    }
    void drawnElementsAreMergedOneByOne() {
        DesignPointer base = emptyDesign(shippedCatalog());
        for (int i = 0; i < 3; ++i) base = dropItem(*base, PaletteItem::Leaf, {100.0 * i, 0})->design;
        const std::string name = base->free->devices.front().slug;
        const auto path = [&](int index) { return name + "[" + std::to_string(index) + "]"; };
        const auto moved = [&](int index) { return moveElements(*base, {{path(index), {5, 7}}})->design; };
        const DesignPointer ours = moved(1), theirs = moved(3);
        const auto both = merged(*base, *ours, *theirs);
        QVERIFY(both && both->conflicts.empty());
        QVERIFY(changesBetween(both->design, moveElements(*ours, {{path(3), {5, 7}}})->design).isEmpty());
        const auto gone = merged(*base, *ours, *removeElements(*base, {path(2)})->design);
        QVERIFY(gone && gone->conflicts.empty());
        QCOMPARE(elaborate(gone->design)->devices.size(), std::size_t{2});
        // A device that one moved and the other removed stays, and is named.
        const auto conflict = merged(*base, *ours, *removeElements(*base, {path(1)})->design);
        QVERIFY(conflict);
        QCOMPARE(conflict->conflicts.size(), std::size_t{1});
        QCOMPARE(conflict->conflicts.front().path, "free.devices." + path(1));
        QCOMPARE(elaborate(conflict->design)->devices.size(), std::size_t{3});
    }
    // Each side's own blocks have the same name, own-1; both are kept.
    void ownBlocksOfBothAreKept() {
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "64"}});
        const char* const edits[] = {"block su[2] srv 20", "block su[1]/srv[1] gpu 4", "block su[1] srv 10"};
        for (const char* a : edits)
            for (const char* b : edits) {
                if (a == b) continue;
                const auto both = merged(*base, *after(base, a), *after(base, b));
                QVERIFY(both);
                const bool isInside =
                    std::string(a).find("su[1]") != std::string::npos && std::string(b).find("su[1]") != std::string::npos;
                if (isInside) continue; // one stands in the other
                QVERIFY(both->conflicts.empty());
                const FabricCounts found = countsOf(*elaborate(both->design)), wanted = countsOf(*elaborate(after(after(base, a), b)));
                QCOMPARE(found.servers, wanted.servers);
                QCOMPARE(found.gpus, wanted.gpus);
                QCOMPARE(found.links, wanted.links);
            }
    }
    // What one removed and the other changed stays, and is named; also inside of what was removed.
    void aRemovalAgainstAChangeIsAConflict() {
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "64"}});
        const std::tuple<const char*, const char*, const char*> cases[] = {
            {"remove su[1]/leaf[1]", "set su[1]/leaf[1].label=Q", "overrides.su[1]/leaf[1]"},
            {"remove su[1]", "set su[1]/leaf[1].label=Q", "overrides.su[1]/leaf[1]"},
            {"remove spine[1]", "set spine[1].label=Q", "overrides.spine[1]"}};
        for (const auto& [gone, changed, path] : cases)
            for (const bool isOurs : {true, false}) {
                const auto found = merged(*base, *after(base, isOurs ? gone : changed), *after(base, isOurs ? changed : gone));
                QVERIFY(found);
                QCOMPARE(found->conflicts.size(), std::size_t{1});
                QCOMPARE(found->conflicts.front().path, std::string(path));
                QVERIFY(found->conflicts.front().ours.find("remove") == std::string::npos || isOurs);
                QCOMPARE(designText(*found->design), designText(*after(base, changed)));
            }
        const auto apart = merged(*base, *after(base, "remove su[1]/srv[1]"), *after(base, "set su[1]/srv[11].label=Q"));
        QVERIFY(apart && apart->conflicts.empty());
    }
    void aCableNeedsItsEnds() {
        DesignPointer base = emptyDesign(shippedCatalog());
        for (int i = 0; i < 3; ++i) base = dropItem(*base, PaletteItem::Leaf, {100.0 * i, 0})->design;
        const std::string name = base->free->devices.front().slug;
        const auto port = [&](int index, int number) { return fmt::format("{}[{}]:{}", name, index, number); };
        const auto cabled = [&](const std::string& a, const std::string& b) {
            Design next = *base;
            Block free = *base->free;
            free.links.push_back({a, b, {}});
            next.free = std::make_shared<const Block>(std::move(free));
            return next;
        };
        const auto loose = merged(*base, *removeElements(*base, {name + "[3]"})->design, cabled(port(2, 1), port(3, 1)));
        QVERIFY(loose);
        QCOMPARE(loose->conflicts.size(), std::size_t{1});
        QCOMPARE(loose->conflicts.front().path, "free.links." + port(2, 1) + " – " + port(3, 1));
        const auto twice = merged(*base, cabled(port(1, 1), port(3, 1)), cabled(port(2, 1), port(3, 1)));
        QVERIFY(twice && twice->conflicts.size() == 1);
        const auto good = merged(*base, cabled(port(1, 1), port(3, 1)), cabled(port(2, 1), port(3, 2)));
        QVERIFY(good && good->conflicts.empty() && good->design->free->links.size() == 2);
    }
    void aDesignWithoutARecipeIsMergedToo() {
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "64"}});
        Design dissolved = *base;
        dissolved.recipe.reset();
        const auto ours = merged(*base, dissolved, *base), theirs = merged(*base, *base, dissolved);
        QVERIFY(ours && theirs && ours->conflicts.empty());
        QCOMPARE(designText(*ours->design), designText(dissolved));
        QCOMPARE(designText(*theirs->design), designText(dissolved));
        const auto both = merged(*base, dissolved, *after(base, "set su[1]/leaf[2].label=left"));
        QVERIFY2(both, both ? "" : both.error().text.c_str());
        QVERIFY(both->conflicts.empty() && !both->design->recipe);
        QCOMPARE(both->design->overrides.at("su[1]/leaf[2]").label, std::string("left"));
    }
    void pricesAndOwnBlocksAreCompared() {
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "64"}});
        Json priced = Json::parse(designText(*base));
        for (const char* bound : {"low_usd", "base_usd", "high_usd"}) priced["parts"]["sw-qm9700"]["price"][bound] = 1000;
        const auto other = readDesign(priced.dump(), "other");
        QVERIFY(other);
        const auto prices = pathsOf(changesBetween(base, *other));
        QVERIFY(prices.contains("changed parts.sw-qm9700.price.base_usd"));
        const auto own = pathsOf(changesBetween(after(base, "block su[2] srv 5"), after(base, "block su[2] srv 6;set racks=auto")));
        QVERIFY(own.contains("changed blocks.own-1.instances.srv[1].count"));
    }
    void conflictsAreNamed() {
        const DesignPointer base = test::designOf("rail-optimized", {{"servers", "40"}});
        const auto found = merged(*base, *after(base, "set servers=48;set training.pp=2;set su[1]/leaf[1].part=sw-qm9790"),
                                  *after(base, "set servers=56;set training.pp=4;set training.tp=2;set su[1]/leaf[1].label=x"));
        QVERIFY(found);
        std::set<std::string> paths;
        for (const MergeConflict& each : found->conflicts) paths.insert(each.path);
        QCOMPARE(paths, (std::set<std::string>{"recipe.parameters.servers", "training.options.pp"}));
        QCOMPARE(found->design->recipe->parameters.at("servers"), std::string("48")); // ours
        QCOMPARE(found->design->training->options.at("tp"), std::string("2"));
        QCOMPARE(countsOf(*elaborate(found->design)).servers, 48);
        QVERIFY(found->design->overrides.at("su[1]/leaf[1]").part == "sw-qm9790" &&
                found->design->overrides.at("su[1]/leaf[1]").label == "x");
    }
    // Whatever was edited: merging with the base, or with itself, changes nothing, and a merge without a conflict holds both.
    void randomEditsObeyTheLaws() {
        test::RandomEdits edits(11);
        FabricPointer base =
            test::fabricOf("rail-optimized", {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}});
        for (int i = 0; i < 400; ++i) {
            const auto a = edits.make(edits.anyName(), base), b = edits.make(edits.anyName(), base);
            if (!a || !b) continue;
            const std::string text = designText(*base->design), ours = designText(*a->design);
            const auto same = merged(*base->design, *a->design, *a->design), left = merged(*base->design, *a->design, *base->design),
                       right = merged(*base->design, *base->design, *a->design);
            for (const auto* each : {&same, &left, &right}) {
                QVERIFY2(*each, *each ? "" : each->error().text.c_str());
                QVERIFY((*each)->conflicts.empty());
                QCOMPARE(designText(*(*each)->design), ours);
            }
            const auto both = merged(*base->design, *a->design, *b->design);
            if (both && both->conflicts.empty() && b->design->name != base->design->name) QCOMPARE(both->design->name, b->design->name);
            if (i % 3 == 0) base = elaborate(a->design);
            if (base->devices.size() > 2000) base = elaborate(edits.smallAgain(*base->design)->design);
        }
    }
    // The file of a large drawing changes where the drawing does.
    void movingADeviceChangesFewLines() {
        DesignPointer design = test::designOf("rail-optimized", {{"servers", "64"}});
        for (int i = 0; i < 40; ++i) design = dropItem(*design, PaletteItem::Leaf, {100.0 * i, 0})->design;
        const std::string name = design->free->devices.front().slug;
        for (const std::string& path : {std::string("su[1]/leaf[3]"), name + "[20]", name + "[1]"}) {
            const auto lines = [](const DesignPointer& of) {
                std::multiset<std::string> all;
                const std::string text = designText(*of);
                for (std::size_t from = 0; from < text.size();) {
                    const std::size_t end = std::min(text.find('\n', from), text.size());
                    all.insert(text.substr(from, end - from));
                    from = end + 1;
                }
                return all;
            };
            const auto before = lines(design), now = lines(moveElements(*design, {{path, {33, 44}}})->design);
            std::vector<std::string> changed;
            std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(changed));
            QVERIFY2(changed.size() <= 3, path.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_diff_and_merge)
#include "tst_diff_and_merge.moc"
