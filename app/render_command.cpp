#include "app/render_command.h"

#include "app/files.h"
#include "core/analysis/decision.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/io/deliverables.h"
#include "core/io/design_json.h"
#include "core/io/results_json.h"
#include "widgets/pictures/pictures.h"
#include "widgets/pictures/play_frames.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QDir>
#include <cstdio>

namespace railyard {
namespace {

int report(const std::vector<Error>& errors) {
    for (const Error& error : errors) std::fprintf(stderr, "railyard: error: %s\n", toText(error).c_str());
    return static_cast<int>(errors.front().kind);
}

struct RenderArguments {
    std::string file, output, view = "topology", size = "1600x1000", theme = "light", detail = "auto", op = "all-reduce", message = "1GiB",
                              scale = "viridis", model = JobChoice().model;
    double dpi = 96;
};

Result<QSize> parseSize(const std::string& text) {
    int width = 0, height = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 64 || height < 64 || width > 16384 || height > 16384)
        return Error::usage("--size " + text + ": write it as 1920x1080, from 64 to 16384 each");
    return QSize(width, height);
}

Status drawSteps(const FabricPointer& fabric, const RenderArguments& a, const PictureOptions& options) {
    const auto size = parseBytes(a.message);
    if (!size) return Error::usage("--message: " + size.error().text);
    if (size->count() == 0) return Error::usage("--message: nothing is sent; give a size above 0");
    auto steps = CollectiveSteps::of(*fabric, options.op, *size);
    if (!steps) return steps.errors();
    steps->weighRounds(*fabric);
    return drawPlay({fabric, fabric, {}}, *steps, QString::fromStdString(a.output), options);
}

Status draw(const FabricPointer& drawn, const RenderArguments& a, const PictureOptions& options) {
    const Fabric& fabric = *drawn;
    const QString path = QString::fromStdString(a.output), view = QString::fromStdString(a.view);
    if (view == QStringLiteral("topology")) return drawTopology(fabric, path, options);
    if (view == QStringLiteral("floor") || view == QStringLiteral("racks")) return drawFloor(fabric, view, path, options);
    if (view == QStringLiteral("play")) return drawSteps(drawn, a, options);
    if (view.startsWith(QStringLiteral("heatmap:"))) return drawHeatMap(fabric, view.mid(8), path, options);
    std::string names;
    for (const SavedView& saved : fabric.design->views) {
        names += ", " + saved.name;
        if (saved.name != a.view) continue;
        PictureOptions part = options;
        part.area = QRectF(saved.x, saved.y, saved.width, saved.height);
        part.detail = detailOf(saved);
        return drawTopology(fabric, path, part);
    }
    return Error::usage(
        "--view " + a.view +
        ": topology, floor, racks, heatmap:collective-time, heatmap:hb-nic, heatmap:traffic, heatmap:difference, heatmap:tcp, "
        "heatmap:collisions, heatmap:jobs, heatmap:decision, play" +
        (names.empty() ? "; the design has no saved views" : names));
}

} // namespace

int runRender(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    CLI::App parser{"Draws a design without a display.", "railyard render"};
    RenderArguments a;
    parser.add_option("FILE", a.file, "a *.railyard design")->required();
    parser.add_option("-o", a.output, "picture to write: .png, .svg or .pdf")->required();
    parser
        .add_option("--view", a.view,
                    "topology, floor, racks, heatmap:collective-time, heatmap:hb-nic, heatmap:traffic, heatmap:difference, heatmap:tcp, "
                    "heatmap:collisions, heatmap:jobs, heatmap:decision; play: every step of a collective, as one SVG that moves or as "
                    "numbered files")
        ->capture_default_str();
    parser.add_option("--size", a.size, "width x height in pixels at 96 dpi")->capture_default_str();
    parser.add_option("--dpi", a.dpi, "96 and up: more pixels for the same picture")
        ->check(CLI::Range(48.0, 1200.0))
        ->capture_default_str();
    parser.add_option("--theme", a.theme, "light or dark")->check(CLI::IsMember({"light", "dark"}))->capture_default_str();
    parser
        .add_option("--detail", a.detail,
                    "auto folds identical SUs, full draws each, elided the first ones and the last of all that is alike")
        ->check(CLI::IsMember({"auto", "full", "elided"}))
        ->capture_default_str();
    parser.add_option("--scale", a.scale, "colours of heat maps: viridis, cividis (few colours told apart, projectors) or gray (print)")
        ->check(CLI::IsMember({"viridis", "cividis", "gray"}))
        ->capture_default_str();
    parser.add_option("--model", a.model, "heatmap:traffic, collective-time, difference and tcp: whose messages")->capture_default_str();
    parser.add_option("--op", a.op, "play, heatmap:collective-time, hb-nic, difference, tcp and jobs: the operation")
        ->capture_default_str();
    parser.add_option("--message", a.message, "play: its size")->capture_default_str();
    try {
        parser.parse(argc - 1, argv + 1);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return parser.exit(problem);
        std::fprintf(stderr, "railyard: error: %s; `railyard render --help` shows what is right\n", problem.what());
        return 2;
    }
    QApplication app(argc, argv);
    auto size = parseSize(a.size);
    if (!size) return report(size.errors());
    auto design = loadDesign(a.file);
    if (!design) return report(design.errors());
    PictureOptions options;
    const auto op = collectiveOpFrom(a.op);
    if (!op)
        return report({Error::usage("--op " + a.op +
                                    ": all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter or p2p")});
    options.op = *op;
    options.size = *size;
    options.dpi = a.dpi;
    options.tokens = a.theme == "dark" ? darkTokens() : printTokens();
    options.tokens.scale = a.scale == "cividis" ? ColorScale::Cividis : a.scale == "gray" ? ColorScale::Gray : ColorScale::Viridis;
    if (const auto model = modelOf(a.model); !model) return report(model.errors());
    options.job.model = a.model;
    options.detail = a.detail == "full" ? Detail::Full : a.detail == "elided" ? Detail::Elided : Detail::Folded;
    const Status done = draw(elaborate(*design), a, options);
    return done ? 0 : report(done.errors());
}

