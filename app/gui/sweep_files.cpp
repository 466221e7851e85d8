#include "app/gui/sweep_files.h"

#include "app/gui/progress.h"
#include "app/gui/status_line.h"
#include "app/gui/view_table.h"
#include "core/sweep/run.h"
#include "core/sweep/table_file.h"
#include "widgets/document/document_folder.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/sweep_view.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <memory>
#include <optional>

namespace railyard {

SweepFiles::SweepFiles(Document& document, ViewStack& views, StatusLine& status, QWidget& window)
    : QObject(&window),
      m_document(document),
      m_view(views.get<SweepView>(View::Sweep)),
      m_status(status),
      m_window(window) {
    connect(&m_view, &SweepView::jobFilesAsked, this, &SweepFiles::writeJobFiles);
    connect(&m_view, &SweepView::openTableAsked, this, &SweepFiles::openTable);
    connect(&m_view, &SweepView::saveTableAsked, this, &SweepFiles::saveTable);
    connect(&m_view, &SweepView::openAsked, this, &SweepFiles::openAsked);
    connect(&m_view, &SweepView::sweepAsked, this, &SweepFiles::findSweep);
    connect(&m_view, &SweepView::refused, &status, &StatusLine::say);
}

// The machines that run them need railyard-cli where it is here, or its path in the files is changed.
void SweepFiles::writeJobFiles() {
    auto spec = m_view.spec();
    if (!spec) return warn(&m_window, tr("The job files were not written"), wordsOf(spec.error()));
    const QString folder =
        QFileDialog::getExistingDirectory(&m_window, tr("Folder for the sweep, which the machines share"), folderOf(m_document));
    if (folder.isEmpty()) return;
    const std::string program =
        QFileInfo(QCoreApplication::applicationDirPath() + QStringLiteral("/railyard-cli")).absoluteFilePath().toStdString();
    struct Written {
        Status status = Done{};
        int shards = 0;
        std::int64_t points = 0;
    };
    const auto written = std::make_shared<Written>();
    const bool isDone =
        runWithProgress(&m_window, tr("Writing job files"), [=, spec = std::move(*spec)](const std::atomic<bool>& isCancelled) {
            const int shards = shardsByTrial(spec);
            if (isCancelled) return;
            const auto plan = planSweep(spec, folder.toStdString());
            if (!plan) return void(written->status = plan.errors());
            written->points = static_cast<std::int64_t>(plan->ids.size());
            written->shards = shards;
            written->status = railyard::writeJobFiles(*plan, {written->shards, program, true});
        });
    if (!isDone) return;
    if (!written->status) return warn(&m_window, tr("The job files were not written"), wordsOf(written->status.error()));
    m_status.tell(
        tr("Written to %1: %2 designs in %3. Run them with sbatch railyard.sbatch or parallel < joblist, then open manifest.json.")
            .arg(folder, text(formatCount(written->points)), counted(written->shards, tr("%1 shard"), tr("%1 shards"))));
}

void SweepFiles::openTable() {
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open a finished sweep"), folderOf(m_document),
                                                      tr("Sweeps and their tables (manifest.json *.csv *.json)"));
    if (path.isEmpty()) return;
    const auto read = std::make_shared<std::optional<Result<SweepTable>>>();
    const bool isDone = runWithProgress(&m_window, tr("Reading %1").arg(QFileInfo(path).fileName()),
                                        [=](const std::atomic<bool>&) { *read = readSweepTable(path.toStdString()); });
    if (!isDone) return;
    if (!**read) return warn(&m_window, tr("The sweep was not opened"), wordsOf((*read)->error()));
    m_tableFolder = QFileInfo(path).absolutePath();
    const QFileInfo file(path);
    m_view.openTable(std::move(***read), file.fileName() == QStringLiteral("manifest.json") ? file.dir().dirName() : file.fileName());
    m_status.tell(tr("Opened: %1").arg(path));
}

void SweepFiles::saveTable() {
    const QString csv = tr("CSV (*.csv)"), json = tr("JSON with the sweep specification (*.json)");
    QString chosen;
    QString path = QFileDialog::getSaveFileName(&m_window, tr("Save the table"), fileNextTo(m_document, QStringLiteral("-sweep.csv")),
                                                m_view.table().spec ? csv + QStringLiteral(";;") + json : csv, &chosen,
                                                QFileDialog::DontConfirmOverwrite); // Qt would ask in rich text
    if (path.isEmpty()) return;
    const auto endsWith = [&](const char* ending) { return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive); };
    if (!endsWith(".csv") && !endsWith(".json")) path += chosen == json ? QStringLiteral(".json") : QStringLiteral(".csv");
    if (QFileInfo::exists(path) && ask(&m_window, tr("Replace the file?"), tr("%1 already exists.").arg(path),
                                       QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
        return;
    const auto written = std::make_shared<Status>(Done{});
    const bool isDone =
        runWithProgress(&m_window, tr("Writing %1").arg(QFileInfo(path).fileName()),
                        [=, table = m_view.shared()](const std::atomic<bool>&) { *written = writeSweepTable(*table, path.toStdString()); });
    if (!isDone) return;
    if (!*written) return warn(&m_window, tr("The table was not saved"), wordsOf(written->error()));
    m_status.tell(tr("Written: %1").arg(path));
}

// The IDs of the points tell whether the chosen sweep is the right one. While the dialog is open, a run may show another table.
void SweepFiles::findSweep(int row) {
    const std::shared_ptr<const SweepTable> table = m_view.shared();
    if (!table->whyNoSpec.empty() && ask(&m_window, tr("Select the manifest.json of the sweep?"),
                                         tr("The designs of this table cannot be opened: %1").arg(QString::fromStdString(table->whyNoSpec)),
                                         QMessageBox::Open | QMessageBox::Cancel) != QMessageBox::Open)
        return;
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("This table does not contain its sweep specification. Select the manifest.json of its sweep"), m_tableFolder,
        tr("Sweep (manifest.json)"));
    if (path.isEmpty()) return;
    const auto found = std::make_shared<std::optional<Result<SweepTable>>>();
    const bool isDone = runWithProgress(&m_window, tr("Reading %1").arg(QFileInfo(path).fileName()), [=](const std::atomic<bool>&) {
        *found = withSweep(*table, QFileInfo(path).absolutePath().toStdString());
    });
    if (!isDone || m_view.shared() != table) return;
    if (!**found) return warn(&m_window, tr("The designs were not found"), wordsOf((*found)->error()));
    m_view.openTable(std::move(***found), m_view.file());
    m_view.openRow(row);
}

} // namespace railyard
