#include "app/gui/exports.h"

#include "app/gui/presenter.h"
#include "app/gui/progress.h"
#include "core/io/formats/format.h"
#include "core/io/presentation/slide_parameters.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/compare.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/bill_options_dialog.h"
#include "widgets/dialogs/option_dialog.h"
#include "widgets/document/document_folder.h"
#include "widgets/export/compare_pages.h"
#include "widgets/export/drawn_area.h"
#include "widgets/export/picture_parameters.h"
#include "widgets/export/picture_table.h"
#include "widgets/export/play_frames.h"
#include "widgets/export/print_page.h"
#include "widgets/export/report.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/modes/play_bar.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/sweep_view.h"
#include "widgets/views/traffic_view.h"
#include "widgets/views/training_view.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPrintDialog>
#include <QPrinter>
#include <QScreen>

namespace railyard {

namespace {

QString filterOf(const FileFormat& format) {
    return QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.title.data()), QString::fromUtf8(format.extension.data()));
}
QString filtersOf(const std::vector<FileFormat>& formats) {
    QStringList filters;
    for (const FileFormat& format : formats) filters << filterOf(format);
    return filters.join(QStringLiteral(";;"));
}

// The formats that fit, the preferred one first.
QString filtersOf(const QString& what) {
    if (what == QStringLiteral("bom")) return filtersOf(billFormats());
    if (what == QStringLiteral("cables")) return filtersOf(cableFormats());
    if (what == QStringLiteral("compare")) return filtersOf(comparisonFormats()) + QObject::tr(";;PDF document (*.pdf)");
    const PictureInfo* picture = pictureNamed(what.toStdString()).first;
    return pictureFilters(picture ? *picture : pictureTable().front());
}

// "CSV (*.csv)": .csv
QString extensionOf(const QString& filter) { return filter.section(QLatin1Char('*'), -1).section(QLatin1Char(')'), 0, 0); }

QString writtenText(const QStringList& files) {
    return files.size() == 1
               ? QObject::tr("Written: %1").arg(files.front())
               : QObject::tr("Written: %1 files, %2 to %3").arg(files.size()).arg(files.front(), QFileInfo(files.back()).fileName());
}

} // namespace

