#include "app/keeping/document_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

namespace railyard {

DocumentFile::DocumentFile(QObject* parent) : QObject(parent) {
    // A file replaced by rename is first gone, then there again: look when it has settled.
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

// One file has one lock, whatever links lead to it.
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

// Empty where the lock is taken now, or where no lock can be made: then nobody else has one either.
QString whyNotTaken(QLockFile& lock) {
    if (lock.tryLock(0) || lock.error() != QLockFile::LockFailedError) return {};
    qint64 process = 0;
    QString host, program;
    lock.getLockInfo(&process, &host, &program);
    return DocumentFile::tr("It is open in another window (process %1 on %2).").arg(process).arg(host);
}

} // namespace

void DocumentFile::follow(const QString& path) {
    const QString whole = wholePath(path);
    if (whole != m_path) m_lock.reset();
    m_path = whole;
    m_whyReadOnly.clear();
    if (!m_path.isEmpty() && !m_lock) {
        auto lock = lockOf(m_path);
        m_whyReadOnly = whyNotTaken(*lock);
        if (lock->isLocked()) m_lock = std::move(lock);
    }
    const QFileInfo file(m_path);
    if (!m_path.isEmpty() && m_whyReadOnly.isEmpty() && file.exists() && !file.isWritable())
        m_whyReadOnly = tr("You may read this file, not write it.");
    m_mark = contentMark();
    watch();
}

void DocumentFile::follow(const QString& path, const QByteArray& knownMark) {
    follow(path);
    m_mark = knownMark;
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

QByteArray DocumentFile::contentMark() const {
    QFile file(m_path);
    if (m_path.isEmpty() || !file.open(QIODevice::ReadOnly)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(&file);
    return hash.result().toHex();
}

bool DocumentFile::isChangedOutside() const { return !m_path.isEmpty() && contentMark() != m_mark; }

} // namespace railyard
