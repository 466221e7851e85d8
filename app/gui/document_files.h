// Opens and saves designs, and asks whether to save the open one first.
#pragma once

#include "widgets/document/document.h"

#include <QWidget>

class QMenu;

namespace railyard {

class Autosave;

class DocumentFiles : public QObject {
    Q_OBJECT

public:
    DocumentFiles(Document& document, Autosave& autosave, QWidget& window) : m_document(document), m_autosave(autosave), m_window(window) {}

    bool open(const QString& path);                             // shows the reason if it cannot
    void openDesign(DesignPointer design, const QString& path); // of a file, a sample or an empty drawing
    void openNew(DesignPointer design);                         // a design that exists nowhere else, so that closing it asks first
    void openSample(const QString& path);                       // without a path, so that saving asks for a file name
    void openDialog();
    bool save();
    bool saveAs();
    // Asks if the open design, or a part of it, exists nowhere on disk. False if the user cancels.
    bool mayDiscard();
    bool isOpening() const { return m_isOpening; } // a worker is reading a file
    void fillRecent(QMenu& menu);

signals:
    void opened();
    void saved();
    void told(const QString& text); // what was converted

private:
    Result<SnapshotPointer> load(const QString& path); // null if cancelled
    void showOpened();
    void rememberFile(const QString& path);
    void report(const Error& error, const QString& title);

    Document& m_document;
    Autosave& m_autosave;
    QWidget& m_window;
    bool m_isOpening = false;
};

} // namespace railyard
