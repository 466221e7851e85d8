#include "app/gui/document_files.h"

#include "app/gui/progress.h"
#include "app/session/autosave.h"
#include "core/base/file.h"
#include "core/bill/part_number.h"
#include "core/io/document/design_json.h"
#include "core/io/formats/format.h"
#include "widgets/dialogs/price_book_dialog.h"
#include "widgets/document/document_folder.h"
#include "widgets/document/failure.h"
#include "widgets/theme/plain_text.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
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

// Work of a worker thread, so that a large file can be cancelled; false if it was. Until it is whole, the open design stays.
bool DocumentFiles::runReading(const QString& title, const std::function<void(const std::atomic<bool>& isCancelled)>& work) {
    m_isOpening = true;
    struct Opened {
        bool& isOpening;
        ~Opened() { isOpening = false; }
    } const opened{m_isOpening};
    return runWithProgress(&m_window, title, work);
}

Result<DocumentFiles::Loaded> DocumentFiles::load(const QString& path) {
    const auto loaded = std::make_shared<std::optional<Result<Loaded>>>();
    try {
        const bool isWhole = runReading(
            tr("Opening %1").arg(QFileInfo(path).fileName()), [loaded, file = path.toStdString()](const std::atomic<bool>& isCancelled) {
                auto read = loadDesignFile(file);
                if (isCancelled) return;
                *loaded = read ? Result<Loaded>({takeSnapshot(read->design), read->mark, read->isCarried}) : Result<Loaded>(read.errors());
            });
        return isWhole ? std::move(**loaded) : Result<Loaded>(Loaded());
    } catch (...) {
        return Error::file(path.toStdString(), failureText(std::current_exception()).toStdString());
    }
}

bool DocumentFiles::refuse(const std::vector<Error>& errors, const QString& title) {
    constexpr std::size_t most = 8;
    QString all;
    for (std::size_t i = 0; i < errors.size() && i < most; ++i) all += QString::fromStdString(toText(errors[i])) + QLatin1Char('\n');
    warn(&m_window, title, all + tr("\nThe open design is unchanged."));
    return false;
}

// A worker reads the file and takes the snapshot of its design, or adds its prices to the user's price book.
Result<DocumentFiles::Found> DocumentFiles::read(const QString& path) {
    const auto found = std::make_shared<std::optional<Result<Found>>>();
    const auto work = [](const std::string& file, const std::atomic<bool>& isCancelled) -> Result<Found> {
        const auto source = readImportSource(file);
        if (!source) return source.errors();
        const auto format = detectFormat(*source);
        if (!format) return format.errors();
        if ((*format)->name == "railyard") return Found{.isDesignFile = true};
        const auto imported = (*format)->read(*source);
        if (!imported) return imported.errors();
        if (isCancelled) return Found();
        if (imported->design) return Found{.snapshot = takeSnapshot(imported->design), .losses = imported->losses};
        const auto done = importPrices(*imported->prices);
        if (!done) return done.errors();
        auto book = userPriceBook();
        if (!book) return book.errors();
        return Found{.added = imported->prices->prices().size(), .bookPath = done->path, .book = std::move(*book)};
    };
    try {
        const bool isWhole = runReading(
            tr("Importing %1").arg(QFileInfo(path).fileName()),
            [found, work, file = path.toStdString()](const std::atomic<bool>& isCancelled) { *found = work(file, isCancelled); });
        return isWhole ? std::move(**found) : Result<Found>(Found());
    } catch (...) {
        return Error::file(path.toStdString(), failureText(std::current_exception()).toStdString());
    }
}

void DocumentFiles::editPriceBook() {
    const auto known = userPriceBook();
    if (!known) return report(known.error(), tr("The price book cannot be read"));
    const PriceBookDialog::Ways ways{[this]() -> std::optional<Result<PriceBook>> {
                                         const QString path = QFileDialog::getOpenFileName(
                                             &m_window, tr("Import prices"), folderOf(m_document), tr("Comma-separated values (*.csv)"));
                                         if (path.isEmpty()) return {};
                                         auto bytes = readFile(path.toStdString());
                                         if (!bytes) return Result<PriceBook>(bytes.errors());
                                         return PriceBook::read(std::move(*bytes), path.toStdString(), [](const std::string& number) {
                                             return partWithNumber(*shippedCatalog(), number);
                                         });
                                     },
                                     [&known](const PriceBook& book) {
                                         const auto done = replacePrices(book, *known);
                                         return done ? Status(Done{}) : Status(done.errors());
                                     }};
    PriceBookDialog dialog(*known, QString::fromStdString(userPriceBookPath()), ways, &m_window);
    if (dialog.exec() != QDialog::Accepted) return;
    usePriceBook(*dialog.book());
    if (!m_document.path().isEmpty() && !m_document.isModified())
        openDesignFile(m_document.path());
    else
        emit told(tr("The prices apply to designs that are opened from now on. Save this design and open it again to use them here."));
}

