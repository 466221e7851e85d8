// Protects the user's work: autosave, file lock, detection of external changes, and recovery. It only asks and informs; the window
// saves.
#pragma once

#include "app/session/document_file.h"
#include "app/session/journal.h"

namespace railyard {

class Banner;

class Autosave : public QObject {
    Q_OBJECT

public:
    Autosave(Document& document, Banner& banner, QWidget& window);

    void followFile(std::string mark); // to be called after opening and saving, with the mark of the bytes that were read or written
    const std::string& knownMark() const { return m_file.mark(); }
    enum class Answer { Save, SaveAs, Cancel };
    Answer maySave(); // checks the document's own path; asks if the file has changed since it was read
    QString whyHeld(const QString& path) const { return m_file.whyHeld(path); } // why another window holds the file
    void offerRecovery();
    void endNow(); // nothing may be asked: keeps unsaved edits for recovery and releases the file
    Journal& journal() { return m_journal; }

signals:
    void reloadAsked(const QString& path);
    void saveAsAsked();

private:
    void sayChangedOutside();
    void sayReadOnly();
    void takeLock();

    Document& m_document;
    Banner& m_banner;
    QWidget& m_window;
    DocumentFile m_file;
    Journal m_journal;
};

} // namespace railyard
