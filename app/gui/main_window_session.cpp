// Search and command palette, files dropped on the window, and restoring the last session.
#include "app/gui/main_window.h"
#include "core/routing/load_summary.h"
#include "core/routing/pair_path.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/floor/floor_view.h"
#include "widgets/modes/failure_bar.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <algorithm>
#include <utility>

namespace railyard {

// A rack is shown in the Floor view, everything else on the drawing.
void MainWindow::locate(const std::string& path) {
    const auto& racks = m_document.now().floor.racks;
    if (std::any_of(racks.begin(), racks.end(), [&](const Rack& rack) { return rack.name == path; })) {
        showView(PlanView);
        return m_floor->plan().select(path);
    }
    showView(DrawView);
    const std::string device = path.substr(0, path.find(':'));
    m_canvas->selectPaths({device});
    if (!m_canvas->isAnySelectedSeen()) { // hidden in a fold, or inside a server
        m_canvas->setUnfolded(true);
        m_canvas->selectPaths({device});
        for (std::string above = device; !m_canvas->isAnySelectedSeen() && above.find('/') != std::string::npos;) {
            above.resize(above.rfind('/'));
            m_canvas->selectPaths({above});
        }
    }
    m_canvas->fitSelection();
}

void MainWindow::forgetPath() {
    if (!std::exchange(m_isPathShown, false)) return;
    m_canvas->showLoads({});
    statusBar()->clearMessage();
}

// The path runs through the degraded fabric; the GPU indices are those of the intact design.
void MainWindow::showPath(DeviceId from, DeviceId to) {
    const Fabric &fabric = *m_document.now().fabric, &degraded = *m_document.degraded();
    const auto inDegraded = [&](DeviceId gpu) {
        if (&degraded == &fabric) return gpu;
        const auto found = std::lower_bound(degraded.intactDevice.begin(), degraded.intactDevice.end(), gpu);
        return found != degraded.intactDevice.end() && *found == gpu ? DeviceId(found - degraded.intactDevice.begin()) : DeviceId();
    };
    for (const DeviceId gpu : {from, to})
        if (inDegraded(gpu) == none) return say(tr("%1 has failed.").arg(QString::fromStdString(fabric.devicePath(gpu))));
    const auto path = pathBetween(degraded, inDegraded(from), inDegraded(to));
    if (!path) return say(QString::fromStdString(path.error().text));
    for (QAction* mode : {m_loadAction, m_playAction, m_jobsAction}) mode->setChecked(false);
    showView(DrawView);
    const auto holder = [&](DeviceId gpu) {
        const ServerId server = fabric.devices.server[gpu];
        return server == none ? fabric.devicePath(gpu) : fabric.scopePath(fabric.servers[server]);
    };
    m_canvas->setUnfolded(true);
    m_canvas->selectPaths({holder(from), holder(to)});
    m_canvas->showLoads(std::make_shared<const std::vector<double>>(valuesBefore(m_document.failed(), degraded, path->ofLinks)));
    m_isPathShown = true;
    statusBar()->setStyleSheet({});
    statusBar()->showMessage(QString::fromStdString(path->words));
}

void MainWindow::openPalette(bool elementsOnly) {
    QList<QAction*> actions;
    for (QAction* action : findChildren<QAction*>())
        if (!action->menu() && !action->isSeparator()) actions << action;
    CommandPalette palette(actions, m_document.now().fabric, elementsOnly, this);
    palette.move(geometry().center().x() - palette.width() / 2, geometry().top() + 90);
    if (palette.exec() != QDialog::Accepted) return;
    if (palette.action()) return palette.action()->trigger();
    if (!palette.path().isEmpty()) return locate(palette.path().toStdString());
    std::vector<std::string> users; // the elements that use a part
    const Fabric& fabric = *m_document.now().fabric;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.partIds[fabric.devices.part[d]] == palette.partId().toStdString()) users.push_back(fabric.devicePath(d));
    if (users.empty()) return say(tr("No element of this design uses %1.").arg(palette.partId()));
    showView(DrawView);
    m_canvas->selectPaths(users);
}

void MainWindow::remember() const {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/panels"), saveState());
    settings.setValue(QStringLiteral("window/dark"), m_tokens.isDark);
    settings.setValue(QStringLiteral("session/file"), m_document.path());
}

void MainWindow::restore() {
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/panels")).toByteArray());
    if (const QVariant dark = settings.value(QStringLiteral("window/dark")); dark.isValid()) setDark(dark.toBool());
    const QString last = settings.value(QStringLiteral("session/file")).toString();
    if (m_document.path().isEmpty() && QFileInfo::exists(last)) openFile(last);
}

static QString scenarioKey(const QString& path) {
    return QStringLiteral("scenarios/") + QString::fromLatin1(QUrl::toPercentEncoding(QFileInfo(path).absoluteFilePath()));
}

void MainWindow::rememberScenarios() const {
    if (m_document.path().isEmpty()) return; // scenarios are stored once the design has been saved
    QVariantMap all;
    for (const auto& [name, failures] : m_failing->scenarios()) {
        QStringList selectors;
        for (const std::string& selector : failures.selectors) selectors << QString::fromStdString(selector);
        all[name] = QVariantMap{{QStringLiteral("fail"), selectors}, {QStringLiteral("links"), failures.linkShare}};
    }
    QSettings().setValue(scenarioKey(m_document.path()), all);
}

void MainWindow::recallScenarios() {
    FailingBar::Scenarios scenarios;
    const QVariantMap all = m_document.path().isEmpty() ? QVariantMap() : QSettings().value(scenarioKey(m_document.path())).toMap();
    for (auto each = all.begin(); each != all.end(); ++each) {
        const QVariantMap kept = each.value().toMap();
        Failures failures;
        for (const QString& selector : kept[QStringLiteral("fail")].toStringList()) failures.selectors.push_back(selector.toStdString());
        failures.linkShare = std::clamp(kept[QStringLiteral("links")].toDouble(), 0.0, 1.0);
        scenarios[each.key()] = std::move(failures);
    }
    m_failing->setScenarios(std::move(scenarios));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> files = event->mimeData()->urls();
    if (files.size() == 1 && files.front().toLocalFile().endsWith(QStringLiteral(".railyard"))) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    QMetaObject::invokeMethod( // after the drag has ended, because a dialog may open
        this,
        [this, path] {
            if (mayDiscard()) openFile(path);
        },
        Qt::QueuedConnection);
}

} // namespace railyard