// A file of any name. The design of another format is a new one; prices are for the designs that are opened from now on.
bool DocumentFiles::import(const QString& path) {
    auto found = read(path);
    if (!found) return refuse(found.errors(), tr("The file cannot be imported"));
    if (found->isDesignFile) return openDesignFile(path);
    if (found->book) {
        usePriceBook(std::move(*found->book));
        warn(&m_window, tr("Prices imported"),
             tr("%1 prices were added to your price book, %2. They apply to designs that are opened from now on.")
                 .arg(found->added)
                 .arg(QString::fromStdString(found->bookPath)));
        return true;
    }
    if (!found->snapshot) return false; // cancelled
    m_document.openUnsaved(std::move(found->snapshot));
    showOpened();
    constexpr std::size_t most = 8;
    QString losses;
    for (std::size_t i = 0; i < found->losses.size() && i < most; ++i)
        losses += QString::fromStdString(found->losses[i]) + QLatin1Char('\n');
    if (found->losses.size() > most) losses += tr("and %1 more").arg(found->losses.size() - most);
    if (!losses.isEmpty()) warn(&m_window, tr("Imported with differences"), losses);
    return true;
}

bool DocumentFiles::open(const QString& path) {
    if (m_isOpening) return false;
    return path.endsWith(QStringLiteral(".railyard")) ? openDesignFile(path) : import(path);
}

bool DocumentFiles::openDesignFile(const QString& path) {
    auto loaded = load(path);
    if (!loaded) return refuse(loaded.errors(), tr("The file cannot be opened"));
    if (!loaded->snapshot) return false; // cancelled
    if (loaded->isCarried) {             // saving must not replace the picture, whatever it is called
        m_document.openUnsaved(loaded->snapshot);
        showOpened();
    } else {
        m_document.open(loaded->snapshot, path);
        showOpened(std::move(loaded->mark));
    }
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

// A shortcut takes no focus from the field in which people type, and a field is read when it loses the focus.
void DocumentFiles::takeTyping() {
    const QPointer<QWidget> field = QApplication::focusWidget();
    if (!qobject_cast<QLineEdit*>(field) && !qobject_cast<QAbstractSpinBox*>(field)) return;
    field->clearFocus();
    if (field) field->setFocus(); // an editor of a table is closed by then
}

// Asks if the open design, or a part of it, exists nowhere on disk.
bool DocumentFiles::mayDiscard() {
    takeTyping();
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
    QStringList filters{tr("Railyard designs (*.railyard)")};
    for (const Format& format : formatTable())
        if (format.canImport() && format.name != "railyard") {
            QStringList patterns;
            for (const std::string_view extension : format.extensions)
                patterns << QStringLiteral("*") + QString::fromUtf8(extension.data());
            filters << QStringLiteral("%1 (%2)").arg(QString::fromUtf8(format.title.data()), patterns.join(QLatin1Char(' ')));
        }
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open design"), folderOf(m_document), filters.join(QStringLiteral(";;")));
    if (!path.isEmpty()) open(path);
}

// Waits for other programs in a worker thread, and holds their lock only while it writes.
Result<std::string> DocumentFiles::saveUnderLock(const QString& path, const std::string& knownMark) {
    const auto lock = std::make_shared<std::optional<Result<FileLock>>>();
    const bool isLocked = runWithProgress(&m_window, tr("Waiting for another program to finish with %1").arg(QFileInfo(path).fileName()),
                                          [lock, file = path.toStdString()](const std::atomic<bool>& isCancelled) {
                                              *lock = FileLock::acquire(file, [&] { return !isCancelled; });
                                          });
    if (!isLocked) return Error::file(path.toStdString(), "was not saved, because another program is still writing it").with("cancelled");
    if (!**lock) return (*lock)->errors();
    return m_document.save(path, knownMark);
}

bool DocumentFiles::save() {
    takeTyping();
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
    takeTyping();
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
