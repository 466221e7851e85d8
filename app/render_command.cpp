#include "app/render_command.h"

#include "app/cli/options/parameter_options.h"
#include "app/command_errors.h"
#include "app/gui/application.h"
#include "app/gui/files.h"
#include "app/row_options.h"
#include "core/analysis/maps/decision.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/failure/impact.h"
#include "core/io/document/design_json.h"
#include "core/io/presentation/slide_parameters.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/compare.h"
#include "widgets/export/compare_pages.h"
#include "widgets/export/picture_parameters.h"
#include "widgets/export/picture_table.h"
#include "widgets/theme/text.h"
#include "widgets/views/compare_view.h"

#include <CLI/CLI.hpp>
#include <QDir>
#include <cstdio>

namespace railyard {
namespace {

struct RenderArguments {
    std::string file, output, view = "topology", detail = "auto", op = "all-reduce", message = "1GiB", scale = "viridis", model,
                              crop = "all"; // model: empty for the training job of the design
    ParameterTexts picture, slide;          // of pictureParameters and slideParameters
    std::vector<std::string> fail;
    bool isWithoutDesign = false;
};

Status onlyStatus(const Result<QStringList>& files) { return files ? Status(Done{}) : Status(files.errors()); }

// Several files where a picture has one page only are named: nobody asked for these names.
Status written(const Result<QStringList>& files, const QString& path) {
    if (!files) return files.errors();
    if (*files != QStringList{path})
        for (const QString& file : *files) std::printf("%s\n", file.toStdString().c_str());
    return Done{};
}

// "2 of 1,234 devices and 64 of 2,048 links have failed."
QString failureSentence(const Fabric& fabric, const Removal& removal, const Impacts& impacts) {
    const FabricCounts before = countsOf(fabric),
                       after = countsOf(*without(std::make_shared<const Fabric>(fabric), removal.devices, removal.links));
    QStringList parts;
    const auto add = [&](std::int64_t lost, std::int64_t of, const QString& words) {
        if (lost > 0) parts << words.arg(QString::fromStdString(formatCount(lost)), QString::fromStdString(formatCount(of)));
    };
    add(before.gpus - after.gpus, before.gpus, QObject::tr("%1 of %2 GPUs"));
    add(before.switches - after.switches, before.switches, QObject::tr("%1 of %2 switches"));
    add(before.links - after.links, before.links, QObject::tr("%1 of %2 links"));
    if (impacts.cutOff > 0) parts << counted(impacts.cutOff, QObject::tr("%1 GPU cut off"), QObject::tr("%1 GPUs cut off"));
    if (impacts.degraded > 0) parts << counted(impacts.degraded, QObject::tr("%1 GPU degraded"), QObject::tr("%1 GPUs degraded"));
    return QObject::tr("Failed: %1")
        .arg(parts.isEmpty() ? QObject::tr("nothing that GPUs, switches and links depend on") : parts.join(QStringLiteral(" · ")));
}

// Failed elements are crossed out in the drawing; other pictures are of the degraded fabric. Errors: a selector that matches nothing, a
// picture that shows no failures.
Result<FabricPointer> withFailures(const FabricPointer& fabric, const RenderArguments& a, PictureOptions& options) {
    if (a.fail.empty()) return fabric;
    const auto [picture, argument] = pictureNamed(a.view);
    auto removal = removalOf(*fabric, {.selectors = a.fail});
    if (!removal) return removal.errors();
    Impacts impacts = impactOf(*fabric, *removal);
    options.sentence = failureSentence(*fabric, *removal, impacts);
    options.slide.sentence = options.sentence.toStdString();
    if (!picture || picture->view == "topology") {
        options.removal = std::move(*removal);
        options.impacts = std::move(impacts.ofDevices);
        return fabric;
    }
    if (argument.empty() || picture->argument == "FILE")
        return Error::usage("--fail: is used by --view topology, heatmap:KIND, training:CHART and failure:CHART");
    return without(fabric, removal->devices, removal->links);
}

Status draw(const FabricPointer& fabric, const RenderArguments& a, PictureOptions options) {
    const QString path = QString::fromStdString(a.output);
    if (a.crop != "all") {
        if (a.view != "topology") return Error::usage("--crop " + a.crop + ": is used by --view topology only");
        const auto area = areaOf(*fabric, a.crop, options.detail);
        if (!area) return Error::usage("--crop " + area.error().text);
        options.area = *area;
    }
    if (const auto [picture, argument] = pictureNamed(a.view); picture) {
        if (picture->argument == "FILE") {
            const auto other = loadDesign(argument);
            if (!other) return other.errors();
            options.other = elaborate(*other);
        }
        return written(drawPicture(*picture, fabric, argument, path, options), path);
    }
    std::string names;
    for (const SavedView& saved : fabric->design->views) {
        names += ", " + saved.name;
        if (saved.name != a.view) continue;
        options.area = QRectF(saved.x, saved.y, saved.width, saved.height);
        options.detail = detailOf(saved);
        return drawTopology(*fabric, path, options);
    }
    return Error::usage("--view " + a.view + ": unknown view; use " + pictureNames() + ", or the name of a saved view" +
                        (names.empty() ? " (this design has none)" : " (" + names.substr(2) + ")"));
}

// What the arguments say about the picture.
Result<PictureOptions> optionsOf(const RenderArguments& a, const Design& design) {
    const auto picture = cli::settingsFrom(pictureParameters(), PictureSettings(), a.picture, "a picture");
    if (!picture) return picture.errors();
    PictureOptions options;
    const auto op = collectiveOpFrom(a.op);
    if (!op)
        return Error::usage(
            "--op " + a.op +
            ": unknown operation; use all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter or p2p");
    const auto message = parseBytes(a.message);
    if (!message) return Error::usage("--message: " + message.error().text);
    if (message->count() == 0) return Error::usage("--message: the size must be above 0");
    options.op = *op;
    options.message = *message;
    picture->apply(options);
    options.tokens.scale = a.scale == "cividis" ? ColorScale::Cividis : a.scale == "gray" ? ColorScale::Gray : ColorScale::Viridis;
    if (!a.model.empty()) {
        const auto model = modelForDocument(a.model);
        if (!model) return model.errors();
        auto job = jobOf(design, {{"model", *model}});
        if (!job) return job.errors();
        options.job = std::move(*job);
    }
    options.carriesDesign = !a.isWithoutDesign;
    const auto slide = readSlideOptions(a.slide);
    if (!slide) return slide.errors();
    options.slide = *slide;
    options.detail = a.detail == "full" ? Detail::Full : a.detail == "elided" ? Detail::Elided : Detail::Folded;
    return options;
}

} // namespace

int runRender(int argc, char** argv, const Status& prices) {
    protectFilesInUse();
    qputenv("QT_QPA_PLATFORM", "offscreen");
    CLI::App parser{"Writes a picture of a design without a display.", "railyard render"};
    RenderArguments a;
    parser.add_option("FILE", a.file, "design file (*.railyard)")->required();
    parser
        .add_option("-o", a.output,
                    "output file: .png, .svg or .pdf; of the topology and of slides also .pptx, with native shapes; several pages become "
                    "one PDF, or numbered files: racks.png, racks-2.png")
        ->required();
    parser.add_option("--view", a.view, pictureNames() + ", or the name of a saved view")->capture_default_str();
    addRows(parser, pictureParameters(), a.picture);
    parser
        .add_option("--detail", a.detail,
                    "auto folds identical SUs, full draws every SU, elided draws only the first and last of identical elements")
        ->check(CLI::IsMember({"auto", "full", "elided"}))
        ->capture_default_str();
    parser.add_option("--crop", a.crop, "all, or the path of an element or block of the topology: only that part is drawn")
        ->capture_default_str();
    parser.add_option("--scale", a.scale, "colour scale of heat maps: viridis, cividis (projectors, colour-blind readers) or gray (print)")
        ->check(CLI::IsMember({"viridis", "cividis", "gray"}))
        ->capture_default_str();
    parser.add_option(
        "--model", a.model,
        "training model of the heat maps that show a job, with the defaults of `train`; default: the training job of the design");
    parser.add_option("--op", a.op, "collective of play and of the heat maps of collective times and jobs")->capture_default_str();
    parser
        .add_option(
            "--fail", a.fail,
            "elements that have failed (repeatable): crossed out in the topology, missing in heat maps, charts of failure and training")
        ->allow_extra_args(false);
    parser.add_option("--message", a.message, "message size of play")->capture_default_str();
    addRows(parser, slideParameters(), a.slide); // of slides and offers
    parser.add_flag("--no-design", a.isWithoutDesign, "do not put the design into the file, from which it can be opened otherwise");
    try {
        parser.parse(argc - 1, argv + 1);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return parser.exit(problem);
        std::fprintf(stderr, "railyard: error: %s; run `railyard render --help` for the options\n", problem.what());
        return 2;
    }
    const auto [picture, argument] = pictureNamed(a.view);
    const MapKind* map = picture ? mapKindNamed(argument) : nullptr;
    if (picture && (picture->showsPrices || (map && map->has(MapKind::Prices))) && !prices) return report(prices.errors());
    Application app(argc, argv);
    if (const Status fonts = fontsAreThere(); !fonts) return report(fonts.errors());
    auto design = loadDesign(a.file);
    if (!design) return report(design.errors());
    auto options = optionsOf(a, **design);
    if (!options) return report(options.errors());
    auto fabric = withFailures(elaborate(*design), a, *options);
    if (!fabric) return report(fabric.errors());
    const Status done = draw(*fabric, a, *options);
    return done ? 0 : report(done.errors());
}

// Compares the sample with its rail-only twin and writes the workbooks, the pictures and the maps.
int runMainJob(int argc, char** argv, const Status& prices) {
    if (!prices) return report(prices.errors());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    Application app(argc, argv);
    if (const Status fonts = fontsAreThere(); !fonts) return report(fonts.errors());
    const std::string folder = argc > 2 ? argv[2] : "out";
    QDir().mkpath(QString::fromStdString(folder));
    const QString sample = sampleFile(QStringLiteral("superpod-h100-16su.railyard"));
    if (sample.isEmpty())
        return report({Error::file("samples/superpod-h100-16su.railyard", "is missing; run this command in the project folder")});
    auto design = loadDesign(sample.toStdString());
    if (!design) return report(design.errors());
    auto twinDesign = twinOf(**design);
    if (!twinDesign) return report(twinDesign.errors());
    const FabricPointer fabric = elaborate(*design), twin = elaborate(std::make_shared<const Design>(std::move(*twinDesign)));
    const Metrics metrics = metricsOf(*fabric), twinMetrics = metricsOf(*twin);
    const std::vector<Json> both{toJson(metrics), toJson(twinMetrics)};
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    const auto at = [&](const char* name) { return folder + "/" + name; };
    const auto picture = [&](const char* name) { return QString::fromStdString(at(name)); };
    const std::vector<std::pair<std::string, Status>> steps{
        {"Bill of materials", writeBom(*fabric, metrics, at("superpod-h100-16su-bom.xlsx"))},
        {"Cable schedule", writeCables(*fabric, at("superpod-h100-16su-cables.xlsx"))},
        {"Comparison (workbook)", writeComparison(both, at("rail-optimized-or-rail-only.xlsx"))},
        {"Comparison (Markdown)", writeComparison(both, at("rail-optimized-or-rail-only.md"))},
        {"Comparison (PDF)",
         onlyStatus(drawComparison({*fabric, *twin, metrics, twinMetrics}, picture("rail-optimized-or-rail-only.pdf"), options))},
        {"Drawing (PNG)", drawTopology(*fabric, picture("superpod-h100-16su.png"), options)},
        {"Drawing (SVG)", drawTopology(*fabric, picture("superpod-h100-16su.svg"), options)},
        {"Drawing of the rail-only twin", drawTopology(*twin, picture("rail-only-twin.png"), options)},
        {"Heat map of collective times", drawHeatMap(*fabric, QStringLiteral("collective-time"), picture("collective-time.png"), options)},
        {"Decision map", drawHeatMap(*fabric, QStringLiteral("decision"), picture("decision-map.png"), options)}};
    for (const auto& [what, done] : steps)
        if (!done) return report(done.errors());
    const InstantMetrics &a = metrics.instant, &b = twinMetrics.instant;
    const double slower = twinMetrics.background.collectives[1].result->best.time / metrics.background.collectives[1].result->best.time - 1;
    std::printf(
        "%s GPUs. Rail-optimized: %s switches, network cost %s. Rail-only: %s switches (%s), network cost %s, all-to-all time %s.\n",
        formatCount(a.counts.gpus).c_str(), formatCount(a.counts.switches).c_str(), formatMoney(a.bill.network).c_str(),
        formatCount(b.counts.switches).c_str(),
        formatPercent(static_cast<double>(b.counts.switches) / static_cast<double>(a.counts.switches) - 1).c_str(),
        formatMoney(b.bill.network).c_str(), formatPercent(slower).c_str());
    for (const auto& [what, done] : steps) std::printf("  %s\n", what.c_str());
    std::printf("Written to %s\n", QDir(QString::fromStdString(folder)).absolutePath().toStdString().c_str());
    return 0;
}

} // namespace railyard
