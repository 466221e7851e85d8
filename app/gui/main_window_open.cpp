// How a design comes into the window, and the question that saves the former one.
#include "app/gui/main_window.h"
#include "app/gui/progress.h"
#include "app/session/autosave.h"
#include "core/io/document/design_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/document/failure.h"
#include "widgets/theme/plain_text.h"

#include <QAction>
#include <QCloseEvent>
#include <QFileInfo>
#include <QStackedWidget>

namespace railyard {

void MainWindow::openDesign(DesignPointer design, const QString& path) {
    m_document.open(std::move(design), path);
    showOpened();
}

void MainWindow::openNew(DesignPointer design) {
    m_document.openUnsaved(std::move(design));
    showOpened();
}

void MainWindow::showOpened() {
    m_autosave->followFile();
    m_failAction->setChecked(false);
    m_jobsAction->setChecked(false); // this mode unfolds the drawing
    recallScenarios();
    m_canvas->setUnfolded(false);
    m_canvas->fit();
    if (!m_document.path().isEmpty()) rememberFile(m_document.path());
    refreshTitle();
}

// Reads and elaborates in a worker thread, so that a large file can be cancelled. Until it is whole, the open design stays.
Result<SnapshotPointer> MainWindow::load(const QString& path) {
    const auto loaded = std::make_shared<std::optional<Result<SnapshotPointer>>>();
    m_isOpening = true;
    struct Opened {
        bool& isOpening;
        ~Opened() { isOpening = false; }
    } const opened{m_isOpening};
    try {
        const bool isWhole = runWithProgress(this, tr("Opening %1").arg(QFileInfo(path).fileName()),
                                             [loaded, file = path.toStdString()](const std::atomic<bool>& isCancelled) {
                                                 auto design = loadDesign(file);
                                                 if (isCancelled) return;
                                                 *loaded = design ? Result<SnapshotPointer>(takeSnapshot(*design))
                                                                  : Result<SnapshotPointer>(design.errors());
                                             });
        return isWhole ? std::move(**loaded) : Result<SnapshotPointer>(SnapshotPointer());
    } catch (...) {
        return Error::file(path.toStdString(), failureText(std::current_exception()).toStdString());
    }
}

bool MainWindow::openFile(const QString& path) {
    if (m_isOpening) return false;
    auto snapshot = load(path);
    if (!snapshot) {
        QString all;
        for (std::size_t i = 0; i < snapshot.errors().size() && i < 8; ++i)
            all += QString::fromStdString(toText(snapshot.errors()[i])) + QLatin1Char('\n');
        warn(this, tr("The file cannot be opened"), all + tr("\nThe open design is unchanged."));
        return false;
    }
    if (!*snapshot) return false; // cancelled
    m_document.open(*snapshot, path);
    showOpened();
    for (const std::string& migration : m_document.now().design->migrations)
        say(tr("Converted on opening: %1.").arg(QString::fromStdString(migration)));
    return true;
}

void MainWindow::openSample(const QString& path) {
    if (m_isOpening || !mayDiscard()) return;
    auto snapshot = load(path);
    if (!snapshot) return report(snapshot.error(), tr("The sample cannot be opened"));
    if (!*snapshot) return;
    m_document.open(*snapshot, {});
    showOpened();
}

// Asks if the open design, or a part of it, exists nowhere on disk.
bool MainWindow::mayDiscard() {
    if (!m_document.isModified()) return true;
    const QString name = QString::fromStdString(m_document.now().design->name);
    const auto answer =
        ask(this, tr("Save changes?"),
            m_document.path().isEmpty() ? tr("“%1” has not been saved to a file.").arg(name) : tr("“%1” has unsaved changes.").arg(name),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

bool MainWindow::endSession(bool mayAsk) {
    if (!mayAsk) return m_autosave->journal().writeNow(), true;
    if (m_isOpening || !mayDiscard()) return false;
    m_autosave->journal().forget(); // saved or given up
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_isOpening || !mayDiscard()) return event->ignore();
    if (m_stack->currentIndex() != DrawView) showView(DrawView); // the panels belong to the Draw view
    remember();
    event->accept();
}

} // namespace railyard
