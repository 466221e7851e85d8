// An offer laid out on pages: text that flows, tables whose heads are repeated, and pictures that are drawn as vectors.
#pragma once

#include <QTextObjectInterface> // first, because moc cannot parse <memory> before <concepts>

#include "core/io/presentation/offer.h"
#include "core/io/presentation/slide_content.h"
#include "widgets/theme/tokens.h"

#include <QObject>
#include <QTextDocument>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

class QPainter;
class QTextCursor;
class QTextTable;

namespace railyard {

// Pictures in a text: their property is their place in the list.
class ReportPictures : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    struct Picture {
        QSizeF size;
        std::function<void(QPainter& painter, const QRectF& area)> paint;
    };
    static constexpr int type = QTextFormat::UserObject + 1, place = QTextFormat::UserProperty + 1;

    explicit ReportPictures(QObject* parent) : QObject(parent) {}
    int add(Picture picture);
    void clear() { m_pictures.clear(); }
    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& area, QTextDocument* document, int position, const QTextFormat& format) override;

private:
    std::vector<Picture> m_pictures;
};

class ReportLayout {
public:
    struct Head {
        QString title, subtitle; // of the first page
        TitleBlock block;
    };
    ReportLayout(const Head& head, const Offer& offer, const Tokens& tokens,
                 const std::function<ReportPictures::Picture(OfferPicture)>& picture);
    static constexpr QSizeF page{794, 1123}; // A4 at 96 dpi
    int pages() const { return m_document.pageCount(); }
    void paint(QPainter& painter, int page, const QString& foot) const;

private:
    static constexpr double margin = 56, footHeight = 34; // px
    struct Start {                                        // of a section
        int position;
        double needs; // px that must stay on its page
    };
    void keepTogether(const std::vector<Start>& starts);
    // The first row that lies on two pages: the place of its table in the offer, and its own.
    std::optional<std::pair<std::size_t, std::size_t>> dividedRow() const;
    void build(const Head& head, const Offer& offer, const std::function<ReportPictures::Picture(OfferPicture)>& picture);
    void addHead(QTextCursor& cursor, const Head& head) const;
    Start addSection(QTextCursor& cursor, const OfferSection& section, bool isFirst,
                     const std::function<ReportPictures::Picture(OfferPicture)>& picture);
    void addTable(QTextCursor& cursor, const OfferTable& table);
    void addRows(QTextCursor& cursor, const OfferTable& table, std::size_t from, std::size_t to, bool isOnNewPage);

    Tokens m_tokens;
    mutable QTextDocument m_document; // drawing a page is no change
    ReportPictures* m_pictures;
    std::vector<std::set<std::size_t>> m_breaks; // of every table: rows before which it goes on on a new page
    std::size_t m_tables = 0;                    // that are complete
    struct Rows {                                // a piece of a table
        std::size_t table, from;
        QTextTable* made;
    };
    std::vector<Rows> m_rows;
};

} // namespace railyard
