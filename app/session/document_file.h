// The file of the open document: its lock, and whether another program has changed it since it was last read or written.
#pragma once

#include <QFileSystemWatcher>
#include <QLockFile>
#include <QObject>
#include <memory>

namespace railyard {

class DocumentFile : public QObject {
    Q_OBJECT

public:
    explicit DocumentFile(QObject* parent = nullptr);

    // To be called after opening or saving: locks this file and releases the previous one. "" for no file.
    void follow(const QString& path);
    // The same for a recovered design: the file is compared with its content at the time the edits began.
    void follow(const QString& path, const QByteArray& knownMark);
    const QByteArray& mark() const { return m_mark; } // hash of the content as last read or written
    // Empty if this window may write `path`; otherwise a sentence that says who has it open.
    QString whyHeld(const QString& path) const;
    // True if a process of another computer holds the file: this computer cannot tell whether it still runs.
    bool isHeldElsewhere() const { return m_isHeldElsewhere; }
    void takeLock(); // from a process of another computer
    // Empty if the file may be written; otherwise the reason as a sentence.
    QString whyReadOnly() const { return m_whyReadOnly; }
    // True if the file differs from what was last read or written, or no longer exists.
    bool isChangedOutside() const;

signals:
    void changedOutside();

private:
    void watch();
    QByteArray contentMark() const;

    QString m_path, m_whyReadOnly;
    bool m_isHeldElsewhere = false;
    QByteArray m_mark; // hash of the known content
    std::unique_ptr<QLockFile> m_lock;
    QFileSystemWatcher m_watcher;
};

} // namespace railyard
