#include "core/analysis/cable_edits.h"
#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/metrics.h"
#include "core/bill/cabling.h"
#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

#include <fmt/format.h>
#include <set>

using namespace railyard;

class tst_edit : public QObject {
    Q_OBJECT

private slots:
    // Up and down again is where one was; every step builds; the ends say so.
    void stepsOfATier() {
        const DesignPointer first = test::designOf("superpod-h100");
        for (const auto what : {TierStep::LeafPart, TierStep::UpperPart, TierStep::Spines, TierStep::ScalableUnits}) {
            const auto up = stepTier(*first, what, 1);
            QVERIFY2(up, up ? "" : up.error().text.c_str());
            const auto down = stepTier(*up->design, what, -1);
            QVERIFY2(down, down ? "" : down.error().text.c_str());
            QCOMPARE(countsOf(*elaborate(down->design)).switches, std::int64_t{48});
            DesignPointer now = first;
            int steps = 0;
            for (auto next = stepTier(*now, what, -1); next && steps < 200; next = stepTier(*now, what, -1), ++steps) now = next->design;
            QVERIFY(steps < 200 && !stepTier(*now, what, -1));
        }
        QVERIFY(!stepTier(*emptyDesign(shippedCatalog()), TierStep::Spines, 1));
    }
    // The label of a leaf on an SU says how many leaves every SU gets, and a refusal gives the reason of the recipe.
    void leafOnAnSuSaysWhatItAdds() {
        const auto from = [](test::Parameters parameters) {
            parameters.insert({"servers", "64"});
            return test::designOf("rail-optimized", parameters);
        };
        const auto labelOf = [](const DesignPointer& design) {
            const auto edit = dropLeafOnUnit(*design);
            return edit ? edit->label : edit.error().text;
        };
        const auto leavesOf = [](const Design& design) {
            const auto settings = resolve(*design.recipe, *design.catalog);
            return plan(*settings)->leavesPerSu;
        };
        for (const char* rails : {"1", "2", "4"}) {
            const DesignPointer design = from({{"rails", rails}, {"su_servers", "4"}});
            const auto edit = dropLeafOnUnit(*design);
            QVERIFY(edit);
            const int added = leavesOf(*edit->design) - leavesOf(*design);
            QVERIFY2(edit->label == fmt::format("Add {} to every SU: {} rails", added == 1 ? "leaf" : fmt::format("{} leaves", added),
                                                2 * std::stoi(rails)),
                     edit->label.c_str());
        }
        const auto few = dropLeafOnUnit(*test::designOf("rail-optimized", {{"servers", "8"}, {"rails", "1"}})); // one leaf, with free ports
        QVERIFY(few && few->label == "Add leaf: 2 leaves and 1 spine");
        const std::string refused = labelOf(from({{"rails", "2"}, {"su_servers", "4"}, {"spines", "16"}}));
        QVERIFY2(refused.find("spines = 16") != std::string::npos, refused.c_str());
        QVERIFY(labelOf(from({{"rails", "8"}})).starts_with("Every SU already has a leaf for each of its 8 rails"));
    }
    // Four servers, two leaves and two spines, in any order that starts with a server: one drop adds one of its kind, and at most one
    // switch of another tier comes along.
    void aSmallNetworkIsDrawnInAnyOrder() {
        const auto countsNow = [](const DesignPointer& design) {
            const FabricCounts counts = countsOf(*elaborate(design));
            return std::array<std::int64_t, 3>{counts.servers, counts.switchesByTier[static_cast<std::size_t>(SwitchTier::Leaf)],
                                               counts.switchesByTier[static_cast<std::size_t>(SwitchTier::Spine)]};
        };
        constexpr std::array<std::int64_t, 3> wanted{4, 2, 2};
        const PaletteItem items[] = {PaletteItem::Server, PaletteItem::Leaf, PaletteItem::Spine};
        for (int order = 0; order < 729; ++order) { // six digits, each the kind that is preferred in its turn
            DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Server, {})->design;
            for (int turn = 0, rest = order; countsNow(design) != wanted; ++turn, rest /= 3) {
                QVERIFY2(turn < 12, std::to_string(order).c_str());
                std::size_t kind = static_cast<std::size_t>(rest % 3);
                while (countsNow(design)[kind] >= wanted[kind]) kind = (kind + 1) % 3;
                const auto before = countsNow(design);
                const auto edit = items[kind] == PaletteItem::Leaf ? dropLeafOnUnit(*design) : dropItem(*design, items[kind], {});
                QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
                design = edit->design;
                const auto after = countsNow(design);
                QCOMPARE(after[kind], before[kind] + 1);
                for (std::size_t other = 0; other < 3; ++other)
                    QVERIFY2(other == kind || (after[other] - before[other] >= 0 && after[other] - before[other] <= 1),
                             edit->label.c_str());
            }
            QVERIFY(instantMetrics(*elaborate(design)).bill.network.inCents() < 30'000'000);
        }
        // A published system gets a leaf for each rail, and says so.
        const auto published = dropLeafOnUnit(*test::designOf("superpod-h100", {{"servers", "4"}}));
        QVERIFY(published && published->label == "Add a leaf for each rail: 8 leaves and 1 spine");
    }
    // Whatever is dropped on whatever recipe: a sentence, or a fabric whose ports hold.
    void everyDropOnEveryRecipe() {
        for (const RecipeInfo& recipe : recipes())
            for (const auto item : {PaletteItem::Server, PaletteItem::HbDomain, PaletteItem::Rail, PaletteItem::Leaf, PaletteItem::Spine,
                                    PaletteItem::Superspine, PaletteItem::Pod, PaletteItem::Plane}) {
                const bool isOfRacks = recipe.name.starts_with("superpod-gb"); // of 18 trays, bought whole
                const DesignPointer design = test::designOf(std::string(recipe.name), {{"servers", isOfRacks ? "90" : "96"}});
                const auto dropped = dropItem(*design, item, {});
                if (!dropped) {
                    QVERIFY(!dropped.error().text.empty());
                    continue;
                }
                const FabricPointer before = elaborate(design), after = elaborate(dropped->design);
                QVERIFY2(item == PaletteItem::Plane || after->devices.size() > before->devices.size(),
                         (std::string(recipe.name) + ": " + dropped->label).c_str());
                QCOMPARE(countsOf(*after).planes, countsOf(*before).planes + (item == PaletteItem::Plane ? 1 : 0));
                std::set<std::pair<std::uint32_t, std::uint32_t>> ports;
                for (const LinkId l : after->links.ids()) {
                    if (!after->isNetworkLink(l)) continue;
                    const LinkTable& links = after->links;
                    QVERIFY(ports.emplace(links.a[l], links.aPort[l]).second && ports.emplace(links.b[l], links.bPort[l]).second);
                    QVERIFY(static_cast<int>(links.bPort[l]) <= after->portCount(links.b[l]));
                }
            }
    }
    void ladderHoldsEvenCountsOnly() {
        const DesignPointer start = test::designOf("superpod-h100"); // 32 uplinks, 16 spines
        const auto ladder = spineLadder(*start);
        QCOMPARE(ladder.size(), std::size_t{1});
        QCOMPARE(ladder[0].spines, 32);
        QCOMPARE(ladder[0].linksPerPair, 1);
        const auto few = spineLadder(*setParameters(*start, {{"spines", "4"}, {"spine_radix", "256"}, {"tiers", "2"}})->design);
        QVERIFY(few.size() >= 2);
        for (std::size_t i = 0; i < few.size(); ++i) QCOMPARE(few[i].spines * few[i].linksPerPair, 32);
        QVERIFY(spineLadder(*emptyDesign(shippedCatalog())).empty());
    }
    void groupsAreDroppedAsOne() {
        const DesignPointer three = test::designOf("superpod-h100", {{"servers", "512"}});
        const auto pod = dropItem(*three, PaletteItem::Pod, {});
        QCOMPARE(countsOf(*elaborate(pod->design)).servers, std::int64_t{640}); // 32 leaves of a pod hold 128 servers
        const auto none = dropItem(*test::designOf("superpod-h100"), PaletteItem::Pod, {});
        QVERIFY(!none && none.error().text.find("superspine") != std::string::npos);
        const auto plane = dropItem(*test::designOf("superpod-h100"), PaletteItem::Plane, {});
        QVERIFY2(plane, plane ? "" : plane.error().text.c_str());
        QCOMPARE(countsOf(*elaborate(plane->design)).planes, std::int64_t{2});
    }
    void dropsMeanWhatTheySay() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "128"}});
        const auto server = dropItem(*start, PaletteItem::Server, {});
        QCOMPARE(countsOf(*elaborate(server->design)).servers, std::int64_t{129});
        const auto spine = dropItem(*start, PaletteItem::Spine, {});
        QCOMPARE(countsOf(*elaborate(spine->design)).switchesByTier[2], std::int64_t{32});
        const auto more = dropItem(*spine->design, PaletteItem::Spine, {});
        QVERIFY(!more);
        QVERIFY(more.error().text.find("32 spines is the maximum") != std::string::npos);
        const auto leaf = dropItem(*start, PaletteItem::Leaf, {10, 20});
        QCOMPARE(countsOf(*elaborate(leaf->design)).switchesByTier[1], std::int64_t{33});
        const auto superspine = dropItem(*start, PaletteItem::Superspine, {});
        QCOMPARE(countsOf(*elaborate(superspine->design)).tiers, 3);
        const auto again = dropItem(*superspine->design, PaletteItem::Superspine, {});
        QVERIFY(!again && again.error().text.find("follows from the number of spines") != std::string::npos);
        const auto rail = dropItem(*start, PaletteItem::Rail, {});
        QVERIFY(!rail && rail.error().text.find("8 rails is the maximum") != std::string::npos);
        const DesignPointer four = test::designOf("superpod-h100", {{"servers", "16"}, {"rails", "4"}, {"su_servers", "16"}});
        QCOMPARE(countsOf(*elaborate(dropItem(*four, PaletteItem::Rail, {})->design)).rails, std::int64_t{8}); // the next divisor
    }
    // Under rail-only a rail may take NICs of any server of an HB domain; `auto` follows the size and says when it changes.
    void railsFollowTheSize() {
        const DesignPointer start = test::designOf("rail-only", {{"gpus", "256"}});
        QCOMPARE(countsOf(*elaborate(start)).rails, std::int64_t{4});
        const auto more = dropItem(*start, PaletteItem::Rail, {});
        QCOMPARE(more->design->recipe->parameters.at("rails"), std::string("8"));
        const auto grown = setServers(*start, 64);
        QCOMPARE(countsOf(*elaborate(grown->design)).rails, std::int64_t{8});
        QVERIFY2(grown->label.find("from 4 to 8 rails") != std::string::npos, grown->label.c_str());
        QVERIFY(setServers(*start, 24)->label.find("rails") == std::string::npos);
        const DesignPointer wide = test::designOf("rail-only", {{"gpus", "256"}, {"hb_domain_gpus", "128"}, {"rails", "8"}});
        QCOMPARE(dropItem(*wide, PaletteItem::Rail, {})->design->recipe->parameters.at("rails"), std::string("16"));
    }
    void severalSettingsAreOneEdit() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "100"}});
        const auto edit = applyEdit(start, "recipe leaf_down=25 leaf_up=26 su_servers=25");
        QCOMPARE(countsOf(*elaborate(edit->design)).switches, std::int64_t{45});
        QVERIFY(!applyEdit(edit->design, "recipe leaf_up=")->design->recipe->parameters.contains("leaf_up"));
        QVERIFY(!applyEdit(start, "recipe") && !applyEdit(start, "recipe leaf_up") && !applyEdit(start, "recipe =3"));
    }
    // A cable of a cage carries two links: both move, to a device.
    void aCableMovesWithAllItsLinks() {
        const FabricPointer fabric = test::fabricOf("superpod-b300", {{"servers", "40"}});
        LinkId uplink = none;
        for (const LinkId l : fabric->links.ids())
            if (fabric->links.tier[l] == LinkTier::LeafSpine && uplink == none) uplink = l;
        const std::string port = portPath(*fabric, uplink, true), now = fabric->devicePath(fabric->links.b[uplink]);
        const Cabling cabling = cablingOf(*fabric);
        QCOMPARE(std::count(cabling.cable.begin(), cabling.cable.end(), cabling.cable[cabling.links.find(uplink)]), std::ptrdiff_t{2});
        QVERIFY(!moveCable(*fabric, port, now + ":128"));
        const auto edit = moveCable(*fabric, port, now); // to other ports of the same switch
        QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
        const FabricPointer after = elaborate(edit->design);
        QCOMPARE(countsOf(*after).links, countsOf(*fabric).links);
        const auto there = cableAt(*after, port);
        QVERIFY(there && after->devicePath(after->links.b[*there]) == now);
    }
    // Every part of the catalogue once: what fits is what the recipe builds, with the switches that it says.
    void partsAreListed() {
        for (const char* recipe : {"superpod-h100", "superpod-b300", "aipod"})
            for (const TierStep what : {TierStep::LeafPart, TierStep::UpperPart}) {
                const DesignPointer design = test::designOf(recipe);
                const auto choices = partChoices(*design, what);
                std::size_t parts = 0, now = 0;
                for (const auto& [id, part] : design->catalog->parts()) parts += part.as<SwitchPart>() ? 1 : 0;
                QCOMPARE(choices.size(), parts);
                const std::int64_t switches = countsOf(*elaborate(design)).switches;
                int rank = 0;
                for (const PartChoice& choice : choices) {
                    const int own = !choice.edit ? 2 : choice.isOtherProtocol ? 1 : 0;
                    QVERIFY(own >= rank);
                    rank = own;
                    now += choice.isNow ? 1 : 0;
                    if (choice.edit) QCOMPARE(countsOf(*elaborate(choice.edit->design)).switches, switches + choice.switches);
                }
                QCOMPARE(now, std::size_t{1});
            }
        QVERIFY(partChoices(*emptyDesign(shippedCatalog()), TierStep::LeafPart).empty());
    }
    // The next part never mixes protocols.
    void theNextPartIsOfTheSameProtocol() {
        for (const char* recipe : {"superpod-h100", "superpod-b300"})
            for (const TierStep what : {TierStep::LeafPart, TierStep::UpperPart})
                for (const int step : {-1, 1}) {
                    const DesignPointer design = test::designOf(recipe);
                    const auto edit = stepTier(*design, what, step);
                    if (!edit) continue;
                    const FabricPointer fabric = elaborate(edit->design);
                    std::set<std::string> protocols;
                    for (const DeviceId d : fabric->devices.ids())
                        if (fabric->devices.kind[d] == DeviceKind::Switch) protocols.insert(fabric->partOf(d)->as<SwitchPart>()->protocol);
                    QCOMPARE(protocols.size(), std::size_t{1});
                }
    }
    void spinesClimbTheLadderInThreeTiers() {
        const DesignPointer start = test::designOf("superpod-h100", {{"servers", "512"}, {"leaf_up", "16"}});
        const auto counts = countsOf(*elaborate(dropItem(*start, PaletteItem::Spine, {})->design));
        QCOMPARE(counts.switchesByTier[2], std::int64_t{128}); // 32 in each of four pods
        QCOMPARE(counts.switchesByTier[3], std::int64_t{64});
    }
    void firstDropStartsADesign() {
        for (const auto item : {PaletteItem::Server, PaletteItem::HbDomain, PaletteItem::Rail, PaletteItem::Leaf, PaletteItem::Spine,
                                PaletteItem::Superspine, PaletteItem::Pod, PaletteItem::Plane}) {
            const auto edit = dropItem(*emptyDesign(shippedCatalog()), item, {0, 0});
            QVERIFY2(edit, std::string(toText(item)).c_str());
            QVERIFY(!isEmpty(*edit->design));
            QVERIFY(elaborate(edit->design)->devices.size() > 0);
        }
    }
    void serversJoinAHandDrawnFabric() {
        DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {0, 0})->design;
        design = dropItem(*design, PaletteItem::Server, {0, 100})->design;
        design = dropItem(*design, PaletteItem::Server, {60, 100})->design;
        const FabricCounts counts = countsOf(*elaborate(design));
        QCOMPARE(counts.servers, std::int64_t{2});
        QCOMPARE(counts.gpus, std::int64_t{16});
        QVERIFY(!dropItem(*design, PaletteItem::Rail, {}));
    }
    void deletingTakesFreeThingsAndOverridesTheRest() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        design = removeElements(*design, {"leaf-extra[1]", "su[1]/srv[1]"})->design;
        QVERIFY(design->free->devices.empty());
        QVERIFY(design->overrides.at("su[1]/srv[1]").remove);
        QCOMPARE(countsOf(*elaborate(design)).servers, std::int64_t{63});
        const auto back = backToRecipe(*design, {"su[1]/srv[1]"});
        QCOMPARE(countsOf(*elaborate(back->design)).servers, std::int64_t{64});
        QVERIFY(!backToRecipe(*back->design, {"su[1]/srv[1]"}));
    }
    void deletingADeviceTakesItsCables() {
        DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {0, 0})->design;
        design = dropItem(*design, PaletteItem::Spine, {0, 0})->design;
        design = addLink(*design, {"leaf[1]:1", "spine[1]:1"}).design;
        design = removeElements(*design, {"spine[1]"})->design;
        QVERIFY(design->free->links.empty());
    }
    void overridesSurviveTheRecipe() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        design = setPart(*design, {"su[1]/leaf[1]"}, "sw-qm9790")->design;
        design = setServers(*design, 128)->design;
        QCOMPARE(design->overrides.at("su[1]/leaf[1]").part, std::string("sw-qm9790"));
        QVERIFY(!setPart(*design, {"su[1]/leaf[1]"}, "no-such-part"));
    }
    // Whatever is done, the document can be written, read back and drawn.
    void randomEditsKeepTheDesignWhole() {
        test::Random random{7};
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "16"}});
        int accepted = 0;
        for (int step = 0; step < 300; ++step) {
            Result<Edit> edit = Error::usage("");
            switch (random.below(6)) {
            case 0:
                edit = dropItem(*design, static_cast<PaletteItem>(random.below(5)), {double(random.below(900)), double(random.below(900))});
                break;
            case 1: edit = setServers(*design, random.below(200)); break;
            case 2:
                edit = removeElements(
                    *design, {"su[" + std::to_string(1 + random.below(4)) + "]/srv[" + std::to_string(1 + random.below(40)) + "]"});
                break;
            case 3: edit = setParameters(*design, {{"leaf_up", std::to_string(random.below(40))}}); break;
            case 4: edit = setParameters(*design, {{"tiers", random.below(2) ? "auto" : std::to_string(random.below(5))}}); break;
            default: edit = moveElements(*design, {{"leaf-extra[1]", {1, 2}}}); break;
            }
            if (!edit) continue;
            ++accepted;
            design = edit->design;
            const std::string text = designText(*design);
            const auto again = readDesign(text, "walk");
            QVERIFY2(again, again ? "" : toText(again.error()).c_str());
            QCOMPARE(designText(**again), text);
            QCOMPARE(countsOf(*elaborate(*again)).links, countsOf(*elaborate(design)).links);
        }
        QVERIFY(accepted > 60);
    }
};

QTEST_GUILESS_MAIN(tst_edit)
#include "tst_edit.moc"
