#include "core/analysis/edit_text.h"
#include "core/fabric/connect.h"
#include "core/fabric/group.h"
#include "core/io/design_json.h"
#include "tests/support/designs.h"
#include "widgets/document/document.h"

#include <fstream>

using namespace railyard;

// A walk over all edit functions, at random but the same on every machine.
class Walk {
public:
    explicit Walk(std::uint64_t seed) : m_random{seed} {}

    Result<Edit> next(const Snapshot& now) {
        const Design& design = *now.design;
        if (now.instant.counts.servers > 12 || now.fabric->devices.size() > 600 || design.overrides.size() > 40) return smallAgain(design);
        switch (m_random.below(30)) {
        case 0:
        case 1: return dropItem(design, static_cast<PaletteItem>(m_random.below(5)), {at(), at()});
        case 2: return setServers(design, 1 + m_random.below(12));
        case 3: return setParameters(design, {pick(parameters)});
        case 4: return removeElements(design, {somePath(now)});
        case 5: return moveElements(design, {{somePath(now), {at(), at()}}});
        case 6: return setPart(design, {somePath(now)}, m_random.below(2) ? "sw-sn5600" : "sw-qm9700");
        case 7: return backToRecipe(design, {somePath(now)});
        case 8: return placeRacks(design, m_random.below(2) == 0);
        case 9: return setMedium(design, m_random.below(2) ? CableMedium::ByLength : CableMedium::Optical);
        case 10: return moveRacks(design, {{"su[1]/rack[1]", {m_random.below(9), m_random.below(9)}}});
        case 11: return m_random.below(3) ? mountInRack(design, {somePath(now)}, "A01", m_random.below(40)) : moveRacksBack(design);
        case 12: return railyard::connect(*now.fabric, somePath(now), somePath(now));
        case 13: return disconnectSome(design);
        case 14: return approve(design, {"RY-P003", "", m_random.below(2) ? "known" : ""});
        case 15: return changeBlocks(design, {blockOf(somePath(now))}, {pickWord({"srv", "leaf", "gpu", "spine"}), m_random.below(6)});
        case 16: return makeUnique(design, {blockOf(somePath(now))});
        case 17: return copyChange(design, blockOf(somePath(now)), {blockOf(somePath(now))});
        case 18: return dropChanges(design, {somePath(now)});
        case 19: return saveView(design, {"view " + std::to_string(m_random.below(5)), at(), at(), 1 + at(), 1 + at()});
        case 20: return pasted(design, somePath(now));
        case 21: return groupElements(design, {freePath(design), freePath(design)});
        case 22: return dissolve(*now.fabric, blockOf(somePath(now)), m_random.below(2) ? std::optional(Point{at(), at()}) : std::nullopt);
        case 23: return dropNamed(design, templatesOf(design).front().name, {at(), at()});
        case 24: return stepTier(design, static_cast<TierStep>(m_random.below(6)), m_random.below(5) - 2);
        case 26:
            return addCallout(
                design,
                {.kind = static_cast<Callout::Kind>(m_random.below(4)), .text = "words", .of = {somePath(now)}, .at = {at(), at()}});
        case 27: return removeElements(design, {"callout[1]", "callout[2]"});
        case 28: return moveElements(design, {{"callout[1]", {at(), at()}}});
        case 25: return copyBlock(design, blockOf(somePath(now)), {at(), at()});
        default: return applyEdit(now.design, "set " + somePath(now) + ".label=name-" + std::to_string(m_random.below(99)));
        }
    }

private:
    using Setting = std::pair<const std::string, std::string>;
    static inline const std::vector<Setting> parameters{{"oversubscription", "2:1"},
                                                        {"oversubscription", "1:1"},
                                                        {"su_servers", "4"},
                                                        {"rails", "2"},
                                                        {"tiers", "2"},
                                                        {"tiers", "auto"},
                                                        {"radix", "16"},
                                                        {"radix", "8"},
                                                        {"name", "x"},
                                                        {"planes", "2"}};

