#include "app/session/journal.h"

#include "core/base/file.h"
#include "core/io/document/design_json.h"
#include "widgets/document/failure.h"
#include "widgets/document/hand_over.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

namespace railyard {
namespace {

constexpr int pauseMilliseconds = 400; // minimum time between two entries during continuous editing
QString designIn(const QString& folder) { return folder + QStringLiteral("/design.railyard"); }
QString originIn(const QString& folder) { return folder + QStringLiteral("/origin.txt"); }
QString lockIn(const QString& folder) { return folder + QStringLiteral("/lock"); }

std::unique_ptr<QLockFile> lockOfSession(const QString& folder) {
    auto lock = std::make_unique<QLockFile>(lockIn(folder));
    lock->setStaleLockTime(0); // a lock is stale only if its process no longer exists
    return lock;
}

} // namespace

Journal::Journal(Document& document, QString root, QObject* parent) : QObject(parent), m_document(document), m_root(std::move(root)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(pauseMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, [this] { startWriting(); });
    connect(&document, &Document::changed, this, [this] { follow(); });
    connect(&document.undoStack(), &QUndoStack::cleanChanged, this, [this] { follow(); });
}

Journal::~Journal() {
    m_timer.stop();
    m_document.undoStack().disconnect(this);
    forget();
}

// Removes the design first, so that an interrupted removal leaves nothing that would be offered for recovery.
static void removeKept(const QString& folder) {
    QFile::remove(designIn(folder));
    QDir(folder).removeRecursively();
}

QString Journal::standardRoot() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"); }

// The first edit after a pause is written immediately. Edits in quick succession are written together.
void Journal::follow() {
    if (!m_document.isModified()) return forget();
    if (m_timer.isActive() || m_isWriting)
        m_again = true;
    else
        startWriting();
}

bool Journal::makeFolder() {
    if (m_lock) return true;
    m_folder = m_root + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (!QDir().mkpath(m_folder)) return false;
    QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner); // designs may be confidential
    m_lock = lockOfSession(m_folder);
    if (m_lock->tryLock(0)) return true;
    m_lock.reset();
    return false;
}

// The design is immutable, so a thread can write it while the next edit is made.
void Journal::startWriting() {
    m_again = false;
    if (!m_document.isModified()) return;
    if (m_writer.joinable()) m_writer.join();
    const bool ready = makeFolder();
    m_isWriting = true;
    m_writer = std::jthread(
        [this, ready, folder = m_folder, design = m_document.now().design, origin = m_originMark + "\n" + m_document.path().toStdString()] {
            Status done = ready ? writeFile(originIn(folder).toStdString(), origin, {Visibility::OwnerOnly})
                                : Status(Error::file(folder.toStdString(), "cannot be created, so edits are not saved automatically"));
            try {
                if (done) done = writeFile(designIn(folder).toStdString(), designText(*design), {Visibility::OwnerOnly});
            } catch (...) {
                done = Error::file(folder.toStdString(), failureText(std::current_exception()).toStdString());
            }
            m_isKept = static_cast<bool>(done);
            const QString reason = done ? QString() : QString::fromStdString(toText(done.error()));
            runInGui(this, [this, reason] {
                m_isWriting = false;
                if (!reason.isEmpty() && !std::exchange(m_hasFailed, true)) emit failed(reason);
                if (reason.isEmpty()) m_hasFailed = false;
                if (m_again) m_timer.start();
            });
        });
}

bool Journal::writeNow() {
    m_timer.stop();
    startWriting();
    if (m_writer.joinable()) m_writer.join();
    return !m_document.isModified() || m_isKept;
}

void Journal::keepForRecovery() {
    if (m_document.isModified()) writeNow();
    m_document.disconnect(this);
    m_document.undoStack().disconnect(this);
    m_timer.stop();
    if (m_document.isModified())
        m_lock.reset(); // without its lock, the folder belongs to no running session
    else
        forget();
}

void Journal::forget() {
    m_timer.stop();
    m_again = false;
    if (m_writer.joinable()) m_writer.join();
    if (!m_lock) return;
    m_lock.reset();
    removeKept(m_folder);
}

std::vector<Leftover> Journal::leftovers(const QString& root) {
    std::vector<Leftover> result;
    for (const QString& name : QDir(root).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time)) {
        Leftover leftover;
        leftover.folder = root + QLatin1Char('/') + name;
        leftover.lock = lockOfSession(leftover.folder);
        if (!leftover.lock->tryLock(0)) continue; // its session is still running
        leftover.design = designIn(leftover.folder);
        if (!QFile::exists(leftover.design)) {
            discard(leftover);
            continue;
        }
        const auto origin = readFile(originIn(leftover.folder).toStdString());
        if (const std::size_t end = origin ? origin->find('\n') : std::string::npos; end != std::string::npos) {
            const QString path = QString::fromStdString(origin->substr(end + 1));
            // Earlier versions kept relative paths. From this folder such a path may name the file of somebody else.
            if (QFileInfo(path).isAbsolute()) {
                leftover.originMark = origin->substr(0, end);
                leftover.origin = path;
            }
        }
        result.push_back(std::move(leftover));
    }
    return result;
}

void Journal::discard(const Leftover& leftover) {
    leftover.lock->unlock();
    removeKept(leftover.folder);
}

} // namespace railyard
