// The file of the open document: its lock, and whether another program has changed it since it was last read or written.
#pragma once

#include <QFileSystemWatcher>
#include <QLockFile>
#include <QObject>
#include <memory>
#include <string>

namespace railyard {

class DocumentFile : public QObject {
    Q_OBJECT

public:
    explicit DocumentFile(QObject* parent = nullptr);

    // To be called after opening, saving or recovering: locks this file and releases the previous one. "" for no file. `knownMark` is the
    // mark (core/base/file.h) of the bytes that were read or written, not of what is on disk by now: what another program has written
    // since counts as a change from outside.
    void follow(const QString& path, std::string knownMark);
    const std::string& mark() const { return m_mark; }
    void acceptContent(); // the content on disk counts as known
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
    std::string markOnDisk() const; // of no content that can be read: none that a file can have

    QString m_path, m_whyReadOnly;
    bool m_isHeldElsewhere = false;
    std::string m_mark; // of the known content
    std::unique_ptr<QLockFile> m_lock;
    QFileSystemWatcher m_watcher;
};

} // namespace railyard
