#include "widgets/canvas/scene/callout_layout.h"

#include "widgets/theme/tokens.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImageReader>
#include <algorithm>
#include <cmath>
#include <memory>

namespace railyard {

QString wordsOf(const Callout& callout) { return QString::fromStdString(callout.text); }

QSizeF calloutSize(const QString& text, double width) {
    QFont font = fontFor(TextRole::Body);
    font.setPixelSize(static_cast<int>(callout::fontSize));
    font.setBold(true); // bold is wider than regular, so the box fits both
    const QRectF box = QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e5), Qt::TextWordWrap, text);
    return {std::ceil(box.width()) + 2 * callout::padding + 2, std::ceil(box.height()) + 2 * callout::padding};
}

double calloutUnitOf(const Scene& scene) { return std::max(1.0, scene.calloutUnit); }

QImage pictureOf(const SharedText& text) {
    constexpr int most = 1000; // px
    constexpr std::size_t mostKept = 64;
    using Kept = std::pair<std::weak_ptr<const std::string>, QImage>;
    thread_local std::vector<Kept> kept;
    for (const Kept& each : kept)
        if (each.first.lock() == text.shared()) return each.second;
    QByteArray bytes = QByteArray::fromBase64(QByteArray(text.text().data(), static_cast<qsizetype>(text.text().size())));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "PNG");
    QImage image;
    if (reader.size().isValid() && reader.size().width() <= most && reader.size().height() <= most) image = reader.read();
    std::erase_if(kept, [](const Kept& each) { return each.first.expired(); });
    if (kept.size() < mostKept) kept.emplace_back(text.shared(), image);
    return image;
}

QPointF calloutOrigin(Callout::Kind kind, const QRectF& about, bool below) {
    if (about.isEmpty()) return {};
    if (kind != Callout::Kind::Bracket) return about.center();
    return {about.center().x(), below ? about.bottom() : about.top()};
}

} // namespace railyard
