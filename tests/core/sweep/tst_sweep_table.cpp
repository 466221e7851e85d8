#include "core/base/file.h"
#include "core/design/edits/edit_elements.h"
#include "core/io/document/design_text.h"
#include "core/sweep/axis_values.h"
#include "core/sweep/design_sweep.h"
#include "core/sweep/table_file.h"
#include "tests/support/designs.h"

#include <QDir>
#include <QTemporaryDir>

using namespace railyard;

namespace {

std::vector<std::optional<SweepAnswer>> answersOf(const SweepPlan& plan) {
    std::vector<std::optional<SweepAnswer>> answers;
    for (std::int64_t point = 0; point < plan.spec.points(); ++point) answers.emplace_back(computePoint(plan.spec, point));
    return answers;
}

SweepPlan smallPlan() {
    auto spec = sweepOf(test::designOf("rail-optimized", {{"servers", "16"}}),
                        {{"gpus", "128, 100, 256"}, {"recipe", "rail-optimized, rail-only"}, {"training.tp", "4, 8"}},
                        {"counts.switches", "cost.network_usd", "bisection.server"});
    if (!spec) throw std::runtime_error(spec.error().text);
    return planOf(std::move(*spec));
}

std::vector<std::string> values(const std::string& text) {
    const auto read = axisValues(text);
    return read ? *read : std::vector<std::string>{"error"};
}

} // namespace

