#include "app/gui/document_files.h"

#include "app/gui/progress.h"
#include "app/session/autosave.h"
#include "core/base/file.h"
#include "core/io/document/design_json.h"
#include "widgets/document/document_folder.h"
#include "widgets/document/failure.h"
#include "widgets/theme/plain_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <optional>

namespace railyard {

void DocumentFiles::openDesign(DesignPointer design) {
    m_document.open(std::move(design), {});
    showOpened();
}

void DocumentFiles::openNew(DesignPointer design) {
    m_document.openUnsaved(std::move(design));
    showOpened();
}

void DocumentFiles::showOpened(std::string mark) {
    m_autosave.followFile(std::move(mark));
    if (!m_document.path().isEmpty()) rememberFile(m_document.path());
    emit opened();
}

// Reads and elaborates in a worker thread, so that a large file can be cancelled. Until it is whole, the open design stays.
Result<DocumentFiles::Loaded> DocumentFiles::load(const QString& path) {
    const auto loaded = std::make_shared<std::optional<Result<Loaded>>>();
    m_isOpening = true;
    struct Opened {
        bool& isOpening;
        ~Opened() { isOpening = false; }
    } const opened{m_isOpening};
    try {
        const bool isWhole =
            runWithProgress(&m_window, tr("Opening %1").arg(QFileInfo(path).fileName()),
                            [loaded, file = path.toStdString()](const std::atomic<bool>& isCancelled) {
                                auto read = loadDesignFile(file);
                                if (isCancelled) return;
                                *loaded = read ? Result<Loaded>({takeSnapshot(read->design), read->mark}) : Result<Loaded>(read.errors());
                            });
        return isWhole ? std::move(**loaded) : Result<Loaded>(Loaded());
    } catch (...) {
        return Error::file(path.toStdString(), failureText(std::current_exception()).toStdString());
    }
}

bool DocumentFiles::open(const QString& path) {
    if (m_isOpening) return false;
    auto loaded = load(path);
    if (!loaded) {
        QString all;
        for (std::size_t i = 0; i < loaded.errors().size() && i < 8; ++i)
            all += QString::fromStdString(toText(loaded.errors()[i])) + QLatin1Char('\n');
        warn(&m_window, tr("The file cannot be opened"), all + tr("\nThe open design is unchanged."));
        return false;
    }
    if (!loaded->snapshot) return false; // cancelled
    m_document.open(loaded->snapshot, path);
    showOpened(std::move(loaded->mark));
    for (const std::string& migration : m_document.now().design->migrations)
        emit told(tr("Converted on opening: %1.").arg(QString::fromStdString(migration)));
    return true;
}

void DocumentFiles::openSample(const QString& path) {
    if (m_isOpening || !mayDiscard()) return;
    const auto loaded = load(path);
    if (!loaded) return report(loaded.error(), tr("The sample cannot be opened"));
    if (!loaded->snapshot) return;
    m_document.open(loaded->snapshot, {});
    showOpened();
}

// Asks if the open design, or a part of it, exists nowhere on disk.
bool DocumentFiles::mayDiscard() {
    if (!m_document.isModified()) return true;
    const QString name = QString::fromStdString(m_document.now().design->name);
    const auto answer =
        ask(&m_window, tr("Save changes?"),
            m_document.path().isEmpty() ? tr("“%1” has not been saved to a file.").arg(name) : tr("“%1” has unsaved changes.").arg(name),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

void DocumentFiles::openDialog() {
    if (!mayDiscard()) return;
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open design"), folderOf(m_document), tr("Railyard designs (*.railyard)"));
    if (!path.isEmpty()) open(path);
}

// Waits for other programs in a worker thread, and holds their lock only while it writes.
Result<std::string> DocumentFiles::saveUnderLock(const QString& path, const std::string& knownMark) {
    const auto lock = std::make_shared<std::optional<Result<FileLock>>>();
    const bool isLocked = runWithProgress(&m_window, tr("Waiting for another program to finish with %1").arg(QFileInfo(path).fileName()),
                                          [lock, file = path.toStdString()](const std::atomic<bool>& isCancelled) {
                                              *lock = FileLock::of(file, [&] { return !isCancelled; });
                                          });
    if (!isLocked) return Error::file(path.toStdString(), "was not saved, because another program is still writing it").with("cancelled");
    if (!**lock) return (*lock)->errors();
    return m_document.save(path, knownMark);
}

bool DocumentFiles::save() {
    if (m_document.path().isEmpty()) return saveAs();
    for (;;) {
        const Autosave::Answer answer = m_autosave.maySave();
        if (answer != Autosave::Answer::Save) return answer == Autosave::Answer::SaveAs && saveAs();
        auto done = saveUnderLock(m_document.path(), m_autosave.knownMark());
        if (done) m_autosave.followFile(std::move(*done)), emit saved();
        if (done) return true;
        if (done.error().code == "changed") continue; // between the question and the lock: ask about the new content
        if (done.error().code != "cancelled") report(done.error(), tr("The design was not saved"));
        return false;
    }
}

bool DocumentFiles::saveAs() {
    QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Save design"), m_document.path().isEmpty() ? fileNextTo(m_document, QStringLiteral(".railyard")) : m_document.path(),
        tr("Railyard designs (*.railyard)"), nullptr, QFileDialog::DontConfirmOverwrite); // Qt would ask in rich text
    if (path.isEmpty()) return false;
    if (!path.endsWith(QStringLiteral(".railyard"))) path += QStringLiteral(".railyard");
    const auto known = markOfFile(path.toStdString()); // what the question is about
    if (!known) return report(known.error(), tr("The design was not saved")), false;
    if (*known != noFileMark && ask(&m_window, tr("Replace the file?"), tr("%1 already exists.").arg(path),
                                    QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
        return false;
    if (const QString held = m_autosave.whyHeld(path); !held.isEmpty()) {
        warn(&m_window, tr("The design was not saved"), tr("%1 cannot be replaced. %2").arg(path, held));
        return false;
    }
    auto done = saveUnderLock(path, *known);
    if (!done) return report(done.error(), tr("The design was not saved")), false;
    m_autosave.followFile(std::move(*done));
    rememberFile(path);
    emit saved();
    return true;
}

void DocumentFiles::rememberFile(const QString& path) {
    QSettings settings;
    QStringList files = settings.value(QStringLiteral("recent")).toStringList();
    const QString whole = QFileInfo(path).absoluteFilePath();
    files.removeAll(whole);
    files.prepend(whole);
    settings.setValue(QStringLiteral("recent"), files.mid(0, 10));
}

void DocumentFiles::fillRecent(QMenu& menu) {
    menu.clear();
    for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
        menu.addAction(asMenuText(path), this, [this, path] {
            if (mayDiscard()) open(path);
        });
    if (menu.isEmpty()) menu.addAction(tr("No recent files"))->setEnabled(false);
}

void DocumentFiles::report(const Error& error, const QString& title) { warn(&m_window, title, QString::fromStdString(toText(error))); }

} // namespace railyard
