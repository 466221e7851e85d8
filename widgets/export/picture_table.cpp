#include "widgets/export/picture_table.h"

#include "core/collective/steps.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_text.h"
#include "core/io/results/results_json.h"
#include "widgets/export/compare_pages.h"
#include "widgets/export/play_frames.h"
#include "widgets/export/report.h"
#include "widgets/export/slide.h"
#include "widgets/export/slide_deck.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/failure_answer.h"

#include <QObject>
#include <algorithm>

namespace railyard {
namespace {

using Files = Result<QStringList>;

Files onePage(const Status& done, const QString& path) { return done ? Files(QStringList{path}) : Files(done.errors()); }

bool isDeck(const QString& path) { return path.endsWith(QStringLiteral(".pptx"), Qt::CaseInsensitive); }

Files topology(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    if (isDeck(path)) { // a drawing has no prices
        PictureOptions plain = options;
        plain.slide.showsPrices = false;
        return onePage(writeSlideDeck(*fabric, path, plain), path);
    }
    return onePage(drawTopology(*fabric, path, options), path);
}

Files slide(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    if (isDeck(path)) return onePage(writeSlideDeck(*fabric, path, options), path);
    return onePage(drawSlide(*fabric, path, options), path);
}

Files report(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    return drawReport(fabric, path, options);
}

Files floorPlan(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    return onePage(drawFloor(*fabric, path, options), path);
}

Files views(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    return drawViews(*fabric, path, options);
}

Files racks(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    return drawRacks(*fabric, path, options);
}

Files comparison(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    const Metrics a = metricsOf(*fabric), b = metricsOf(*options.other);
    return drawComparison({*fabric, *options.other, a, b}, path, options);
}

Files play(const FabricPointer& fabric, const std::string&, const QString& path, const PictureOptions& options) {
    auto steps = CollectiveSteps::create(*fabric, options.op, options.message);
    if (!steps) return steps.errors();
    steps->weighRounds(*fabric);
    return onePage(drawPlay({fabric, fabric, {}}, *steps, path, options), path);
}

Files heatMap(const FabricPointer& fabric, const std::string& kind, const QString& path, const PictureOptions& options) {
    return onePage(drawHeatMap(*fabric, QString::fromStdString(kind), path, options), path);
}

Files training(const FabricPointer& fabric, const std::string& chart, const QString& path, const PictureOptions& options) {
    const auto& charts = trainingCharts();
    const auto found = std::find_if(charts.begin(), charts.end(), [&](const TrainingChart& each) { return each.key == chart; });
    if (found == charts.end()) return Error::usage("--view training:" + chart + ": unknown chart; use one of " + trainingChartKeys());
    const auto job = options.job ? Result<JobRequest>(*options.job) : jobOf(*fabric->design);
    if (!job) return job.errors();
    TrainingChartRequest request{fabric, {}, *job, false, static_cast<int>(found - charts.begin()), {}};
    if (found->isOfTwin) addTwin(request);
    return onePage(drawTrainingChart(trainingChart(request), path, options), path);
}

Files failure(const FabricPointer& fabric, const std::string& chart, const QString& path, const PictureOptions& options) {
    const FailureRequest request{takeSnapshot(fabric->design), fabric, reliabilityOfDesign(*fabric->design)};
    if (chart == "components") {
        const FailureAnswer answer = failureAnswer(request);
        return answer.refusal.isEmpty() ? onePage(drawFailureTable(answer.reliability, path, options), path)
                                        : Files(Error::unbuildable(answer.refusal.toStdString()));
    }
    const auto& charts = failureCharts();
    const auto found = std::find_if(charts.begin(), charts.end(), [&](const FailureChart& each) { return each.key == chart; });
    if (found == charts.end()) return Error::usage("--view failure:" + chart + ": unknown chart; use one of " + failureChartKeys());
    const BandData data = found->data(failureCurves(request));
    if (data.lines.empty())
        return Error::unbuildable("the design has nothing to draw in this chart: it is too small, or nothing interrupts its job");
    return onePage(drawFailureChart(data, path, options), path);
}

constexpr PictureInfo pictures[] = {
    {"topology", "", "", false, false, true, topology},
    {"slide", "", "one page for a presentation", false, true, true, slide},
    {"report", "", "the offer as PDF, on as many pages as needed", true, true, false, report},
    {"floor", "", "", false, false, false, floorPlan},
    {"racks", "", "all racks, on as many pages as needed", true, false, false, racks},
    {"views", "", "all saved views, a page each", true, false, false, views},
    {"compare", "FILE", "comparison with another design", true, true, false, comparison},
    {"heatmap", "KIND", "", false, false, false, heatMap},
    {"training", "CHART", "", false, false, false, training},
    {"failure", "CHART", "", false, true, false, failure},
    {"play", "", "all steps of a collective, as one animated SVG or as numbered files", true, false, false, play},
};

std::string argumentsOf(const PictureInfo& picture) {
    return picture.argument == "KIND"    ? mapKindNames()
           : picture.view == "failure"   ? failureChartKeys()
           : picture.argument == "CHART" ? trainingChartKeys()
                                         : std::string();
}

} // namespace

Result<QStringList> drawPicture(const PictureInfo& picture, const FabricPointer& fabric, const std::string& argument, const QString& path,
                                const PictureOptions& options) {
    static const QStringList carriers{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("pptx")};
    const bool canCarry = carriers.contains(path.section(QLatin1Char('.'), -1).toLower());
    if (picture.hasPages || !canCarry) return picture.draw(fabric, argument, path, options);
    // What a picture states is known when it is drawn.
    StatedFigures stated;
    PictureOptions own = options;
    own.stated = &stated;
    const auto drawn = [&](const std::string& file) -> Result<CarriedTexts> {
        const auto files = picture.draw(fabric, argument, QString::fromStdString(file), own);
        if (!files) return files.errors();
        CarriedTexts texts;
        if (options.carriesDesign && options.slide.showsPrices) texts[CarriedText::Design] = designText(*fabric->design);
        if (!stated.figures.empty()) texts[CarriedText::Figures] = statedText(stated);
        return texts;
    };
    return onePage(writeCarrying(path.toStdString(), drawn), path);
}

std::span<const PictureInfo> pictureTable() { return pictures; }

std::pair<const PictureInfo*, std::string> pictureNamed(const std::string& view) {
    const std::size_t colon = view.find(':');
    const std::string name = view.substr(0, colon), argument = colon == std::string::npos ? std::string() : view.substr(colon + 1);
    for (const PictureInfo& picture : pictures)
        if (picture.view == name && picture.argument.empty() == (colon == std::string::npos)) return {&picture, argument};
    return {nullptr, {}};
}

std::string pictureNames() {
    std::string names;
    for (const PictureInfo& picture : pictures) {
        names += (names.empty() ? "" : ", ") + std::string(picture.view);
        if (!picture.argument.empty()) names += ":" + std::string(picture.argument);
        const std::string arguments = argumentsOf(picture);
        if (!picture.help.empty() || !arguments.empty()) names += " (" + std::string(picture.help) + arguments + ")";
    }
    return names;
}

QString pictureFilters(const PictureInfo& picture) {
    if (picture.view == "report") return QObject::tr("PDF document (*.pdf)");
    if (picture.hasDeck)
        return QObject::tr(
            "PNG image (*.png);;SVG image (*.svg);;PDF document (*.pdf);;Presentation with shapes that can be edited (*.pptx)");
    return picture.hasPages ? QObject::tr("PDF document, on as many pages as needed (*.pdf);;PNG images, further pages in numbered files "
                                          "(*.png);;SVG images, further pages in numbered files (*.svg)")
                            : QObject::tr("PNG image (*.png);;SVG image (*.svg);;PDF document (*.pdf)");
}

} // namespace railyard