class tst_sweep_table : public QObject {
    Q_OBJECT

private slots:
    void axesAsPeopleWriteThem() {
        using Texts = std::vector<std::string>;
        QCOMPARE(values("512, 1024"), (Texts{"512", "1024"}));
        QCOMPARE(values("512..4096"), (Texts{"512", "1024", "2048", "4096"}));
        QCOMPARE(values("500..3000"), (Texts{"500", "1000", "2000"}));
        QCOMPARE(values("8..72+8").size(), std::size_t{9});
        QCOMPARE(values("0.5..1+0.25, 3"), (Texts{"0.5", "0.75", "1", "3"}));
        QCOMPARE(values("0.1..0.3+0.1"), (Texts{"0.1", "0.2", "0.3"}));
        QCOMPARE(values("rail-only , rail-optimized,"), (Texts{"rail-only", "rail-optimized"}));
        QCOMPARE(values("2:1"), (Texts{"2:1"}));
        QCOMPARE(values("128,256,512"), (Texts{"128", "256", "512"}));
        QCOMPARE(values("512,1024"), (Texts{"512", "1024"}));
        QCOMPARE(values("33:31,128:96"), (Texts{"33:31", "128:96"}));
        QCOMPARE(values("16,32,64,128"), (Texts{"16", "32", "64", "128"}));
        QCOMPARE(values("0.5,100"), (Texts{"0.5", "100"}));
        QCOMPARE(values("16, 384"), (Texts{"16", "384"}));
        QCOMPARE(values("sw-q3400-ra,a100,200"), (Texts{"sw-q3400-ra", "a100", "200"}));
        for (const char* wrong : {"1,024",
                                  "8,192, 16,384",
                                  "512, 1,024",
                                  "1,024..4096",
                                  "512..16,384",
                                  "1,048,576",
                                  "1,024,2,048",
                                  "8,192,16,384",
                                  "-1,024",
                                  "1,024\t",
                                  "16,384G",
                                  "0,125",
                                  "65,536,131,072",
                                  "",
                                  " , ",
                                  "8..4",
                                  "a..b",
                                  "..",
                                  "0..8",
                                  "8..",
                                  "1..8+0",
                                  "1..8+-1",
                                  "8,8",
                                  "1..100000+1",
                                  "1..inf",
                                  "nan..8"})
            QVERIFY2(!axisValues(wrong), wrong);
    }
    // The rows are the points, with the values of their designs.
    void aTableHoldsEveryPoint() {
        const SweepPlan plan = smallPlan();
        QCOMPARE(plan.spec.recipe, std::string("rail-optimized"));
        const SweepTable table = tableOf(plan, answersOf(plan));
        QCOMPARE(table.rows.size(), std::size_t{12});
        QVERIFY(table.isComplete());
        QCOMPARE(table.axes, (std::vector<std::string>{"gpus", "recipe", "training.tp"}));
        for (const SweepTable::Row& row : table.rows) {
            QCOMPARE(row.error.empty(), row.axes[0] != "100"); // no whole number of servers
            const auto design = designAt(*table.spec, row.point);
            QCOMPARE(bool(design), row.error.empty());
            if (design) QCOMPARE((*design)->recipe->name, row.axes[1]);
            if (design) QCOMPARE((*design)->training->options.at("tp"), row.axes[2]);
        }
    }
    // What `sweep merge` writes is read back, from any of its files; what this table writes too.
    void tablesAreReadBack() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
        auto plan = planSweep(smallPlan().spec, path("sweep"));
        QVERIFY(plan);
        QVERIFY(!readSweepTable(path("sweep/manifest.json"))); // nothing is computed yet
        QVERIFY(runShard(*plan, Shard{}, {}));
        const auto merged = mergeSweep(*plan);
        QVERIFY(merged);
        const SweepTable known = tableOf(*plan, answersOf(*plan));
        for (const char* name : {"sweep/a.csv", "sweep/a.json", "b.csv", "b.json"}) QVERIFY(writeSweepTable(*plan, *merged, path(name)));
        QVERIFY(writeSweepTable(known, path("sweep/c.csv")));
        const auto rows = Json::parse(*readFile(path("b.json")))["rows"]; // a point without a design has the columns of the others
        for (const Json& row : rows)
            for (const std::string& column : merged->columns) QVERIFY2(row.contains(column), column.c_str());
        for (const char* name : {"sweep/manifest.json", "sweep/a.csv", "sweep/a.json", "b.csv", "b.json", "sweep/c.csv"}) {
            const auto table = readSweepTable(path(name));
            QVERIFY2(table, name);
            QCOMPARE(table->axes, known.axes);
            QCOMPARE(table->results, known.results);
            QVERIFY2(table->spec, name);
            QCOMPARE(table->rows.size(), known.rows.size());
            for (std::size_t r = 0; r < known.rows.size(); ++r) {
                QCOMPARE(table->rows[r].axes, known.rows[r].axes);
                QCOMPARE(table->rows[r].results, known.rows[r].results);
                QCOMPARE(table->rows[r].error, known.rows[r].error);
            }
        }
        // Cut off anywhere, it is refused or shows what it had.
        const std::string whole = *readFile(path("b.csv"));
        for (std::size_t bytes = whole.find('\n') + 1; bytes < whole.size(); ++bytes) {
            QVERIFY(writeFile(path("cut.csv"), whole.substr(0, bytes)));
            const auto table = readSweepTable(path("cut.csv"));
            if (!table) {
                QVERIFY2(table.error().where.line > 1 && toText(table.error()).find("cut off") != std::string::npos,
                         toText(table.error()).c_str());
                continue;
            }
            for (std::size_t r = 0; r < table->rows.size(); ++r) {
                QCOMPARE(table->rows[r].axes, known.rows[r].axes);
                QCOMPARE(table->rows[r].results, known.rows[r].results);
            }
        }
        std::string trimmed = whole; // as a spreadsheet writes it
        for (std::size_t at = trimmed.find(",\r\n"); at != std::string::npos; at = trimmed.find(",\r\n")) trimmed.erase(at, 1);
        QVERIFY(trimmed != whole && writeFile(path("trimmed.csv"), trimmed));
        const auto fromSpreadsheet = readSweepTable(path("trimmed.csv"));
        QVERIFY(fromSpreadsheet);
        QCOMPARE(fromSpreadsheet->rows.size(), known.rows.size());
        for (std::size_t r = 0; r < known.rows.size(); ++r) QCOMPARE(fromSpreadsheet->rows[r].results, known.rows[r].results);
        QVERIFY(writeFile(path("wide.csv"), whole.substr(0, whole.size() - 1) + ",,1,2,3\n"));
        QVERIFY(!readSweepTable(path("wide.csv")));
        for (const char* wrong : {"", "a,b\n1,2\n", "point,gpus,error", "{}", "[1]",
                                  R"({"schema": "railyard.sweep-table/1", "rows": [1], "axes": [], "columns": []})",
                                  R"({"schema": "railyard.sweep-table/1", "rows": [], "axes": [1], "columns": []})"})
            for (const char* name : {"wrong.csv", "wrong.json"}) {
                QVERIFY(writeFile(path(name), wrong));
                const auto table = readSweepTable(path(name));
                QVERIFY2(!table || table->rows.empty(), wrong);
            }
    }
    // Wherever it is, sorted or in part, as long as the sweep can be told: the designs of the rows are those of the points.
    void aTableFindsItsDesigns() {
        QTemporaryDir folder;
        const auto path = [&](const std::string& name) { return folder.filePath(QString::fromStdString(name)).toStdString(); };
        auto base = setParameters(*test::designOf("rail-optimized", {{"servers", "16"}}), {{"servers", "24"}});
        QVERIFY(base && QDir(folder.path()).mkpath(QStringLiteral("away")));
        const auto drawn = removeElements(*base->design, {"su[0]/leaf[0]"}); // of which a recipe alone knows nothing
        QVERIFY(drawn);
        const auto ofDrawn = sweepOf(drawn->design, {{"nic_gbps", "200, 400"}, {"hb_domain_gpus", "8, 16"}}, {"counts.switches"});
        QVERIFY(ofDrawn && ofDrawn->design);
        for (const SweepSpec& spec : {smallPlan().spec, *ofDrawn}) {
            const std::string sweep = path(spec.design ? "drawn" : "sweep");
            const auto plan = planSweep(spec, sweep);
            QVERIFY(plan && runShard(*plan, Shard{}, {}));
            const auto merged = mergeSweep(*plan);
            QVERIFY(merged);
            const SweepTable known = tableOf(*plan, answersOf(*plan));
            for (const char* name : {"next.csv", "away/a.csv", "away/a.json"}) QVERIFY(writeSweepTable(*plan, *merged, path(name)));
            QVERIFY(writeSweepTable(known, path("away/window.json")));
            std::string csv = *readFile(path("next.csv")), backwards = csv.substr(0, csv.find('\n') + 1), half = backwards;
            std::vector<std::string> lines;
            for (std::size_t at = backwards.size(); at < csv.size(); at = csv.find('\n', at) + 1)
                lines.push_back(csv.substr(at, csv.find('\n', at) + 1 - at));
            for (std::size_t l = lines.size(); l-- > 0;) backwards += lines[l];
            for (std::size_t l = 1; l < lines.size(); l += 2) half += lines[l];
            QVERIFY(writeFile(path("backwards.csv"), backwards) && writeFile(path("half.csv"), half));
            for (const char* name : {"next.csv", "backwards.csv", "half.csv", "away/a.json", "away/window.json"}) {
                const auto table = readSweepTable(path(name));
                QVERIFY2(table && table->spec, name);
                QCOMPARE(table->isComplete(), std::string(name) != "half.csv");
                for (const SweepTable::Row& row : table->rows) {
                    const auto design = designAt(*table->spec, row.point), expected = designAt(spec, row.point);
                    QCOMPARE(row.axes, known.rows[static_cast<std::size_t>(row.point)].axes);
                    QCOMPARE(bool(design), bool(expected));
                    if (design) QCOMPARE(designText(**design), designText(**expected));
                }
            }
            const auto alone = readSweepTable(path("away/a.csv"));
            QVERIFY(alone && !alone->spec);
            const auto asked = withSweep(*alone, sweep);
            QVERIFY(asked && asked->spec && asked->rows.back().point == static_cast<std::int64_t>(known.rows.size()) - 1);
            QVERIFY(!withSweep(*alone, path("away")));
            if (spec.design) QVERIFY(!withSweep(*alone, path("sweep"))); // another one
        }
    }
    // A row that was changed or added is shown, and has no design: what opens is what the row says.
    void aRowOpensWhatItShows() {
        QTemporaryDir folder;
        const auto path = [&](const std::string& name) { return folder.filePath(QString::fromStdString(name)).toStdString(); };
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("away")));
        const auto plan = planSweep(smallPlan().spec, path("sweep"));
        QVERIFY(plan && runShard(*plan, Shard{}, {}));
        const auto merged = mergeSweep(*plan);
        QVERIFY(merged && writeSweepTable(*plan, *merged, path("a.csv")) && writeSweepTable(*plan, *merged, path("a.json")));
        std::string csv = *readFile(path("a.csv"));
        const std::size_t first = csv.find('\n') + 1;
        csv.replace(first, 16, "9.07100140385E+292");                     // as a spreadsheet that takes an ID for a number
        csv.replace(csv.find(",128,", csv.find('\n', first)), 5, ",77,"); // the second row
        csv.insert(first, "Total,,,,1,2,3,\n");
        QVERIFY(writeFile(path("b.csv"), csv));
        Json json = Json::parse(*readFile(path("a.json")));
        json["rows"][1]["gpus"] = 77;
        json["rows"].insert(json["rows"].begin(), Json{{"point", "Total"}});
        for (const char* name : {"b.json", "away/b.json"}) QVERIFY(writeFile(path(name), json.dump()));
        for (const char* name : {"b.csv", "b.json", "away/b.json"}) {
            const auto table = readSweepTable(path(name));
            QVERIFY2(table && table->spec, name);
            QCOMPARE(table->rows.size(), std::size_t{13});
            QVERIFY(!table->isComplete());
            QCOMPARE(table->rows[0].point, SweepTable::noPoint);
            QCOMPARE(table->rows[1].point, std::int64_t{0});
            QCOMPARE(table->rows[2].point, SweepTable::noPoint);
            QCOMPARE(table->rows[3].point, std::int64_t{2});
        }
        // Rows that are there twice are one point.
        json = Json::parse(*readFile(path("a.json")));
        json["rows"].erase(json["rows"].begin() + 6, json["rows"].end());
        for (int r = 0; r < 6; ++r) json["rows"].push_back(json["rows"][static_cast<std::size_t>(r)]);
        QVERIFY(writeFile(path("away/twice.json"), json.dump()));
        const auto twice = readSweepTable(path("away/twice.json"));
        QVERIFY(twice && twice->rows.size() == 12 && !twice->isComplete());
        // A spec that this program does not understand leaves the figures, and the reason.
        json["spec"]["axes"] = 3;
        QVERIFY(writeFile(path("away/newer.JSON"), json.dump()));
        const auto newer = readSweepTable(path("away/newer.JSON"));
        QVERIFY(newer && !newer->spec && newer->rows.size() == 12 && !newer->whyNoSpec.empty());
        for (const char* other : {"/etc/passwd", "base.railyard"}) { // reading a table opens no other file
            json["spec"] = Json::parse(*readFile(path("a.json")))["spec"];
            json["spec"]["base"] = other;
            QVERIFY(writeFile(path("away/other.json"), json.dump()));
            const auto table = readSweepTable(path("away/other.json"));
            QVERIFY(table && !table->spec);
            QVERIFY2(table->whyNoSpec.find("neither a recipe nor a document") != std::string::npos, table->whyNoSpec.c_str());
        }
    }
    // Rows of another sweep, or with the values of another point: neither their ID nor their values alone say what they are.
    void rowsOfOtherSweepsHaveNoDesign() {
        QTemporaryDir folder;
        const auto path = [&](const std::string& name) { return folder.filePath(QString::fromStdString(name)).toStdString(); };
        const auto sweep = [&](const std::string& name, const std::string& base, const std::string& sizes) {
            const auto spec = readSweepSpec(
                R"({"base": ")" + base + R"(", "axes": {"gpus": [)" + sizes + R"(]}, "evaluate": ["counts.switches"]})", "s.json");
            const auto plan = planSweep(*spec, path(name));
            const auto run = plan ? runShard(*plan, Shard{}, {}) : Result<SweepRun>(plan.errors());
            const auto merged = run ? mergeSweep(*plan) : Result<MergedSweep>(run.errors());
            return merged && writeSweepTable(*plan, *merged, path(name + ".csv")) && writeSweepTable(*plan, *merged, path(name + ".json"));
        };
        QVERIFY(sweep("a", "rail-optimized", "512, 1024"));
        QVERIFY(sweep("b", "rail-optimized", "1024, 2048, 4096"));
        QVERIFY(sweep("c", "rail-only", "512, 1024"));
        const auto lines = [&](const std::string& name) {
            std::vector<std::string> all;
            const std::string text = *readFile(path(name));
            for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
                all.push_back(text.substr(at, text.find('\n', at) + 1 - at));
            return all;
        };
        const auto a = lines("a.csv"), c = lines("c.csv");
        QVERIFY(writeFile(path("both.csv"), a[0] + a[1] + c[1] + a[2] + c[2]));
        const auto both = readSweepTable(path("both.csv"));
        QVERIFY(both && both->spec && both->spec->recipe == "rail-optimized");
        std::vector<std::int64_t> points;
        for (const SweepTable::Row& row : both->rows) points.push_back(row.point);
        QCOMPARE(points, (std::vector<std::int64_t>{0, SweepTable::noPoint, 1, SweepTable::noPoint}));
        std::string other = a[1]; // the values of another point
        other.replace(other.find(",512,"), 5, ",1024,");
        QVERIFY(writeFile(path("other.csv"), a[0] + other + a[2]));
        const auto changed = readSweepTable(path("other.csv"));
        QVERIFY(changed && changed->rows[0].point == SweepTable::noPoint && changed->rows[1].point == 1);
        // 1,024 GPUs are in both.
        const auto b = readSweepTable(path("b.csv"));
        QVERIFY(b && b->spec && b->isComplete());
        // No ID is left: values alone do not tell the one base from the other.
        std::string damaged = c[0];
        for (std::size_t l = 1; l < c.size(); ++l) damaged += "1e5" + c[l].substr(c[l].find(','));
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("away")) && writeFile(path("away/damaged.csv"), damaged));
        const auto alone = readSweepTable(path("away/damaged.csv"));
        QVERIFY(alone && !alone->spec && !withSweep(*alone, path("a")));
        // Computed with other prices: the IDs differ, the spec is that of the file.
        Json json = Json::parse(*readFile(path("c.json")));
        for (Json& row : json["rows"]) row["point"] = "0123456789abcdef";
        QVERIFY(writeFile(path("away/older.json"), json.dump()));
        const auto older = readSweepTable(path("away/older.json"));
        QVERIFY(older && older->isComplete() && older->spec->recipe == "rail-only");
    }
    // Columns in another order, TRUE for true.
    void spreadsheetsChangeTables() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
        const auto spec = readSweepSpec(
            R"({"base": "rail-optimized", "axes": {"storage": [true, false], "gpus": [64, 128]}, "evaluate": ["counts.switches"]})",
            "s.json");
        const auto plan = planSweep(*spec, path("sweep"));
        QVERIFY(plan && runShard(*plan, Shard{}, {}));
        const auto merged = mergeSweep(*plan);
        std::string csv = "point,gpus,storage,counts.switches,error\n";
        for (std::size_t point = 0; point < 4; ++point)
            csv += plan->ids[point] + (point % 2 == 0 ? ",64," : ",128,") + (point < 2 ? "TRUE" : "FALSE") + ",7,\n";
        QVERIFY(merged && writeFile(path("excel.csv"), csv));
        const auto table = readSweepTable(path("excel.csv"));
        QVERIFY(table && table->spec && table->isComplete());
        QCOMPARE(table->axes, (std::vector<std::string>{"storage", "gpus"}));
        QCOMPARE(table->rows[3].axes, (std::vector<std::string>{"FALSE", "128"}));
        // What is missing is said.
        QVERIFY(writeFile(path("excel.csv"), "point,gpus,counts.switches,error\n" + plan->ids[0] + ",64,7,\n"));
        const auto without = withSweep(*readSweepTable(path("excel.csv")), path("sweep"));
        QVERIFY(!without && toText(without.error()).find("no column storage") != std::string::npos);
    }
    // Parameters that are on or off, and results with the names of parameters.
    void axesAreThoseOfTheSpec() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
        const auto spec = readSweepSpec(
            R"({"base": "rail-optimized", "settings": {"servers": 16}, "axes": {"storage": [true, false], "oversubscription": ["2:1", "1:1"]},
                "evaluate": ["training.gpus", "training.model", "training.tokens_per_s"]})",
            "spec.json");
        QVERIFY2(spec, spec ? "" : toText(spec.error()).c_str());
        const auto plan = planSweep(*spec, path("sweep"));
        QVERIFY(plan && runShard(*plan, Shard{}, {}));
        const auto merged = mergeSweep(*plan);
        QVERIFY(merged && QDir(folder.path()).mkpath(QStringLiteral("away")));
        for (const char* name : {"a.csv", "away/a.json", "sweep/a.json"}) {
            QVERIFY(writeSweepTable(*plan, *merged, path(name)));
            const auto table = readSweepTable(path(name));
            QVERIFY2(table && table->spec && table->isComplete(), name);
            QCOMPARE(table->axes, (std::vector<std::string>{"storage", "oversubscription"}));
            QCOMPARE(table->results, (std::vector<std::string>{"training.gpus", "training.tokens_per_s"}));
            for (const SweepTable::Row& row : table->rows) {
                QCOMPARE(row.results.size(), std::size_t{2});
                QCOMPARE(*row.results[0], 128.0);
            }
        }
        QVERIFY(!readSweepSpec(R"({"base": "rail-only", "axes": {"gpus": [64], "servers": [8]}, "evaluate": ["counts"]})", "spec.json"));
    }
    // A small file cannot ask for much memory.
    void hostileTablesAreRefused() {
        QTemporaryDir folder;
        const std::string name = folder.filePath(QStringLiteral("wide.csv")).toStdString();
        std::string csv = "point,gpus";
        for (int c = 0; c < 10'000; ++c) csv += ",c" + std::to_string(c);
        csv += ",error\n";
        for (int r = 0; r < 10'000; ++r) csv += "a\n";
        QVERIFY(writeFile(name, csv));
        const auto table = readSweepTable(name);
        QVERIFY(!table && toText(table.error()).find("far more columns") != std::string::npos);
        for (const char* twice : {"point,gpus,a,a,error\nx,1,2,3,\n", "point,gpus,gpus,a,error\nx,1,1,2,\n"}) {
            QVERIFY(writeFile(name, twice));
            const auto repeated = readSweepTable(name);
            QVERIFY(!repeated && toText(repeated.error()).find("twice") != std::string::npos);
        }
    }
    // Against every pair of rows.
    void theFrontIsBeatenByNobody() {
        test::Random random{7};
        for (int round = 0; round < 200; ++round) {
            SweepTable table{{"a"}, {"x", "y"}, {}, {}, {}};
            const std::size_t count = 1 + random.next() % 30;
            std::vector<std::size_t> all;
            for (std::size_t r = 0; r < count; ++r) {
                const auto value = [&] {
                    return random.next() % 12 == 0 ? std::optional<double>() : std::optional(static_cast<double>(random.next() % 8));
                };
                table.rows.push_back({static_cast<std::int64_t>(r), "", {"1"}, {value(), value()}, "", ""});
                all.push_back(r);
            }
            const SweepGoal x{0, random.next() % 2 == 0}, y{1, random.next() % 2 == 0};
            const std::vector<std::size_t> front = paretoFront(table, all, x, y);
            const auto cost = [&](std::size_t r, const SweepGoal& goal) {
                return *table.rows[r].results[goal.column] * (goal.lessIsBetter ? 1 : -1);
            };
            const auto isKnown = [&](std::size_t r) { return table.rows[r].results[0] && table.rows[r].results[1]; };
            for (const std::size_t r : all) {
                if (!isKnown(r)) continue;
                bool isBeaten = false, isRepeated = false;
                for (const std::size_t other : all) {
                    if (!isKnown(other) || other == r) continue;
                    const bool isNoWorse = cost(other, x) <= cost(r, x) && cost(other, y) <= cost(r, y);
                    const bool isSame = cost(other, x) == cost(r, x) && cost(other, y) == cost(r, y);
                    isBeaten |= isNoWorse && !isSame;
                    isRepeated |= isSame && other < r;
                }
                QCOMPARE(std::find(front.begin(), front.end(), r) != front.end(), !isBeaten && !isRepeated);
            }
            for (std::size_t i = 1; i < front.size(); ++i) QVERIFY(*table.rows[front[i - 1]].results[0] < *table.rows[front[i]].results[0]);
        }
    }
    // Another layout has the parts of the design, also where its preset states them.
    void layoutsKeepTheParts() {
        for (const char* preset : {"superpod-b200", "superpod-b300", "superpod-gb200"}) {
            const DesignPointer design = test::designOf(preset, {});
            const auto own = resolve(*design->recipe, *design->catalog);
            const auto spec = sweepOf(design, {{"recipe", "rail-optimized, rail-only"}}, {"counts.gpus"});
            QVERIFY2(own && spec, preset);
            for (std::int64_t point = 0; point < spec->points(); ++point) {
                const auto other = designAt(*spec, point);
                QVERIFY2(other, other ? preset : other.error().text.c_str());
                const auto settings = resolve(*(*other)->recipe, *design->catalog);
                QVERIFY(settings);
                QCOMPARE(settings->server->id, own->server->id);
                QCOMPARE(settings->leafSwitch->id, own->leafSwitch->id);
                QCOMPARE(settings->gpus(), own->gpus());
                QCOMPARE(settings->planes, own->planes);
                QVERIFY(settings->linkSpeed == own->linkSpeed);
            }
            QVERIFY(!sweepOf(design, {{"recipe", "rail-only, superpod-h100"}}, {"counts"}));
            const auto presets = sweepOf(design, {{"recipe", "superpod-h100, superpod-b200"}}, {"counts"});
            QVERIFY(presets);
            QCOMPARE((*designAt(*presets, 0))->recipe->name, std::string("superpod-h100"));
        }
    }
    // A design that was edited by hand keeps its edits, and has no other recipe.
    void handEditsAreKept() {
        const DesignPointer plain = test::designOf("superpod-h100", {{"servers", "64"}});
        Design edited = *plain;
        edited.overrides["su[1]/leaf[1]"].label = "x";
        const auto design = std::make_shared<const Design>(edited);
        QVERIFY(sweepOf(plain, {{"recipe", "rail-only"}}, {"counts"}));
        QVERIFY(!sweepOf(design, {{"recipe", "rail-only"}}, {"counts"}));
        const auto spec = sweepOf(design, {{"servers", "64, 96"}}, {"counts"});
        QVERIFY(spec && spec->design);
        QCOMPARE((*designAt(*spec, 1))->overrides.at("su[1]/leaf[1]").label, std::string("x"));
        for (const AskedAxis& wrong : {AskedAxis{"no_such", "1"}, AskedAxis{"gpus", ""}, AskedAxis{"training.no_such_option", "1"}})
            QVERIFY2(!sweepOf(plain, {wrong}, {"counts"}) || wrong.key.starts_with("training"), wrong.key.c_str());
        QVERIFY(!sweepOf(plain, {}, {"counts"}));
        QVERIFY(!sweepOf(plain, {{"gpus", "64"}}, {}));
        QVERIFY(!sweepOf(plain, {{"gpus", "64"}, {"gpus", "128"}}, {"counts"}));
        QVERIFY(!sweepOf(plain, {{"gpus", "64"}}, {"no such thing"}));
    }
};

QTEST_GUILESS_MAIN(tst_sweep_table)
#include "tst_sweep_table.moc"
