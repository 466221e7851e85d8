// Every fix that a finding offers is an edit that works and takes the finding away.
#include "core/analysis/edit_text.h"
#include "core/analysis/rules/design_rules.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

using namespace railyard;

namespace {

std::vector<Diagnostic> findings(const DesignPointer& design) {
    const FabricPointer fabric = elaborate(design);
    const Cabling cabling = cablingOf(*fabric);
    return checkDesign(*fabric, cabling, billOf(*fabric, cabling));
}
const Diagnostic* find(const std::vector<Diagnostic>& found, std::string_view code) {
    for (const Diagnostic& d : found)
        if (d.code == code) return &d;
    return nullptr;
}
DesignPointer edited(DesignPointer design, std::initializer_list<const char*> commands) {
    for (const char* command : commands) {
        auto edit = applyEdit(design, command);
        if (!edit) qFatal("%s: %s", command, toText(edit.error()).c_str());
        design = edit->design;
    }
    return design;
}

} // namespace

class tst_fixes : public QObject {
    Q_OBJECT

private slots:
    void aFixMends_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("damage");
        const auto add = [](const char* code, const QStringList& damage) { QTest::newRow(code) << QString::fromLatin1(code) << damage; };
        add("RY-D014", {"set su[2]/leaf[1].label=x", "set servers=32"});
        add("RY-F011", {"set su[2]/rack[1].place=K01", "set servers=32"});
        add("RY-A001", {"set su[1]/leaf[1].label=x", "set su[1]/leaf[2].label=x"});
        add("RY-A002", {QStringLiteral("set su[1]/leaf[1].label=") + QString(70, QLatin1Char('n'))});
        add("RY-F003", {"set su[1]/leaf[1].u=40", "set su[1]/leaf[2].u=40"});
        add("RY-F010", {"set su[1]/srv[1].u=45"});
        add("RY-F002", {"set su[2]/srv[1].rack=su[1]/rack[1]"});
        add("RY-F006", {"set su[1]/rack[1].place=A02"});
        add("RY-G001", {"remove su[1]/srv[1]/gpu[1]"});
        add("RY-G002", {"remove su[1]/srv[1]/nic[1]"});
        add("RY-E001", {"set spine_rule=exact", "set servers=96"});
    }
    void aFixMends() {
        QFETCH(QString, code);
        QFETCH(QStringList, damage);
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}});
        for (const QString& command : damage) design = edited(design, {command.toUtf8().constData()});
        for (int turns = 0; turns < 4; ++turns) { // two of one name are two fixes
            const auto found = findings(design);
            const Diagnostic* d = find(found, code.toStdString());
            if (!d) {
                QVERIFY(turns > 0);
                return;
            }
            QVERIFY2(!d->fix.empty(), d->text.c_str());
            const auto edit = applyEdit(design, d->fix);
            QVERIFY2(edit, edit ? "" : toText(edit.error()).c_str());
            design = edit->design;
        }
        QFAIL("the finding stays");
    }
    void cablesDrawnByHand() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "63"}});
        const Edit lost = addLink(*design, {"su[2]/leaf[1]:32", "nowhere[1]:1"});
        const auto found = findings(lost.design);
        const Diagnostic* d = find(found, "RY-D015");
        QVERIFY(d);
        QVERIFY(!find(findings(edited(lost.design, {d->fix.c_str()})), "RY-D015"));
        const Edit twice = addLink(*design, {"su[1]/leaf[1]:1", "su[2]/leaf[1]:32"});
        const auto doubled = findings(twice.design);
        const Diagnostic* port = find(doubled, "RY-P001");
        QVERIFY(port && !port->fix.empty());
        QVERIFY(!find(findings(edited(twice.design, {port->fix.c_str()})), "RY-P001"));
    }
    // Whatever is offered, on any design at hand, is an edit that works.
    void offersCanBeTaken() {
        for (const char* recipe : {"superpod-b300", "aipod", "hpn-pod", "meta-24k", "rail-only"}) {
            const DesignPointer design = test::designOf(recipe, {{"servers", "70"}, {"racks", "auto"}});
            for (const Diagnostic& d : findings(design))
                if (!d.fix.empty()) QVERIFY2(applyEdit(design, d.fix), d.fix.c_str());
        }
    }
    void approvalsAreEdits() {
        const DesignPointer design =
            edited(test::designOf("superpod-h100", {{"servers", "64"}}),
                   {"set su[1]/leaf[1].label=x", "set su[1]/leaf[2].label=x", "approve RY-A001 su[1]/leaf[1] renamed at hand-over"});
        QCOMPARE(find(findings(design), "RY-A001")->approved, std::string("renamed at hand-over"));
        const auto again = readDesign(designText(*design), "x");
        QVERIFY(again);
        QCOMPARE(find(findings(*again), "RY-A001")->approved, std::string("renamed at hand-over"));
        const auto withdrawn = approve(*design, {"RY-A001", "su[1]/leaf[1]", ""});
        QVERIFY(withdrawn);
        QVERIFY(find(findings(withdrawn->design), "RY-A001")->approved.empty());
        QVERIFY(!approve(*withdrawn->design, {"RY-A001", "su[1]/leaf[1]", ""}));
        QVERIFY(!applyEdit(design, "approve RY-A001 su[1]/leaf[1]"));
    }
};

QTEST_GUILESS_MAIN(tst_fixes)
#include "tst_fixes.moc"
