// An offer laid out on pages: text that flows, tables whose heads are repeated, and pictures that are drawn as vectors.
#pragma once

#include <QTextObjectInterface> // first, because moc cannot parse <memory> before <concepts>

#include "core/io/presentation/offer.h"
#include "widgets/theme/tokens.h"

#include <QObject>
#include <QTextDocument>
#include <functional>
#include <vector>

class QPainter;
class QTextCursor;

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
    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& area, QTextDocument* document, int position, const QTextFormat& format) override;

private:
    std::vector<Picture> m_pictures;
};

class ReportLayout {
public:
    struct Head {
        QString title, subtitle;                        // of the first page
        std::vector<std::pair<QString, QString>> block; // title block
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
    void addHead(QTextCursor& cursor, const Head& head) const;
    Start addSection(QTextCursor& cursor, const OfferSection& section, bool isFirst,
                     const std::function<ReportPictures::Picture(OfferPicture)>& picture);
    void addTable(QTextCursor& cursor, const OfferTable& table) const;

    Tokens m_tokens;
    mutable QTextDocument m_document; // drawing a page is no change
    ReportPictures* m_pictures;
};

} // namespace railyard
