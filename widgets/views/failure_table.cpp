#include "widgets/views/failure_table.h"

#include "core/base/unit_text.h"
#include "widgets/theme/painted_words.h"
#include "widgets/theme/text.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr double titleHeight = 34, headHeight = 40, rowHeight = 25, sumHeight = 32, edge = 14;

// The decimal points of a column stand below each other; no more digits than are published.
void sayRate(QPainter& painter, double point, double top, const std::optional<double>& rate, const QColor& color) {
    const QString digits = rate ? QString::number(*rate, 'g', *rate < 0.1 ? 3 : 4) : QString();
    const QString whole = rate ? digits.section(QLatin1Char('.'), 0, 0) : QStringLiteral("–");
    paintWords(painter, QRectF(point - 40, top, 40, rowHeight), Qt::AlignRight, whole, color);
    if (digits.contains(QLatin1Char('.')))
        paintWords(painter, QRectF(point, top, 60, rowHeight), Qt::AlignLeft, QLatin1Char('.') + digits.section(QLatin1Char('.'), 1),
                   color);
}

double niceEnd(double value) {
    double ten = std::pow(10, std::floor(std::log10(std::max(value, 1e-9))));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (value <= factor * ten) return factor * ten;
    return ten * 10;
}

} // namespace

struct FailureTable::Columns {
    double name, count, low, base, high, expected, bar, barEnd, reason, end;
    bool isNarrow;
    // Numbers have the room that they need; names, bars and reasons share the rest. Of a rate: where its decimal point stands.
    explicit Columns(const QRectF& room) {
        constexpr double ofCount = 62, ofRate = 66, ofExpected = 62;
        const double rest = room.width() - 2 * edge - ofCount - 3 * ofRate - ofExpected - 34;
        isNarrow = rest < 420;
        name = room.left() + edge;
        end = room.right() - edge;
        count = name + rest * (isNarrow ? 0.36 : 0.42) + ofCount;
        low = count + 34;
        base = low + ofRate;
        high = base + ofRate;
        expected = high + ofRate - 24 + ofExpected;
        bar = expected + 12;
        barEnd = bar + rest * 0.22;
        reason = barEnd + 12;
    }
};

