// The file of the open document: who else has it open, and whether it is still what was read or written last.
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

    // After opening or saving: takes the lock of this file, gives back that of the former one. "" for none.
    void follow(const QString& path);
    // The same for work that was recovered: what the file held when the work began is what it is compared with.
    void follow(const QString& path, const QByteArray& knownMark);
    const QByteArray& mark() const { return m_mark; } // of the content as it was read or written last
    // Empty where `path` may be written by this window; else who has it open.
    QString whyHeld(const QString& path) const;
    // Empty where the file may be written; else why not, in a sentence.
    QString whyReadOnly() const { return m_whyReadOnly; }
    // Differs from what was read or written last, also where it is gone.
    bool isChangedOutside() const;

signals:
    void changedOutside();

private:
    void watch();
    QByteArray contentMark() const;

    QString m_path, m_whyReadOnly;
    QByteArray m_mark; // of the content that is known
    std::unique_ptr<QLockFile> m_lock;
    QFileSystemWatcher m_watcher;
};

} // namespace railyard
