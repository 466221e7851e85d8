// Opens and saves designs, and asks whether to save the open one first.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/catalog/price_book.h"
#include "widgets/document/document.h"

#include <atomic>
#include <functional>
#include <optional>

class QMenu;

namespace railyard {

class Autosave;

class DocumentFiles : public QObject {
    Q_OBJECT

public:
    DocumentFiles(Document& document, Autosave& autosave, QWidget& window) : m_document(document), m_autosave(autosave), m_window(window) {}

    bool open(const QString& path);        // shows the reason if it cannot
    void openDesign(DesignPointer design); // of an empty drawing, which no file holds and nobody misses
    void openNew(DesignPointer design);    // a design that exists nowhere else, so that closing it asks first
    void openSample(const QString& path);  // without a path, so that saving asks for a file name
    void openDialog();
    void editPriceBook(); // of the user; an unmodified design is opened again with the new prices
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
    struct Loaded {
        SnapshotPointer snapshot; // null if cancelled
        std::string mark;         // of the bytes that were read
        bool isCarried = false;   // by a picture, a presentation or a workbook
    };
    struct Found { // in a file of any format
        bool isDesignFile = false;
        SnapshotPointer snapshot = nullptr; // null if cancelled, or if the file has prices
        std::vector<std::string> losses = {};
        std::size_t added = 0; // prices
        std::string bookPath = {};
        std::optional<PriceBook> book = {}; // of the user, with these prices
    };
    bool runReading(const QString& title, const std::function<void(const std::atomic<bool>& isCancelled)>& work);
    Result<Loaded> load(const QString& path);
    Result<Found> read(const QString& path);
    bool openDesignFile(const QString& path);
    bool import(const QString& path);
    void takeTyping();
    bool refuse(const std::vector<Error>& errors, const QString& title);
    void showOpened(std::string mark = {});
    // Replaces the file only if it still has the content with this mark. The mark of what was written, or why it was not.
    Result<std::string> saveUnderLock(const QString& path, const std::string& knownMark);
    void rememberFile(const QString& path);
    void report(const Error& error, const QString& title);

    Document& m_document;
    Autosave& m_autosave;
    QWidget& m_window;
    bool m_isOpening = false;
};

} // namespace railyard