// Opens the sample, compares it with its rail-only twin, and leaves the workbook, the pictures and the maps.
int runMainJob(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const std::string folder = argc > 2 ? argv[2] : "out";
    QDir().mkpath(QString::fromStdString(folder));
    const QString sample = sampleFile(QStringLiteral("superpod-h100-16su.railyard"));
    if (sample.isEmpty())
        return report({Error::file("samples/superpod-h100-16su.railyard", "is missing; run this from the project's folder")});
    auto design = loadDesign(sample.toStdString());
    if (!design) return report(design.errors());
    const auto twinCall = twinOf(*(*design)->recipe, *(*design)->catalog);
    auto twinDesign = twinCall ? build(*twinCall, "rail-only twin", (*design)->catalog) : Result<Design>(twinCall.errors());
    if (!twinDesign) return report(twinDesign.errors());
    const FabricPointer fabric = elaborate(*design), twin = elaborate(std::make_shared<const Design>(std::move(*twinDesign)));
    const Metrics metrics = metricsOf(*fabric, *fabric), twinMetrics = metricsOf(*twin, *twin);
    const std::vector<Json> both{toJson(metrics), toJson(twinMetrics)};
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    const auto at = [&](const char* name) { return folder + "/" + name; };
    const auto picture = [&](const char* name) { return QString::fromStdString(at(name)); };
    const std::vector<std::pair<std::string, Status>> steps{
        {"bill of materials", writeBom(*fabric, metrics, at("superpod-h100-16su-bom.xlsx"))},
        {"cable list", writeCables(*fabric, at("superpod-h100-16su-cables.xlsx"))},
        {"comparison, workbook", writeComparison(both, at("rail-optimized-or-rail-only.xlsx"))},
        {"comparison, text", writeComparison(both, at("rail-optimized-or-rail-only.md"))},
        {"drawing", drawTopology(*fabric, picture("superpod-h100-16su.png"), options)},
        {"drawing, vector", drawTopology(*fabric, picture("superpod-h100-16su.svg"), options)},
        {"drawing of the twin", drawTopology(*twin, picture("rail-only-twin.png"), options)},
        {"heat map of collective times", drawHeatMap(*fabric, QStringLiteral("collective-time"), picture("collective-time.png"), options)},
        {"decision map", drawHeatMap(*fabric, QStringLiteral("decision"), picture("decision-map.png"), options)}};
    for (const auto& [what, done] : steps)
        if (!done) return report(done.errors());
    const InstantMetrics &a = metrics.instant, &b = twinMetrics.instant;
    const double slower = twinMetrics.background.collectives[1].result->best.time / metrics.background.collectives[1].result->best.time - 1;
    std::printf("%s GPUs: rail-optimized %s switches, %s of network; rail-only %s switches (%s), %s; all-to-all %s\n",
                formatCount(a.counts.gpus).c_str(), formatCount(a.counts.switches).c_str(), formatMoney(a.bill.network).c_str(),
                formatCount(b.counts.switches).c_str(),
                formatPercent(static_cast<double>(b.counts.switches) / static_cast<double>(a.counts.switches) - 1).c_str(),
                formatMoney(b.bill.network).c_str(), formatPercent(slower).c_str());
    for (const auto& [what, done] : steps) std::printf("  %s\n", what.c_str());
    std::printf("written to %s\n", QDir(QString::fromStdString(folder)).absolutePath().toStdString().c_str());
    return 0;
}

} // namespace railyard
