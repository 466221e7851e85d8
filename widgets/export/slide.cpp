#include "widgets/export/slide.h"

#include "core/analysis/metrics/metrics.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/scene/scene_networks.h"
#include "widgets/export/page_file.h"
#include "widgets/theme/text.h"

#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <qcustomplot.h>

namespace railyard {
QFont slideFont(int pixels, bool isBold) {
    QFont font = fontFor(TextRole::Body);
    font.setPixelSize(pixels);
    font.setBold(isBold);
    return font;
}

double paintSlideWords(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& color,
                       Qt::Alignment alignment) {
    painter.setFont(font);
    painter.setPen(color);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, box.width());
    painter.drawText(box, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    return metrics.horizontalAdvance(shown);
}

QString withWholeNumbers(QString title) {
    static const QRegularExpression unit(QStringLiteral("(\\d) ([kMB%]|[kMG]?W|[GTP]b/s)(?![A-Za-z])"));
    return title.replace(unit, QStringLiteral("\\1\u00a0\\2"));
}

void paintSlideTitle(QPainter& painter, const QString& title, const QColor& color) {
    const QString text = withWholeNumbers(title);
    const QRectF box(slideLeft, 34, slideRight - slideLeft, 116);
    int pixels = 46;
    const int flags = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;
    while (pixels > 30 && QFontMetricsF(slideFont(pixels, true)).boundingRect(box, flags, text).height() > box.height()) --pixels;
    painter.setFont(slideFont(pixels, true));
    painter.setPen(color);
    painter.drawText(box, flags, text);
}

void paintOnSlide(QPainter& painter, QSizeF size, const Tokens& tokens, const std::function<void()>& paint) {
    const QRectF page(QPointF(0, 0), size);
    painter.fillRect(page, tokens.canvas);
    const double scale = std::min(page.width() / slidePage.width(), page.height() / slidePage.height());
    painter.save();
    painter.translate((page.width() - slidePage.width() * scale) / 2, (page.height() - slidePage.height() * scale) / 2);
    painter.scale(scale, scale);
    painter.fillRect(QRectF(0, 0, 14, slidePage.height()), tokens.accent);
    paint();
    painter.restore();
}

namespace {

class SlidePainter {
public:
    SlidePainter(QPainter& painter, const Tokens& tokens) : m_painter(painter), m_tokens(tokens) {}

