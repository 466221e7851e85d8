#include "core/analysis/metrics/metrics.h"
#include "core/design/edits/edit.h"
#include "core/design/model/own_blocks.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_own_blocks : public QObject {
    Q_OBJECT

    static DesignPointer edited(const Result<Edit>& edit) {
        if (!edit) qFatal("%s", edit.error().text.c_str());
        return edit->design;
    }

private slots:
    // Four SUs of 32; the third is cut down to 20, and nothing else changes.
    void oneSuHoldsFewerServers() {
        const DesignPointer before = test::designOf("superpod-h100"), after = edited(changeBlocks(*before, {"su[3]"}, {"srv", 20}));
        const FabricPointer fabric = elaborate(after);
        QCOMPARE(countsOf(*fabric).servers, std::int64_t{128 - 12});
        QCOMPARE(countsOf(*fabric).switches, countsOf(*elaborate(before)).switches);
        const auto count = [&](const char* selector) {
            const auto removal = select(*fabric, selector);
            return removal ? std::count(removal->devices.begin(), removal->devices.end(), true) : 0;
        };
        QCOMPARE(count("su[3]/srv[*]/gpu[*]"), std::ptrdiff_t{20 * 8});
        QCOMPARE(count("su[2]/srv[*]/gpu[*]"), std::ptrdiff_t{32 * 8});
        QCOMPARE(count("su[4]/leaf[*]"), std::ptrdiff_t{8});
        QCOMPARE(blockNameAt(*after, "su[4]"), blockNameAt(*before, "su[4]"));
    }

    // The copy is the same until it is changed; then a change of the rest does not reach it.
    void uniqueBlocksStayAsTheyAre() {
        const DesignPointer before = test::designOf("superpod-h100"), unique = edited(makeUnique(*before, {"su[2]"}));
        const Fabric a = *elaborate(before), b = *elaborate(unique);
        QVERIFY(a.devices == b.devices && a.links == b.links);
        const DesignPointer shrunk = edited(changeBlocks(*unique, {"su[1]", "su[3]", "su[4]"}, {"srv", 16}));
        QCOMPARE(countsOf(*elaborate(shrunk)).servers, std::int64_t{32 + 3 * 16});
        QCOMPARE(blockNameAt(*shrunk, "su[1]"), blockNameAt(*shrunk, "su[4]")); // alike: one block for all three
        QVERIFY(blockNameAt(*shrunk, "su[1]") != blockNameAt(*shrunk, "su[2]"));
    }

    // A block inside a block inside the whole.
    void insideAPod() {
        const DesignPointer before = test::designOf("superpod-h100", {{"servers", "2048"}});
        const FabricPointer fabric = elaborate(before);
        std::string path; // of some server's SU
        for (const ScopeId s : indices<ScopeId>(fabric->scopes.size()))
            if (path.empty() && fabric->scopes[s].role == Instance::Role::ScalableUnit && fabric->scopes[s].index == 7)
                path = fabric->scopePath(s);
        const DesignPointer server = edited(changeBlocks(*before, {path + "/srv[5]"}, {"gpu", 4}));
        QCOMPARE(countsOf(*elaborate(server)).gpus, std::int64_t{2048 * 8 - 4});
        const DesignPointer both = edited(changeBlocks(*server, {path}, {"srv", 6}));
        QCOMPARE(countsOf(*elaborate(both)).servers, std::int64_t{2048 - 26});
        QCOMPARE(countsOf(*elaborate(both)).gpus, std::int64_t{(2048 - 26) * 8 - 4}); // the server keeps its own inside
        const DesignPointer unique = edited(makeUnique(*both, {path, path + "/srv[5]", path + "/srv[6]"}));
        const Fabric a = *elaborate(both), b = *elaborate(unique);
        QVERIFY(a.devices == b.devices && a.links == b.links);
        const DesignPointer back = edited(backToRecipe(*unique, {path}));
        QCOMPARE(countsOf(*elaborate(back)).gpus, std::int64_t{2048 * 8 - 4});
    }

    // They outlive a re-run of the recipe, wait where it no longer makes their element, and go with the change.
    void theRecipeMayBeRunAgain() {
        const DesignPointer own = edited(changeBlocks(*test::designOf("superpod-h100"), {"su[3]"}, {"srv", 20}));
        const DesignPointer grown = edited(setServers(*own, 192));
        QCOMPARE(countsOf(*elaborate(grown)).servers, std::int64_t{192 - 12});
        const DesignPointer small = edited(setServers(*own, 64)); // two SUs
        const FabricPointer fabric = elaborate(small);
        QCOMPARE(countsOf(*fabric).servers, std::int64_t{64});
        QVERIFY(std::any_of(fabric->diagnostics.begin(), fabric->diagnostics.end(),
                            [](const Diagnostic& d) { return d.code == "RY-D014" && d.subject == "su[3]"; }));
        QCOMPARE(countsOf(*elaborate(edited(setServers(*small, 128)))).servers, std::int64_t{116});
        const DesignPointer back = edited(backToRecipe(*own, {"su[3]"}));
        QCOMPARE(countsOf(*elaborate(back)).servers, std::int64_t{128});
        QCOMPARE(back->blocks.size(), test::designOf("superpod-h100")->blocks.size()); // nothing is left behind
    }

    // What a block of its own holds may be what the new recipe does not make: it is kept with it.
    void blocksInsideOwnBlocksAreKept() {
        const DesignPointer domains = test::designOf("rail-only-gh200", {{"servers", "512"}});
        const FabricPointer fabric = elaborate(domains);
        std::vector<std::string> blocks; // every block that holds another
        for (std::uint32_t s = 1; s < fabric->scopes.size(); ++s)
            if (const std::string path = fabric->scopePath(ScopeId(s)); domains->blocks.contains(blockNameAt(*domains, path)))
                blocks.push_back(path);
        for (const std::size_t pick : {std::size_t{0}, blocks.size() / 2}) {
            const DesignPointer own = edited(makeUnique(*domains, {blocks[pick]}));
            for (const std::map<std::string, std::string>& change :
                 {std::map<std::string, std::string>{{"hb_domain_gpus", "8"}}, {{"servers", "64"}}, {{"hb_domain_gpus", ""}}}) {
                const auto next = setParameters(*own, change);
                if (!next) continue;
                const auto read = readDesign(designText(*next->design), "kept.railyard");
                QVERIFY2(static_cast<bool>(read), read ? "" : read.error().text.c_str());
                QVERIFY(countsOf(*elaborate(*read)).gpus > 0);
            }
        }
    }
    // Leaves of several planes stand plane by plane, alike in number.
    void planesStayAlike() {
        const DesignPointer two = test::designOf("superpod-b300");
        QVERIFY(!changeBlocks(*two, {"su[1]"}, {"leaf", 15}));
        const DesignPointer fewer = edited(changeBlocks(*two, {"su[1]"}, {"leaf", 14}));
        const FabricPointer fabric = elaborate(fewer);
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::LeafSpine)
                QVERIFY(fabric->devices.plane[fabric->links.a[l]] == fabric->devices.plane[fabric->links.b[l]]);
        QVERIFY(readDesign(designText(*fewer), "fewer.railyard"));
        QVERIFY(readDesign(designText(*edited(changeBlocks(*two, {"su[1]"}, {"leaf", 18}))), "more.railyard"));
    }

    void givenToOthers() {
        const DesignPointer own = edited(changeBlocks(*test::designOf("superpod-h100"), {"su[3]"}, {"srv", 20}));
        QCOMPARE(countsOf(*elaborate(edited(copyChange(*own, "su[3]", {"su[1]", "su[2]", "su[4]"})))).servers, std::int64_t{80});
    }

    void throughTheFile() {
        const DesignPointer own = edited(changeBlocks(*test::designOf("superpod-h100"), {"su[3]"}, {"srv", 20}));
        const auto read = readDesign(designText(*own), "own.railyard");
        QVERIFY2(static_cast<bool>(read), read ? "" : read.error().text.c_str());
        QCOMPARE(designText(**read), designText(*own));
        QCOMPARE(countsOf(*elaborate(*read)).servers, std::int64_t{116});
    }

    void refusals() {
        const DesignPointer design = test::designOf("superpod-h100");
        for (const auto& tried :
             {changeBlocks(*design, {"su[9]"}, {"srv", 20}), changeBlocks(*design, {"su[1]"}, {"spine", 2}),
              changeBlocks(*design, {"su[1]"}, {"srv", -1}), changeBlocks(*design, {"su[1]"}, {"srv", 100'000}),
              changeBlocks(*design, {}, {"srv", 2}), changeBlocks(*design, {""}, {"su", 2}), makeUnique(*design, {"su[1]/leaf[1]"})}) {
            QVERIFY(!tried);
            QVERIFY(tried.error().text.size() > 15);
        }
    }

    // A document that puts the whole inside itself, names what is not there, or multiplies without end.
    void hostileDocuments() {
        std::string text = designText(*edited(changeBlocks(*test::designOf("superpod-h100"), {"su[3]"}, {"srv", 20})));
        const auto with = [&](const std::string& from, const std::string& to) {
            std::string changed = text;
            const std::size_t at = changed.find(from);
            if (at == std::string::npos) qFatal("%s is not in the document", from.c_str());
            return readDesign(changed.replace(at, from.size(), to), "hostile.railyard");
        };
        const std::string own = R"("su[3]": {"block": "own-1"})";
        QVERIFY(!with(own, R"("su[3]": {"block": "nowhere"})"));
        QVERIFY(!with(own, R"("su[3]": {"block": "root"})"));
        QVERIFY(!with(own, R"("su[3]": {"block": "own-1", "blocks": 1}, "su[3]/srv[1]": {"block": "root"})"));
        std::string deep = own; // more own blocks than there can be
        for (int i = 0; i < 10'001; ++i) deep += ", \"su[1]/srv[" + std::to_string(i + 1) + "]\": {\"block\": \"server\"}";
        QVERIFY(!with(own, deep));
        QVERIFY(with(own, R"("su[3]": {"block": "su"}, "su[3]/srv[1]": {"block": "server"}, "su[3]/srv[1]/x[1]": {"block": "su"})"));
    }
};

QTEST_GUILESS_MAIN(tst_own_blocks)
#include "tst_own_blocks.moc"
