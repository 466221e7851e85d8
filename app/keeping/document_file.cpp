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

void DocumentFile::follow(const QString& path) {
    const QString whole = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    if (whole != m_path) {
        m_lock.reset();
        m_whyReadOnly.clear();
        m_path = whole;
    }
    if (!m_path.isEmpty() && !m_lock) {
        const QFileInfo file(m_path);
        auto lock = std::make_unique<QLockFile>(file.absolutePath() + QStringLiteral("/.") + file.fileName() + QStringLiteral(".lock"));
        lock->setStaleLockTime(0);
        if (lock->tryLock(0))
            m_lock = std::move(lock);
        else if (lock->error() == QLockFile::LockFailedError) {
            qint64 process = 0;
            QString host, program;
            lock->getLockInfo(&process, &host, &program);
            m_whyReadOnly = tr("It is open in another window (process %1 on %2).").arg(process).arg(host);
        }
        if (m_whyReadOnly.isEmpty() && file.exists() && !file.isWritable()) m_whyReadOnly = tr("You may read this file, not write it.");
    }
    m_mark = contentMark();
    watch();
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
    return hash.result();
}

bool DocumentFile::isChangedOutside() const { return !m_path.isEmpty() && contentMark() != m_mark; }

} // namespace railyard