    double words(const QRectF& box, const QString& text, const QFont& font, const QColor& color, Qt::Alignment alignment = Qt::AlignLeft) {
        return paintSlideWords(m_painter, box, text, font, color, alignment);
    }
    void rule(double x, double y, double width, const QColor& color, double thickness = 2) {
        m_painter.fillRect(QRectF(x, y, width, thickness), color);
    }
    void figures(const std::vector<SlideFigure>& all) {
        constexpr double width = 258, gap = 28, height = 118, top = 212;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double x = slideFigures + static_cast<double>(i % 2) * (width + gap), y = top + static_cast<double>(i / 2) * height;
            rule(x, y, width, i < 2 ? m_tokens.text : m_tokens.cardBorder);
            QFont bold = slideFont(50, true);
            const QString value = text(all[i].value), unitText = text(all[i].unit);
            const double unit = unitText.isEmpty() ? 0 : QFontMetricsF(slideFont(26)).horizontalAdvance(unitText) + 12;
            for (int pixels = 50; pixels > 30 && QFontMetricsF(bold).horizontalAdvance(value) > width - unit; --pixels)
                bold = slideFont(pixels, true);
            const double end = words(QRectF(x, y + 10, width - unit, 62), value, bold, m_tokens.text);
            words(QRectF(x + end + 12, y + 18, width - end - 12, 56), unitText, slideFont(26), m_tokens.text);
            words(QRectF(x, y + 70, width, 34), text(all[i].what), slideFont(24), m_tokens.text2);
        }
    }
    // The tiers are the legend of their shapes.
    void tiers(const SlideContent& content) {
        double y = 578;
        rule(slideFigures, y - 12, slideRight - slideFigures, m_tokens.cardBorder);
        if (content.rails > 0 && content.rails <= 8) {
            words(QRectF(slideFigures, y, 70, 30), QObject::tr("Rail"), slideFont(22), m_tokens.text2);
            for (int rail = 1; rail <= content.rails; ++rail) {
                const QColor color = m_tokens.rail(rail, content.rails);
                const QRectF box(slideFigures + 78 + (rail - 1) * 57, y + 2, 45, 25);
                m_painter.setPen(Qt::NoPen);
                m_painter.setBrush(color);
                m_painter.drawRoundedRect(box, 4, 4);
                words(box, QString::number(rail), slideFont(18, true), inkOn(color), Qt::AlignHCenter);
            }
            y += 40;
        }
        const TierLines lines = tierLines(content, y);
        for (const TierFacts& tier : content.tiers) {
            m_painter.setPen(QPen(m_tokens.neutral, 2.5));
            m_painter.setBrush(m_tokens.neutralFill);
            m_painter.drawPath(silhouette(shapeOf(tier.tier), QRectF(slideFigures, y + 2, 34, 26)));
            words(QRectF(slideFigures + 46, y, slideRight - slideFigures - 46, 30), text(tierTitle(tier)), slideFont(23, true),
                  m_tokens.text);
            if (lines.hasPorts)
                words(QRectF(slideFigures + 46, y + 29, slideRight - slideFigures - 46, 28), text(tier.portsText()), slideFont(22),
                      m_tokens.text2);
            y += lines.pitch;
        }
    }
    void comparison(const SlideContent& content) {
        constexpr double top = 804, height = 56, nameWidth = 330;
        rule(slideLeft, top, slideRight - slideLeft, m_tokens.text);
        const double width = (slideRight - slideLeft - nameWidth) / static_cast<double>(std::max<std::size_t>(1, content.columns.size()));
        words(QRectF(slideLeft, top + 6, nameWidth, 38), QObject::tr("Same GPUs, two layouts"), slideFont(23), m_tokens.text2);
        for (std::size_t c = 0; c < content.columns.size(); ++c)
            words(QRectF(slideLeft + nameWidth + static_cast<double>(c) * width, top + 6, width, 38), text(content.columns[c].title),
                  slideFont(23), m_tokens.text2, Qt::AlignRight);
        for (std::size_t r = 0; r < content.rows.size(); ++r) {
            const SlideRow& row = content.rows[r];
            const double y = top + 46 + static_cast<double>(r) * height;
            if (r > 0) rule(slideLeft, y, slideRight - slideLeft, m_tokens.cardBorder);
            lanes(QRectF(slideLeft, y + 8, 70, height - 16), row.isRailOnly, content.rails);
            words(QRectF(slideLeft + 92, y, nameWidth - 92, height), text(row.name), slideFont(27, true), m_tokens.text);
            for (std::size_t c = 0; c < row.cells.size(); ++c) {
                const SlideCell& own = row.cells[c];
                QRectF box(slideLeft + nameWidth + static_cast<double>(c) * width, y, width, height);
                const QString difference = text(own.difference);
                if (!difference.isEmpty()) {
                    const double taken = QFontMetricsF(slideFont(23, true)).horizontalAdvance(difference) + 2;
                    words(QRectF(box.right() - taken, y, taken, height), difference, slideFont(23, true),
                          own.isBetter ? m_tokens.ok : m_tokens.danger, Qt::AlignRight);
                    box.setRight(box.right() - taken - 14);
                }
                words(box, text(own.value), slideFont(27, true), m_tokens.text, Qt::AlignRight);
            }
        }
    }
    void titleBlock(const SlideContent& content) {
        constexpr double top = 974;
        rule(slideLeft, top, slideRight - slideLeft, m_tokens.text);
        const double width = (slideRight - slideLeft) / static_cast<double>(std::max<std::size_t>(1, content.titleBlock.size()));
        for (std::size_t i = 0; i < content.titleBlock.size(); ++i) {
            const double x = slideLeft + static_cast<double>(i) * width;
            words(QRectF(x, top + 8, width - 16, 24), text(content.titleBlock[i].first), slideFont(18), m_tokens.text2);
            words(QRectF(x, top + 30, width - 16, 30), text(content.titleBlock[i].second), slideFont(22, true), m_tokens.text);
        }
        words(QRectF(slideLeft, top + 64, slideRight - slideLeft - 200, 26), text(content.basis), slideFont(18), m_tokens.text2);
        words(QRectF(slideRight - 200, top + 64, 200, 26), QObject::tr("Drawn with Railyard"), slideFont(18), m_tokens.text2,
              Qt::AlignRight);
    }

private:
    // Lanes that end in one bar, or each in a switch of its own.
    void lanes(const QRectF& box, bool isRailOnly, int rails) {
        const int count = std::clamp(rails, 1, 8);
        const double pitch = box.width() / count;
        for (int rail = 1; rail <= count; ++rail) {
            const QColor color = m_tokens.rail(rail, rails);
            const double x = box.left() + pitch * (rail - 0.5);
            m_painter.fillRect(QRectF(x - 1.5, box.top() + 8, 3, box.height() - 8), color);
            if (isRailOnly) m_painter.fillRect(QRectF(x - pitch * 0.36, box.top(), pitch * 0.72, 12), color);
        }
        if (!isRailOnly) m_painter.fillRect(QRectF(box.left(), box.top(), box.width(), 12), m_tokens.neutral);
    }

