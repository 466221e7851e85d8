#include "core/design/edits/design_change.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"
#include "tests/support/random_edits.h"

#include <QTest>
#include <random>

using namespace railyard;

class tst_design_change : public QObject {
    Q_OBJECT

    // Rows as a walk over a short alphabet, so that they have much in common in many places.
    static BlockPointer randomBlock(std::mt19937& random) {
        Block block{"free", {}, {}, {}, {}};
        const auto pick = [&](unsigned below) { return static_cast<int>(random() % below); };
        for (int i = pick(9); i > 0; --i) {
            DeviceRow row;
            row.slug = std::string(1, static_cast<char>('a' + pick(3)));
            row.count = 1 + pick(2);
            if (pick(3) == 0) row.at = Point{1.0 * pick(2), 0};
            block.devices.push_back(row);
        }
        for (int i = pick(9); i > 0; --i) block.links.push_back({std::string(1, static_cast<char>('a' + pick(3))), "b", {}});
        for (int i = pick(4); i > 0; --i) {
            Instance row;
            row.slug = std::string(1, static_cast<char>('a' + pick(3)));
            block.instances.push_back(row);
        }
        for (int i = pick(4); i > 0; --i) {
            WiringRule rule;
            rule.id = std::string(1, static_cast<char>('a' + pick(3)));
            block.wiring.push_back(rule);
        }
        if (pick(4) == 0) block.unknown = UnknownKeys(R"({"new":1})");
        return shared(std::move(block));
    }
    static Design randomDesign(std::mt19937& random) {
        Design design;
        design.name = random() % 2 == 0 ? "one" : "two";
        for (const char* name : {"root", "su", "pod"})
            if (random() % 3 != 0) design.blocks[name] = randomBlock(random);
        design.free = randomBlock(random);
        for (const char* path : {"leaf[1]", "leaf[2]", "leaf[10]"})
            if (random() % 2 == 0) design.overrides[path].unit = static_cast<int>(random() % 2);
        if (random() % 2 == 0) {
            design.floor.emplace();
            for (const char* rack : {"R1", "R2", "R10"})
                if (random() % 2 == 0) design.floor->moved[rack] = {1, static_cast<int>(random() % 2)};
            design.floor->rowRacks = static_cast<int>(random() % 2);
        }
        return design;
    }
    static bool isSameBlock(const BlockPointer& a, const BlockPointer& b) {
        return a->name == b->name && a->devices == b->devices && a->instances == b->instances && a->wiring == b->wiring &&
               a->links == b->links && a->unknown == b->unknown;
    }
    static bool isSame(const Design& a, const Design& b) {
        if (a.name != b.name || a.overrides != b.overrides || a.blocks.size() != b.blocks.size() || !isSameBlock(a.free, b.free))
            return false;
        for (const auto& [name, block] : a.blocks) {
            const auto other = b.blocks.find(name);
            if (other == b.blocks.end() || !isSameBlock(block, other->second)) return false;
        }
        if (a.floor.has_value() != b.floor.has_value()) return false;
        return !a.floor || (a.floor->moved == b.floor->moved && a.floor->rowRacks == b.floor->rowRacks);
    }

private slots:
    void anyTwoDesignsLeadToEachOther() {
        std::mt19937 random(1);
        Design before = randomDesign(random);
        std::optional<DesignChange> previous;
        for (int i = 0; i < 20'000; ++i) {
            const Design after = randomDesign(random);
            const DesignChange change(before, after, previous ? &*previous : nullptr);
            QVERIFY2(isSame(*change.redone(before), after), qPrintable(QString::number(i)));
            QVERIFY2(isSame(*change.undone(after), before), qPrintable(QString::number(i)));
            QVERIFY(change.bytes() > sizeof change);
            previous.emplace(change);
            before = after;
        }
    }
    // What an edit leaves alone is the same object afterwards, and costs nothing.
    void unchangedBlocksAreShared() {
        const DesignPointer before = test::designOf("superpod-h100");
        Design after = *before;
        after.name = "renamed";
        const DesignChange change(*before, after);
        const DesignPointer again = change.undone(after);
        for (const auto& [name, block] : before->blocks) QVERIFY(again->blocks.at(name) == block);
        QVERIFY(again->free == before->free);
        QVERIFY(again->catalog == before->catalog);
    }
    // Every edit function, on whole designs: a chain of changes leads back to the first and again to the last.
    void chainOfEdits() {
        DesignPointer design = test::designOf("rail-optimized", {{"servers", "8"}, {"gpus_per_server", "4"}, {"nics_per_server", "4"}});
        std::vector<std::string> texts{designText(*design)};
        std::vector<DesignChange> changes;
        test::RandomEdits edits(3);
        while (changes.size() < 400) {
            const auto edit = edits.make(edits.anyName(), elaborate(design));
            if (!edit || edit->design->overrides.size() > 60) continue;
            changes.emplace_back(*design, *edit->design, changes.empty() ? nullptr : &changes.back());
            design = edit->design;
            texts.push_back(designText(*design));
        }
        for (std::size_t i = changes.size(); i-- > 0;) {
            design = changes[i].undone(*design);
            QVERIFY2(designText(*design) == texts[i], qPrintable(QString::number(i)));
        }
        for (std::size_t i = 0; i < changes.size(); ++i) {
            design = changes[i].redone(*design);
            QVERIFY2(designText(*design) == texts[i + 1], qPrintable(QString::number(i)));
        }
    }
    // One of 10,000 rows moved, one deleted and one added cost three rows.
    void aChangeCostsItsRows() {
        Design before;
        Block rows{"free", {}, {}, {}, {}};
        for (int i = 0; i < 10'000; ++i) {
            DeviceRow row;
            row.slug = "switch-with-a-long-name-" + std::to_string(i);
            rows.devices.push_back(row);
        }
        before.free = shared(rows);
        Design after = before;
        rows.devices[17].at = Point{1, 2};
        const auto size = [&] {
            after.free = shared(rows);
            return DesignChange(before, after).bytes();
        };
        const std::size_t fixed = DesignChange(before, before).bytes();
        QVERIFY2(size() - fixed < 2000, qPrintable(QString::number(size() - fixed)));
        rows.devices.erase(rows.devices.begin() + 5000);
        QVERIFY2(size() - fixed < 4000, qPrintable(QString::number(size() - fixed)));
        rows.devices.erase(rows.devices.begin() + 9000);
        QVERIFY2(size() - fixed < 5000, qPrintable(QString::number(size() - fixed)));
        rows.devices.erase(rows.devices.begin() + 3000, rows.devices.begin() + 3500);
        QVERIFY2(size() - fixed < 200'000, qPrintable(QString::number(size() - fixed)));
        for (DeviceRow& row : rows.devices) row.count = 2; // nothing in common any more
        after.free = shared(rows);
        QVERIFY(isSame(*DesignChange(before, after).undone(after), before));
    }
};
QTEST_APPLESS_MAIN(tst_design_change)
#include "tst_design_change.moc"
