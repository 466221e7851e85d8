// Autosave: keeps a copy of the current design, at most half a second old, in a folder of this session for recovery after a crash.
#pragma once

#include "widgets/document/document.h"

#include <QLockFile>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>

namespace railyard {

// The design left behind by a session that ended unexpectedly. Locked until it is recovered, discarded or released.
struct Leftover {
    QString folder, design; // the design is a complete document
    QString origin;         // absolute path of the document it belongs to; empty if it was never saved
    std::string originMark; // of the document as that session last read or wrote it (core/base/file.h)
    std::shared_ptr<QLockFile> lock;
};

class Journal : public QObject {
    Q_OBJECT

public:
    // Each session has a folder below `root`. Nothing is written before the first edit.
    Journal(Document& document, QString root, QObject* parent = nullptr);
    ~Journal() override; // removes the folder of this session

    static QString standardRoot();
    static std::vector<Leftover> leftovers(const QString& root);
    static void discard(const Leftover& leftover);

    bool writeNow(); // blocks; returns true if the unsaved edits are on disk
    void forget();   // the open design was saved or discarded
    // The session ends with unsaved edits: they are written, and the next start offers them. Nothing is written afterwards.
    void keepForRecovery();
    void setOriginMark(std::string mark) { m_originMark = std::move(mark); }

signals:
    void failed(const QString& reason); // the journal cannot be written; the document is not affected

private:
    void follow();
    void startWriting();
    bool makeFolder();

    Document& m_document;
    QString m_root, m_folder;
    std::string m_originMark;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    std::jthread m_writer;
    bool m_isWriting = false, m_again = false, m_hasFailed = false;
    std::atomic<bool> m_isKept = false; // the last entry is on disk
};

} // namespace railyard