    QPainter& m_painter;
    const Tokens& m_tokens;
};

// Everything but heights; labels keep their distance from the left edge of the drawing.
void stretch(Scene& scene, double factor) {
    const double edge = scene.bounds.left();
    double content = scene.bounds.right();
    for (const SceneBar& bar : scene.bars) content = std::min(content, bar.rect.left());
    for (const SceneCard& card : scene.cards) content = std::min(content, card.rect.left());
    const auto x = [&](double at) { return content + (at - content) * factor; };
    const auto wide = [&](QRectF& rect) { rect = QRectF(QPointF(x(rect.left()), rect.top()), QPointF(x(rect.right()), rect.bottom())); };
    const auto moved = [&](QPointF& point) { point.setX(x(point.x())); };
    for (SceneNode& node : scene.nodes) wide(node.rect), node.pipAt *= factor, node.pipPitch *= factor;
    for (SceneCard& card : scene.cards) {
        wide(card.rect);
        for (SceneRack& rack : card.racks) {
            wide(rack.rect), wide(rack.switches), rack.hbX = x(rack.hbX);
            for (SceneRack::Rail& rail : rack.rails) rail.x = x(rail.x);
        }
    }
    for (SceneBar& bar : scene.bars) wide(bar.rect);
    for (SceneNetwork& network : scene.networks) wide(network.rect);
    for (SceneBundle& bundle : scene.bundles) {
        for (QPointF& point : bundle.path) moved(point);
        moved(bundle.pillAt);
    }
    for (SceneCable& cable : scene.cables) moved(cable.a), moved(cable.b);
    for (QPointF& dot : scene.dots) moved(dot);
    for (SceneCallout& callout : scene.callouts) wide(callout.about), callout.span *= factor;
    scene.bounds = QRectF(QPointF(edge, scene.bounds.top()), QPointF(x(scene.bounds.right()), scene.bounds.bottom()));
}

} // namespace

Scene slideScene(const Fabric& fabric, Detail detail, QSizeF area) {
    Scene scene = buildScene(fabric, detail);
    if (!fabric.design->networks.empty()) addNetworks(scene, instantMetrics(fabric).networks);
    constexpr double most = 2.2; // wider shapes no longer look like what they are
    const double wanted = area.width() / area.height() * scene.bounds.height() / scene.bounds.width();
    if (!scene.bounds.isEmpty() && wanted > 1 && scene.cables.empty()) stretch(scene, std::min(most, wanted));
    return scene;
}

void paintPageDrawing(QPainter& painter, const Fabric& fabric, const Tokens& tokens, Detail detail, const QRectF& area, double zoom) {
    constexpr double labelWidth = 42; // names of tiers are as wide as on screen, whatever the scale
    const Scene scene = slideScene(fabric, detail, area.size());
    const QRectF sheet(QPointF(0, 0), area.size() / zoom);
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(zoom, zoom);
    painter.setClipRect(sheet, Qt::IntersectClip);
    ScenePainter(scene, fabric, tokens, ViewState::fitting(scene.bounds, sheet.adjusted(labelWidth, 0, 0, -8)), sheet).paint(painter);
    painter.restore();
}

void paintSlide(QPainter& painter, const Fabric& fabric, const SlideContent& content, const PictureOptions& options) {
    const Tokens& tokens = options.tokens;
    paintOnSlide(painter, QSizeF(options.size), tokens, [&] {
        SlidePainter slide(painter, tokens);
        paintSlideTitle(painter, text(content.title), tokens.text);
        slide.words(QRectF(slideLeft, 154, slideRight - slideLeft, 38), text(content.subtitle), slideFont(27), tokens.text2);
        const bool isCompared = !content.rows.empty();
        QRectF drawing = slideDrawing;
        if (!isCompared) drawing.setBottom(950); // nothing stands below it
        paintPageDrawing(painter, fabric, tokens, options.detail, drawing, 2);
        slide.figures(content.figures);
        slide.tiers(content);
        if (isCompared) slide.comparison(content);
        slide.titleBlock(content);
    });
}

Status drawSlide(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    const SlideContent content = slideContentOf(fabric, options.slide);
    if (options.stated) *options.stated = content.stated;
    return writePage(
        path, options.size, options.dpi, text(content.title), [&](QCPPainter& painter) { paintSlide(painter, fabric, content, options); },
        options.isTransparent());
}

} // namespace railyard
