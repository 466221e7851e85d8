#include "widgets/plots/stacked_bars.h"

#include <QPainter>
#include <algorithm>

namespace railyard {
namespace {

constexpr int barHeight = 26, lineHeight = 20, afterBar = 8, betweenBars = 22, swatch = 10, columnGap = 26;

} // namespace

StackedBars::StackedBars(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StackedBars::show(std::vector<StackedBar> bars, const Tokens& tokens) {
    m_bars = std::move(bars);
    m_tokens = tokens;
    QStringList words; // for readers of the screen
    for (const StackedBar& bar : m_bars) {
        words << bar.title + QStringLiteral(": ") + bar.total;
        for (const BarPart& part : bar.parts)
            if (part.amount > 0) words << part.name + QLatin1Char(' ') + part.value;
    }
    setAccessibleName(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize StackedBars::sizeHint() const { return {480, paintOrMeasure(nullptr, std::max(480, width()))}; }

double StackedBars::mostOf(int group) const {
    double most = 0;
    for (const StackedBar& bar : m_bars) {
        if (bar.group != group) continue;
        double sum = 0;
        for (const BarPart& part : bar.parts) sum += part.amount;
        most = std::max({most, sum, bar.limit});
    }
    return most;
}

int StackedBars::paintOrMeasure(QPainter* painter, int width) const {
    const QFont bold = fontFor(TextRole::BodyBold), caption = fontFor(TextRole::Caption);
    const QFontMetricsF small(caption);
    double y = 0;
    for (const StackedBar& bar : m_bars) {
        const double most = mostOf(bar.group), scale = most > 0 ? (width - 2) / most : 0;
        if (painter) {
            painter->setFont(bold);
            painter->setPen(m_tokens.text);
            painter->drawText(QRectF(0, y, width, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, bar.title);
            painter->drawText(QRectF(0, y, width, lineHeight), Qt::AlignRight | Qt::AlignVCenter, bar.total);
        }
        y += lineHeight + 4;
        double x = 0;
        if (painter) painter->fillRect(QRectF(0, y, width, barHeight), m_tokens.well);
        for (const BarPart& part : bar.parts) {
            const double wide = part.amount * scale;
            if (painter && wide > 0) painter->fillRect(QRectF(x, y, std::max(1.0, wide - 1), barHeight), part.color);
            x += wide;
        }
        if (painter && bar.limit > 0) {
            painter->setPen(QPen(m_tokens.danger, 2));
            painter->drawLine(QPointF(bar.limit * scale, y - 4), QPointF(bar.limit * scale, y + barHeight + 4));
        }
        y += barHeight + afterBar;
        x = 0;
        for (const BarPart& part : bar.parts) {
            if (part.amount <= 0) continue;
            const QString words = part.name + QStringLiteral("  ") + part.value;
            const double wide = swatch + 6 + small.horizontalAdvance(words) + columnGap;
            if (x > 0 && x + wide - columnGap > width) x = 0, y += lineHeight;
            if (painter) {
                painter->fillRect(QRectF(x, y + (lineHeight - swatch) / 2.0, swatch, swatch), part.color);
                painter->setFont(caption);
                painter->setPen(m_tokens.text);
                painter->drawText(QRectF(x + swatch + 6, y, wide, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, words);
            }
            x += wide;
        }
        y += lineHeight + betweenBars;
    }
    return static_cast<int>(y);
}

void StackedBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintOrMeasure(&painter, width());
}

} // namespace railyard
