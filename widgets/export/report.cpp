#include "widgets/export/report.h"

#include "core/io/document/carried_design.h"
#include "core/io/document/design_text.h"
#include "core/io/presentation/offer.h"
#include "widgets/export/page_file.h"
#include "widgets/export/report_layout.h"
#include "widgets/export/slide.h"
#include "widgets/floor/floor_picture.h"
#include "widgets/theme/text.h"

#include <QPainter>
#include <qcustomplot.h>

namespace railyard {
namespace {

constexpr double pictureWidth = 682, drawingHeight = 270, floorHeight = 380; // px; the width between the margins

} // namespace

Result<QStringList> drawReport(const FabricPointer& fabric, const QString& path, const PictureOptions& options) {
    if (!path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        return Error::usage("-o " + path.toStdString() + ": a report is a .pdf");
    const bool isCustomer = !options.slide.showsPrices;
    const Metrics metrics = metricsOf(*fabric);
    const std::optional<OtherDesign> other = options.other ? std::optional(otherDesign(options.other)) : std::nullopt,
                                     twin = other ? std::nullopt : twinBeside(*fabric->design);
    const Offer offer = offerOf({fabric, metrics, twin ? &*twin : nullptr, other ? &*other : nullptr, isCustomer});
    const auto picture = [&](OfferPicture which) -> ReportPictures::Picture {
        if (which == OfferPicture::Floor)
            return {{pictureWidth, floorHeight}, [&](QPainter& painter, const QRectF& area) {
                        painter.setClipRect(area, Qt::IntersectClip);
                        FloorPicture(metrics.cabling->floor, area.adjusted(0, 8, 0, -8)).paint(painter, options.tokens);
                    }};
        return {{pictureWidth, drawingHeight}, [&](QPainter& painter, const QRectF& area) {
                    paintPageDrawing(painter, *fabric, options.tokens, options.detail, area, 1);
                }};
    };
    const ReportLayout layout({withWholeNumbers(text(offer.title)), text(offer.subtitle), titleBlockOf(metrics, options.slide)}, offer,
                              options.tokens, picture);
    const QString foot = QObject::tr("%1 · fingerprint %2 · Railyard %3")
                             .arg(text(fabric->design->name), text(metrics.fingerprint).left(12), QStringLiteral(RAILYARD_VERSION));
    const Status done = writeCarrying(path.toStdString(), [&](const std::string& file) -> Result<CarriedTexts> {
        const auto written = writeSheets(QString::fromStdString(file), ReportLayout::page.toSize(), options.dpi, text(offer.title),
                                         layout.pages(), [&](QCPPainter& painter, int page) { layout.paint(painter, page, foot); });
        if (!written) return written.errors();
        CarriedTexts texts{{CarriedText::Figures, statedText(offer.stated)}};
        if (options.carriesDesign && !isCustomer) texts[CarriedText::Design] = designText(*fabric->design);
        return texts;
    });
    if (!done) return done.errors();
    return QStringList{path};
}

} // namespace railyard