    double at() { return m_random.below(800); }
    std::string blockOf(const std::string& path) { return m_random.below(3) ? path.substr(0, path.rfind('/')) : path; }
    std::string pickWord(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(m_random.below(static_cast<int>(from.size())))];
    }
    std::string freePath(const Design& design) {
        const auto devices = static_cast<int>(design.free->devices.size()), all = devices + static_cast<int>(design.free->instances.size());
        const int chosen = all > 0 ? m_random.below(all) : 0;
        const auto name = [](const auto& row) { return row.slug + "[" + std::to_string(row.first) + "]"; };
        if (all == 0) return "leaf[1]";
        return chosen < devices ? name(design.free->devices[static_cast<std::size_t>(chosen)])
                                : name(design.free->instances[static_cast<std::size_t>(chosen - devices)]);
    }
    Result<Edit> pasted(const Design& design, const std::string& path) {
        const auto part = copyElements(design, {path});
        if (!part) return part.errors();
        return pasteElements(design, **part, {at(), at()});
    }
    const Setting& pick(const std::vector<Setting>& from) {
        return from[static_cast<std::size_t>(m_random.below(static_cast<int>(from.size())))];
    }
    std::string somePath(const Snapshot& now) {
        const Fabric& fabric = *now.fabric;
        if (m_random.below(3) == 0)
            return fabric.scopePath(static_cast<std::uint32_t>(m_random.below(static_cast<int>(fabric.scopes.size()))));
        if (fabric.devices.size() == 0) return "leaf[1]";
        return fabric.devicePath(static_cast<std::size_t>(m_random.below(static_cast<int>(fabric.devices.size()))));
    }
    Result<Edit> disconnectSome(const Design& design) {
        if (design.free->links.empty()) return Error::unbuildable("nothing is connected by hand");
        const auto& link = design.free->links[static_cast<std::size_t>(m_random.below(static_cast<int>(design.free->links.size())))];
        return removeLink(design, link.a, link.b);
    }
    Result<Edit> smallAgain(const Design& design) {
        auto fresh = build({m_random.below(2) ? "rail-optimized" : "rail-only",
                            {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}},
                           "walk", design.catalog);
        if (!fresh) return fresh.error();
        return Edit{std::make_shared<const Design>(std::move(*fresh)), "small again"};
    }

    test::Random m_random;
};

static double residentMebibytes() {
    std::ifstream status("/proc/self/statm");
    double all = 0, resident = 0;
    status >> all >> resident;
    return resident * 4096 / (1 << 20);
}

class tst_undo : public QObject {
    Q_OBJECT

private slots:
    // Undo all gives the first design, redo all the last, every thousandth on the way; memory stays bounded.
    void longWalk() {
        constexpr int steps = 100'000;
        Document document;
        document.open(
            test::designOf("rail-optimized", {{"servers", "4"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}}), {});
        Walk walk(7);
        std::vector<std::string> seen{designText(*document.now().design)};
        int made = 0, refused = 0;
        while (made < steps) {
            QString reason;
            if (!document.apply(walk.next(document.now()), &reason)) {
                QVERIFY(!reason.isEmpty());
                QVERIFY2(++refused < 20 * steps, "the walk is stuck");
                continue;
            }
            if (++made % 1000 != 0) continue;
            seen.push_back(designText(*document.now().design));
            const auto again = readDesign(seen.back(), "walk"); // what was made by edits can be opened
            QVERIFY2(again, again ? "" : again.error().text.c_str());
        }
        QCOMPARE(document.undoStack().count(), steps);
        QVERIFY2(residentMebibytes() < 1000, qPrintable(QString::number(residentMebibytes())));
        for (int step = steps; step >= 0; step -= 1000) {
            document.undoStack().setIndex(step);
            QVERIFY2(designText(*document.now().design) == seen[static_cast<std::size_t>(step / 1000)], qPrintable(QString::number(step)));
        }
        document.undoStack().setIndex(steps);
        QVERIFY(designText(*document.now().design) == seen.back());
        qInfo("%d edits, %d refusals, %.0f MiB", made, refused, residentMebibytes());
    }
};

QTEST_GUILESS_MAIN(tst_undo)
#include "tst_undo.moc"
