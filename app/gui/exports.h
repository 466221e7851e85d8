// Exports of the window: tables, pictures and comparisons. Asks for a file name and writes in the background.
#pragma once

#include "core/io/tables/bom.h"
#include "widgets/document/document.h"
#include "widgets/export/picture_parameters.h"

#include <QWidget>
#include <functional>

namespace railyard {

class Canvas;
class DecideView;
class PlayBar;
class SweepView;
class TrafficView;
class TrainingView;
struct PictureOptions;

class Exports : public QObject {
    Q_OBJECT

public:
    // Pictures show what canvas and traffic view show.
    Exports(Document& document, const Canvas& canvas, const TrafficView& traffic, QWidget& window)
        : m_document(document),
          m_canvas(canvas),
          m_traffic(traffic),
          m_window(window) {}
    // bom, cables, csv, slide, report, topology, floor, racks, compare, heatmap:collective-time, heatmap:decision
    void exportAs(const QString& what);
    void print();   // the drawing
    void present(); // slide, saved views and floor on the whole screen
    void exportFrames(const PlayBar& play);
    void follow(TrainingView& training); // offers pictures of its charts
    void follow(DecideView& decide);     // and of the map it shows
    void follow(SweepView& sweep);

signals:
    void written(const QString& text); // what was written, and where
    void coloursChanged();             // those of the program have to be set again

private:
    bool mayReplaceIn(const QString& folder);
    bool askPictureOptions(const QString& what);
    PictureOptions pictureOptions() const; // as pictures of this window are drawn
    // Asks for a file in the folder of the document; `suffix` follows the design's name. Empty if the user cancels.
    QString askExportPath(const QString& title, const QString& suffix, const QString& filters);
    Result<QStringList> writeExport(const QString& what, const QString& path); // the files written; none if the user cancels
    Result<QStringList> writeInWorker(const QString& path, std::function<Status()> write);
    Result<QStringList> writeComparison(const QString& path, const PictureOptions& options);
    void savePicture(const QString& suffix, const std::function<Status(const QString& path, const PictureOptions& options)>& draw);
    void report(const Error& error);

    Document& m_document;
    const Canvas& m_canvas;
    const TrafficView& m_traffic;
    QWidget& m_window;
    static constexpr QSize slideSize{1920, 1080};
    SlideOptions m_slideOptions;                          // title block and copy, as last exported
    PictureSettings m_pictureSettings{.size = slideSize}; // of slides and drawings
    bool m_isCropped = false;                             // the drawing, to the selection
    BomOptions m_billOptions;                             // as last exported
    std::shared_ptr<std::vector<std::string>> m_losses = std::make_shared<std::vector<std::string>>(); // of the last export
};

} // namespace railyard