QString Exports::askExportPath(const QString& title, const QString& suffix, const QString& filters) {
    QString chosen = filters.section(QStringLiteral(";;"), 0, 0);
    QString path = QFileDialog::getSaveFileName(&m_window, title, fileNextTo(m_document, suffix + extensionOf(chosen)), filters, &chosen,
                                                QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty()) return path;
    if (!filters.contains(QStringLiteral("*.%1)").arg(QFileInfo(path).suffix().toLower()))) path += extensionOf(chosen);
    // Qt's file dialog would ask in rich text, and not about the extended name.
    if (QFileInfo::exists(path) && ask(&m_window, tr("Replace the file?"), tr("%1 already exists.").arg(path),
                                       QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
        return {};
    return path;
}

// Tables take seconds at 65,536 GPUs: a worker thread computes and writes them. Empty if the user cancels.
Result<QStringList> Exports::writeInWorker(const QString& path, std::function<Status()> write) {
    const auto done = std::make_shared<std::optional<Status>>();
    const bool isDone = runWithProgress(&m_window, tr("Writing %1").arg(QFileInfo(path).fileName()),
                                        [done, write = std::move(write)](const std::atomic<bool>& isCancelled) {
                                            if (!isCancelled) *done = write();
                                        });
    if (!isDone) return QStringList();
    return **done ? Result<QStringList>(QStringList{path}) : Result<QStringList>((*done)->errors());
}

Result<QStringList> Exports::writeComparison(const QString& path, const PictureOptions& options) {
    const auto found = std::make_shared<Comparison>();
    const bool isDone = runWithProgress(&m_window, tr("Comparing with the twin"),
                                        [found, shown = m_document.snapshot()](const std::atomic<bool>& isCancelled) {
                                            if (!isCancelled) *found = comparisonWithTwin(shown);
                                        });
    if (!isDone) return QStringList();
    if (!found->other) return Error::unbuildable(found->why.toStdString());
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return drawComparison({*found->shown->fabric, *found->fabric, found->a, found->b}, path, options);
    const Status done = railyard::writeComparison({toJson(found->a), toJson(found->b)}, path.toStdString());
    return done ? Result<QStringList>(QStringList{path}) : Result<QStringList>(done.errors());
}

PictureOptions Exports::pictureOptions() const {
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    options.tokens.scale = m_traffic.scale();
    options.op = m_traffic.op();
    options.isByKind = m_traffic.isByKind();
    options.detail = m_canvas.detail();
    options.slide = m_slideOptions;
    return options;
}

void Exports::print() {
    QPrinter printer(QPrinter::HighResolution);
    printer.setDocName(QString::fromStdString(m_document.now().design->name));
    printer.setPageOrientation(QPageLayout::Landscape);
    QPrintDialog dialog(&printer, &m_window);
    dialog.setWindowTitle(tr("Print drawing"));
    if (dialog.exec() != QDialog::Accepted) return;
    if (const Status done = printTopology(printer, *m_document.now().fabric, pictureOptions()); !done) report(done.error());
}

void Exports::present() {
    auto* presenter = new Presenter(m_document, pictureOptions(), &m_window);
    presenter->setGeometry(m_window.screen()->geometry()); // where no window manager does it
    presenter->showFullScreen();
    presenter->setFocus();
}

Result<QStringList> Exports::writeExport(const QString& what, const QString& path) {
    PictureOptions options = pictureOptions();
    if (what == QStringLiteral("slide") || what == QStringLiteral("topology")) m_pictureSettings.apply(options);
    constexpr double margin = 8; // world units
    if (what == QStringLiteral("topology") && m_isCropped)
        options.area = drawnArea(*m_document.now().fabric, m_canvas.selectedPaths(), options.detail);
    if (!options.area.isEmpty()) options.area.adjust(-margin, -margin, margin, margin);
    const auto write = [&](auto table) {
        return writeInWorker(path,
                             [table, file = path.toStdString(), shown = m_document.snapshot()] { return table(*shown->fabric, file); });
    };
    if (what == QStringLiteral("bom"))
        return write(
            [chosen = m_billOptions](const Fabric& of, const std::string& file) { return writeBom(of, metricsOf(of), file, chosen); });
    if (what == QStringLiteral("cables")) return write([](const Fabric& of, const std::string& file) { return writeCables(of, file); });
    if (const Format* format = formatNamed(what.toStdString()); format && format->isFolder)
        return write([format, losses = m_losses](const Fabric& of, const std::string& folder) {
            const auto done = format->write(of, folder);
            if (done) *losses = done->losses;
            return done ? Status(Done{}) : Status(done.errors());
        });
    if (what == QStringLiteral("report")) // takes seconds at 65,536 GPUs
        return writeInWorker(path, [path, options, shown = m_document.snapshot()] {
            const auto files = drawReport(shown->fabric, path, options);
            return files ? Status(Done{}) : Status(files.errors());
        });
    if (const auto [picture, argument] = pictureNamed(what.toStdString()); picture) {
        const Result<QStringList> files = drawPicture(*picture, m_document.now().fabric, argument, path, options);
        emit coloursChanged(); // the picture was drawn in print colours
        return files;
    }
    return writeComparison(path, options);
}

// Whether the folder holds no other export, or the user lets it be replaced.
bool Exports::mayReplaceIn(const QString& folder) {
    const QStringList there = QDir(folder).entryList({QStringLiteral("*devices.csv"), QStringLiteral("*links.csv")}, QDir::Files);
    return there.isEmpty() ||
           ask(&m_window, tr("Replace the files?"), tr("%1 already contains %2.").arg(folder, there.join(QStringLiteral(", "))),
               QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Save) == QMessageBox::Save;
}

namespace {

// The texts of these rows among others.
template <class Settings>
ParameterTexts textsOfRows(std::span<const Parameter<Settings>> rows, const ParameterTexts& all) {
    ParameterTexts own;
    for (const Parameter<Settings>& row : rows)
        if (const auto text = all.find(std::string(row.info.key)); text != all.end()) own.insert(*text);
    return own;
}

} // namespace

// Size and look of a slide or a drawing; title block and copy of a slide or an offer. False: the user cancels.
bool Exports::askPictureOptions(const QString& what) {
    const bool hasTitleBlock = what != QStringLiteral("topology"), hasSize = what != QStringLiteral("report");
    OptionDialog::Content content;
    content.title = what == QStringLiteral("slide") ? tr("Export slide") : hasTitleBlock ? tr("Export offer") : tr("Export drawing");
    content.purpose = hasTitleBlock ? tr("Title block and look. Empty fields are left out.") : tr("Size and look of the drawing.");
    content.prefix = QStringLiteral("picture");
    content.done = tr("Choose file…");
    const auto take = [&content](const auto& rows, const auto& before, const auto& usual) {
        for (const ParameterInfo& info : infosOf(rows)) content.rows.push_back(info);
        content.before.merge(allTextsOf(rows, before));
        content.usual.merge(allTextsOf(rows, usual));
    };
    if (hasTitleBlock) take(slideParameters(), m_slideOptions, SlideOptions());
    if (hasSize) take(pictureParameters(), m_pictureSettings, PictureSettings{.size = slideSize});
    const std::string crop = "crop"; // the command line names a path
    m_isCropped = false;
    if (!hasTitleBlock && !m_canvas.selectedPaths().empty()) {
        content.rows.push_back({.key = "crop",
                                .label = "Only the selection",
                                .help = "draws the selected elements and what stands between them",
                                .kind = ParameterInfo::Kind::Switch,
                                .choices = {{"off", "off"}, {"on", "on"}}});
        content.before[crop] = content.usual[crop] = "off";
    }
    content.check = [](const ParameterTexts& texts) {
        const auto read = readPictureSettings(textsOfRows(pictureParameters(), texts));
        return read ? Status(Done{}) : Status(read.errors());
    };
    OptionDialog dialog(content, &m_window);
    if (dialog.exec() != QDialog::Accepted) return false;
    if (hasTitleBlock) m_slideOptions = *readSlideOptions(textsOfRows(slideParameters(), dialog.texts()));
    if (hasSize) m_pictureSettings = *readPictureSettings(textsOfRows(pictureParameters(), dialog.texts()));
    m_isCropped = dialog.texts().contains(crop) && dialog.texts().at(crop) == "on";
    return true;
}

void Exports::exportAs(const QString& what) {
    static const QStringList asked{QStringLiteral("slide"), QStringLiteral("report"), QStringLiteral("topology")};
    if (asked.contains(what) && !askPictureOptions(what)) return;
    if (what == QStringLiteral("bom")) {
        BillOptionsDialog dialog(m_billOptions, &m_window);
        if (dialog.exec() != QDialog::Accepted) return;
        m_billOptions = dialog.options();
    }
    const Format* format = formatNamed(what.toStdString());
    const QString path = format && format->isFolder
                             ? QFileDialog::getExistingDirectory(&m_window, tr("Folder for the export"), folderOf(m_document))
                             : askExportPath(tr("Export"), QLatin1Char('-') + what.section(QLatin1Char(':'), -1), filtersOf(what));
    if (path.isEmpty() || (format && format->isFolder && !mayReplaceIn(path))) return;
    const Result<QStringList> files = writeExport(what, path);
    if (!files) return report(files.error());
    if (files->isEmpty()) return; // cancelled
    QString words = writtenText(*files);
    for (const std::string& loss : std::exchange(*m_losses, {})) words += QLatin1Char('\n') + QString::fromStdString(loss);
    emit written(words);
}

void Exports::exportFrames(const PlayBar& play) {
    const PlayBar::Steps steps = play.steps();
    if (!steps) return;
    const QString path = askExportPath(tr("Export frames"), QLatin1Char('-') + QString::fromStdString(steps->name()),
                                       tr("Animated SVG (*.svg);;PNG image per step, numbered (*.png)"));
    if (path.isEmpty()) return;
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    options.detail = m_canvas.detail();
    const Status done = drawPlay(play.playedOn(), *steps, path, options);
    if (!done) return report(done.error());
    emit written(tr("Saved %1 (%2 frames).").arg(path).arg(steps->steps().size()));
}

// A picture of what is shown, in print colours.
void Exports::savePicture(const QString& suffix, const std::function<Status(const QString& path, const PictureOptions& options)>& draw) {
    const QString path = askExportPath(tr("Save picture"), suffix, filtersOf(QStringLiteral("floor")));
    if (path.isEmpty()) return;
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    const Status done = draw(path, options);
    emit coloursChanged(); // the picture was drawn in print colours
    if (!done) return report(done.error());
    emit written(writtenText({path}));
}

void Exports::follow(TrainingView& training) {
    TrainingChartPanel& chart = training.chart();
    connect(&chart, &TrainingChartPanel::pictureAsked, this, [this, &chart] {
        savePicture(QStringLiteral("-training"),
                    [&](const QString& path, const PictureOptions& options) { return drawTrainingChart(chart.answer(), path, options); });
    });
}

void Exports::follow(DecideView& decide) {
    connect(&decide, &DecideView::exportAsked, this, [this, &decide] {
        savePicture(QStringLiteral("-decision"),
                    [&](const QString& path, const PictureOptions& options) { return drawCells(decide.shownCells(), path, options); });
    });
}

void Exports::follow(SweepView& sweep) {
    connect(&sweep, &SweepView::pictureAsked, this, [this, &sweep] {
        savePicture(QStringLiteral("-sweep"),
                    [&](const QString& path, const PictureOptions& options) { return drawSweepChart(sweep.chart(), path, options); });
    });
}

void Exports::report(const Error& error) { warn(&m_window, tr("Nothing was exported"), QString::fromStdString(toText(error))); }

} // namespace railyard
