// What would be lost by a crash: the design as it is now, in a folder of this session, at most half a second old.
#pragma once

#include "widgets/document/document.h"

#include <QLockFile>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>

namespace railyard {

// A session that ended without saying so, and the design it left. Held until it is recovered, discarded or let go.
struct Leftover {
    QString folder, design; // the design is a document of its own
    QString origin;         // path of the document it belongs to; empty where it never had one
    QByteArray originMark;  // of its content as that session knew it
    std::shared_ptr<QLockFile> lock;
};

class Journal : public QObject {
    Q_OBJECT

public:
    // Sessions live in folders below `root`. Nothing is written before the first edit.
    Journal(Document& document, QString root, QObject* parent = nullptr);
    ~Journal() override; // a session that ends in order leaves nothing

    static QString standardRoot();
    static std::vector<Leftover> leftovers(const QString& root);
    static void discard(const Leftover& leftover);

    bool writeNow(); // waits; true where what is not saved is on disk now
    void forget();   // what is open is saved, or given up
    void setOriginMark(const QByteArray& mark) { m_originMark = mark; }

signals:
    void failed(const QString& reason); // the journal cannot be written; the document is untouched

private:
    void follow();
    void startWriting();
    bool makeFolder();

    Document& m_document;
    QString m_root, m_folder;
    QByteArray m_originMark;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    std::jthread m_writer;
    bool m_isWriting = false, m_again = false, m_hasFailed = false;
    std::atomic<bool> m_isKept = false; // the last entry reached the disk
};

} // namespace railyard
