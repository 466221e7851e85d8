// The mode that plays a collective, and the export of its frames.
#include "app/gui/main_window.h"
#include "widgets/canvas/canvas.h"
#include "widgets/export/play_frames.h"
#include "widgets/modes/play_bar.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QStatusBar>

namespace railyard {

void MainWindow::connectPlay() {
    connect(m_play, &PlayBar::loadsChanged, m_canvas, &Canvas::showLoads);
    connect(m_play, &PlayBar::hopsChanged, m_canvas, &Canvas::showHops);
    connect(m_play, &PlayBar::locateAsked, this, [this](const QString& path) { locate(path.toStdString()); });
    connect(m_play, &PlayBar::leaveAsked, m_playAction, [this] { m_playAction->setChecked(false); });
    connect(m_play, &PlayBar::framesAsked, this, [this] { exportFrames(); });
    connect(m_playAction, &QAction::toggled, this, [this](bool on) {
        if (on) forgetPath(), showView(DrawView), m_loadAction->setChecked(false), m_jobsAction->setChecked(false);
        m_play->setOn(on);
    });
}

void MainWindow::exportFrames() {
    const PlayBar::Steps steps = m_play->steps();
    if (!steps) return;
    const QString path = askExportPath(tr("Export frames"), QLatin1Char('-') + QString::fromUtf8(toText(steps->result().op).data()),
                                       tr("Animated SVG (*.svg);;PNG image per step, numbered (*.png)"));
    if (path.isEmpty()) return;
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    options.detail = m_canvas->detail();
    const Status done = drawPlay(m_play->playedOn(), *steps, path, options);
    if (!done) return report(done.error(), tr("Nothing was exported"));
    statusBar()->setStyleSheet({});
    statusBar()->showMessage(tr("Saved %1 (%2 frames).").arg(path).arg(steps->steps().size()), 8000);
}

} // namespace railyard
