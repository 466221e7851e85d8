#include "app/session/document_file.h"

#include "core/base/file.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QSysInfo>
#include <QTimer>

namespace railyard {

DocumentFile::DocumentFile(QObject* parent) : QObject(parent) {
    // A file that is replaced by rename is missing for a moment, so the check waits until it has settled.
    const auto look = [this] {
        QTimer::singleShot(150, this, [this] {
            watch();
            if (isChangedOutside()) emit changedOutside();
        });
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, look);
}

namespace {

// The lock belongs to the canonical path, so that all symbolic links to a file share one lock.
QString wholePath(const QString& path) {
    const QFileInfo file(path);
    if (path.isEmpty()) return {};
    return file.exists() ? file.canonicalFilePath() : file.absoluteFilePath();
}

std::unique_ptr<QLockFile> lockOf(const QString& whole) {
    const QFileInfo file(whole);
    auto lock = std::make_unique<QLockFile>(file.absolutePath() + QStringLiteral("/.") + file.fileName() + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);
    return lock;
}

struct Holder {
    qint64 process = 0;
    QString host, user;
    QDateTime since;
    bool isElsewhere() const { return !host.isEmpty() && host != QSysInfo::machineHostName(); }
};

Holder holderOf(const QLockFile& lock) {
    Holder holder;
    QString program;
    lock.getLockInfo(&holder.process, &holder.host, &program);
    const QFileInfo file(lock.fileName());
    holder.user = file.owner().isEmpty() ? DocumentFile::tr("user %1").arg(file.ownerId()) : file.owner();
    holder.since = file.lastModified();
    return holder;
}

// Empty if the lock was acquired, or if no lock file can be created, because then no other process has one either.
QString whyNotTaken(QLockFile& lock) {
    if (lock.tryLock(0) || lock.error() != QLockFile::LockFailedError) return {};
    const Holder holder = holderOf(lock);
    const QString since = QLocale::c().toString(holder.since, QStringLiteral("yyyy-MM-dd HH:mm"));
    return holder.isElsewhere() ? DocumentFile::tr("The file has been open on the computer %1 since %2, by %3 (process %4).")
                                      .arg(holder.host, since, holder.user, QString::number(holder.process))
                                : DocumentFile::tr("The file is open in another window (process %1 on %2, by %3 since %4).")
                                      .arg(QString::number(holder.process), holder.host, holder.user, since);
}

} // namespace

void DocumentFile::follow(const QString& path, std::string knownMark) {
    const QString whole = wholePath(path);
    if (whole != m_path) m_lock.reset();
    m_path = whole;
    m_whyReadOnly.clear();
    m_isHeldElsewhere = false;
    if (!m_path.isEmpty() && !m_lock) {
        auto lock = lockOf(m_path);
        m_whyReadOnly = whyNotTaken(*lock);
        m_isHeldElsewhere = !m_whyReadOnly.isEmpty() && holderOf(*lock).isElsewhere();
        if (lock->isLocked()) m_lock = std::move(lock);
    }
    const QFileInfo file(m_path);
    if (!m_path.isEmpty() && m_whyReadOnly.isEmpty() && file.exists() && !file.isWritable())
        m_whyReadOnly = tr("You do not have permission to write this file.");
    m_mark = std::move(knownMark);
    watch();
}

void DocumentFile::acceptContent() { m_mark = markOnDisk(); }

// The known content stays as it is: what the other computer has written since counts as a change from outside.
void DocumentFile::takeLock() {
    if (!m_isHeldElsewhere) return;
    lockOf(m_path)->removeStaleLockFile(); // refuses if a process of this computer holds it
    const QString path = m_path;
    follow(path, m_mark);
    if (isChangedOutside()) emit changedOutside();
}

QString DocumentFile::whyHeld(const QString& path) const {
    const QString whole = wholePath(path);
    return whole == m_path && m_lock ? QString() : whyNotTaken(*lockOf(whole));
}

void DocumentFile::watch() {
    if (!m_watcher.files().isEmpty()) m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty()) m_watcher.removePaths(m_watcher.directories());
    if (m_path.isEmpty()) return;
    if (QFileInfo::exists(m_path)) m_watcher.addPath(m_path);
    m_watcher.addPath(QFileInfo(m_path).absolutePath());
}

std::string DocumentFile::markOnDisk() const {
    auto mark = markOfFile(m_path.toStdString());
    return mark ? std::move(*mark) : std::string("unreadable");
}

bool DocumentFile::isChangedOutside() const { return !m_path.isEmpty() && markOnDisk() != m_mark; }

} // namespace railyard
