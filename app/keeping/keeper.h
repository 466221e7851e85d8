// Keeps the work of the window safe: journal, lock, changes from outside, recovery. It asks and says; saving itself is the
// window's.
#pragma once

#include "app/keeping/document_file.h"
#include "app/keeping/journal.h"

namespace railyard {

class Banner;

class Keeper : public QObject {
    Q_OBJECT

public:
    Keeper(Document& document, Banner& banner, QWidget& window);

    void followFile(); // after opening and saving
    enum class Answer { Save, SaveAs, Cancel };
    Answer maySave(); // to the document's own path; asks where the file is not what was read
    QString whyHeld(const QString& path) const { return m_file.whyHeld(path); } // by another window
    void offerRecovery();
    Journal& journal() { return m_journal; }

signals:
    void reloadAsked(const QString& path);
    void saveAsAsked();

private:
    void sayChangedOutside();
    void sayReadOnly();

    Document& m_document;
    Banner& m_banner;
    QWidget& m_window;
    DocumentFile m_file;
    Journal m_journal;
};

} // namespace railyard