FailureTable::FailureTable(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    setObjectName(QStringLiteral("failure-table"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumWidth(560);
}

void FailureTable::show(const Reliability& reliability, const Tokens& tokens) {
    m_reliability = reliability;
    m_reliability.components = byKind(reliability.components);
    m_tokens = tokens;
    const double hours = m_reliability.horizonHours;
    std::stable_sort(m_reliability.components.begin(), m_reliability.components.end(),
                     [&](const FailureComponent& a, const FailureComponent& b) {
                         return std::pair(!a.interruptsJob, -a.expected(hours).value_or(0)) <
                                std::pair(!b.interruptsJob, -b.expected(hours).value_or(0));
                     });
    QStringList words; // for readers of the screen
    for (const FailureComponent& row : m_reliability.components)
        words << tr("%1: %2, %3 expected")
                     .arg(text(labelOf(row.kind)), text(formatCount(row.count)))
                     .arg(row.expected(hours).value_or(0), 0, 'g', 3);
    setAccessibleName(words.join(QStringLiteral("; ")));
    setFixedHeight(sizeHint().height());
    update();
}

QSize FailureTable::sizeHint() const {
    return {760,
            static_cast<int>(titleHeight + headHeight + rowHeight * static_cast<double>(m_reliability.components.size()) + sumHeight + 6)};
}

double FailureTable::most() const {
    double value = 1e-6;
    for (const FailureComponent& row : m_reliability.components)
        value = std::max(value, row.rate.highElseBase() * static_cast<double>(row.count) * m_reliability.horizonHours / 8760);
    return niceEnd(value);
}

void FailureTable::paintHeading(QPainter& painter, const Columns& at, double top) const {
    const double end = most(), first = top, second = top + 18;
    paintWords(painter, QRectF(at.low - 30, first, at.high + 50 - at.low, 18), Qt::AlignHCenter, tr("Failures per unit and year"),
               m_tokens.text2, TextRole::Caption);
    const auto head = [&](double x, double width, Qt::Alignment align, const QString& said) {
        paintWords(painter, QRectF(x, second, width, 20), align, said, m_tokens.text2, TextRole::Caption);
    };
    head(at.name, 200, Qt::AlignLeft, tr("Component"));
    head(at.count - 70, 70, Qt::AlignRight, tr("Count"));
    head(at.low - 20, 44, Qt::AlignLeft, tr("low"));
    head(at.base - 20, 44, Qt::AlignLeft, tr("base"));
    head(at.high - 20, 44, Qt::AlignLeft, tr("high"));
    head(at.expected - 70, 70, Qt::AlignRight, tr("Expected"));
    head(at.bar, 20, Qt::AlignLeft, QStringLiteral("0"));
    head(at.barEnd - 60, 60, Qt::AlignRight, QString::number(end, 'g', 3));
    head(at.reason, at.end - at.reason, Qt::AlignLeft, tr("Interrupts the job"));
}

void FailureTable::paintRow(QPainter& painter, const Columns& at, double top, const FailureComponent& row) const {
    const double hours = m_reliability.horizonHours, scale = (at.barEnd - at.bar) / most(),
                 years = hours / 8760 * static_cast<double>(row.count);
    paintWords(painter, QRectF(at.name, top, at.count - at.name - 58, rowHeight), Qt::AlignLeft,
               text(at.isNarrow ? shortLabelOf(row.kind) : labelOf(row.kind)), m_tokens.text);
    paintWords(painter, QRectF(at.count - 90, top, 90, rowHeight), Qt::AlignRight, text(formatCount(row.count)), m_tokens.text);
    sayRate(painter, at.low, top, row.rate.low, m_tokens.text2);
    sayRate(painter, at.base, top, row.rate.base, m_tokens.text);
    sayRate(painter, at.high, top, row.rate.high, m_tokens.text2);
    const auto expected = row.expected(hours);
    paintWords(painter, QRectF(at.expected - 80, top, 80, rowHeight), Qt::AlignRight,
               expected ? QString::number(*expected, 'g', 3) : QStringLiteral("–"), m_tokens.text, TextRole::BodyBold);
    const double middle = top + rowHeight / 2;
    if (expected) {
        const double width = std::max(1.5, *expected * scale);
        painter.fillRect(QRectF(at.bar, middle - 6, width, 12), row.interruptsJob ? m_tokens.accent : m_tokens.neutral);
    }
    if (row.rate.low || row.rate.high) {
        const double low = at.bar + row.rate.lowElseBase() * years * scale, high = at.bar + row.rate.highElseBase() * years * scale;
        painter.setPen(QPen(m_tokens.text, 1.2));
        painter.drawLine(QPointF(low, middle), QPointF(high, middle));
        for (const double x : {low, high}) painter.drawLine(QPointF(x, middle - 4), QPointF(x, middle + 4));
    }
    const QString answer = row.interruptsJob ? tr("yes") : tr("no");
    paintWords(painter, QRectF(at.reason, top, 30, rowHeight), Qt::AlignLeft, answer, row.interruptsJob ? m_tokens.text : m_tokens.text2,
               row.interruptsJob ? TextRole::BodyBold : TextRole::Body);
    paintWords(painter, QRectF(at.reason + 30, top, at.end - at.reason - 30, rowHeight), Qt::AlignLeft, text(row.reason), m_tokens.text2,
               TextRole::Caption);
}

void FailureTable::paintSum(QPainter& painter, const Columns& at, double top) const {
    const Reliability& r = m_reliability;
    const double years = r.horizonHours / 8760;
    paintWords(painter, QRectF(at.name, top, 300, sumHeight), Qt::AlignLeft, tr("Interruptions of the job"), m_tokens.text,
               TextRole::BodyBold);
    paintWords(painter, QRectF(at.expected - 90, top, 90, sumHeight), Qt::AlignRight,
               r.isKnown ? QString::number(r.expectedInterruptions(), 'g', 3) : QStringLiteral("–"), m_tokens.text, TextRole::BodyBold);
    if (!at.isNarrow)
        paintWords(painter, QRectF(at.bar, top, at.reason - at.bar, sumHeight), Qt::AlignLeft,
                   tr("%1 to %2").arg(r.lowPerYear * years, 0, 'g', 3).arg(r.highPerYear * years, 0, 'g', 3), m_tokens.text);
    if (!r.meanTimeHours) return;
    const auto hours = [](double value) { return text(formatDuration(Seconds(value * 3600))); };
    paintWords(painter, QRectF(at.reason, top, at.end - at.reason, sumHeight), Qt::AlignLeft,
               tr("one every %1").arg(hours(*r.meanTimeHours)), m_tokens.text, TextRole::BodyBold);
}

void FailureTable::paintOn(QPainter& painter, const QRectF& room) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const Columns at(room);
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    paintWords(painter, QRectF(at.name, room.top(), room.width() / 2, titleHeight), Qt::AlignLeft,
               tr("Expected failures in %1").arg(text(formatDuration(Seconds(m_reliability.horizonHours * 3600)))), m_tokens.text,
               TextRole::BodyBold);
    double x = at.end;
    const auto legend = [&](const QString& said, const QColor& color, bool isWhisker) {
        painter.setFont(fontFor(TextRole::Caption));
        x -= QFontMetricsF(painter.font()).horizontalAdvance(said) + 4;
        paintWords(painter, QRectF(x, room.top(), 300, titleHeight), Qt::AlignLeft, said, m_tokens.text2, TextRole::Caption);
        x -= 24;
        const double middle = room.top() + titleHeight / 2;
        if (isWhisker) {
            painter.setPen(QPen(color, 1.2));
            painter.drawLine(QPointF(x, middle), QPointF(x + 18, middle));
            for (const double end : {x, x + 18}) painter.drawLine(QPointF(end, middle - 4), QPointF(end, middle + 4));
        } else {
            painter.fillRect(QRectF(x + 8, middle - 5, 10, 10), color);
        }
        x -= 14;
    };
    legend(tr("low to high rates"), m_tokens.text, true);
    legend(tr("does not interrupt"), m_tokens.neutral, false);
    legend(tr("interrupts the job"), m_tokens.accent, false);
    double y = room.top() + titleHeight;
    painter.fillRect(QRectF(room.left() + 1, y, room.width() - 2, headHeight), m_tokens.well);
    paintHeading(painter, at, y);
    y += headHeight;
    const FailureComponent* before = nullptr;
    for (const FailureComponent& row : m_reliability.components) {
        const bool isDivided = before && before->interruptsJob && !row.interruptsJob;
        painter.setPen(QPen(isDivided ? m_tokens.controlBorder : m_tokens.grid, isDivided ? 1.6 : 1));
        painter.drawLine(QPointF(room.left() + 1, y), QPointF(room.right() - 1, y));
        paintRow(painter, at, y, row);
        before = &row;
        y += rowHeight;
    }
    painter.setPen(QPen(m_tokens.controlBorder, 1.6));
    painter.drawLine(QPointF(room.left() + 1, y), QPointF(room.right() - 1, y));
    paintSum(painter, at, y);
}

void FailureTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintOn(painter, QRectF(rect()));
}

} // namespace railyard
