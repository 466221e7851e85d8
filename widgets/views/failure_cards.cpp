#include "widgets/views/failure_cards.h"

#include "core/base/unit_text.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/theme/painted_words.h"
#include "widgets/theme/text.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

namespace railyard {
namespace {

constexpr double itemHeight = 44, headingHeight = 24, barRow = 30, barHead = 30, barLegend = 26;

void paintIcon(QPainter& painter, PartKind kind, const QRectF& box, const Tokens& tokens) {
    painter.setPen(QPen(tokens.neutral, 1.3));
    painter.setBrush(tokens.neutralFill);
    switch (kind) {
    case PartKind::Leaf: painter.drawPath(silhouette(Shape::Leaf, box)); break;
    case PartKind::Spine: painter.drawPath(silhouette(Shape::Spine, box)); break;
    case PartKind::Superspine: painter.drawPath(silhouette(Shape::Superspine, box)); break;
    case PartKind::Core: painter.drawPath(silhouette(Shape::Core, box)); break;
    case PartKind::Server:
    case PartKind::Tray: painter.drawPath(silhouette(Shape::Server, box)); break;
    case PartKind::Link:
    case PartKind::HostLink:
        painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        for (const double x : {box.left(), box.right()}) painter.drawEllipse(QPointF(x, box.center().y()), 2.5, 2.5);
        break;
    default: painter.drawRoundedRect(box.adjusted(3, 1, -3, -1), 2, 2); break;
    }
}

QString nameOf(const SingleFailure& each) {
    const QString end = text(each.path).section(QLatin1Char('/'), -1);
    switch (each.kind) {
    case PartKind::Link: // named by its lower end
        if (end.startsWith(QStringLiteral("leaf"))) return SingleFailureList::tr("Leaf uplink");
        if (end.startsWith(QStringLiteral("spine"))) return SingleFailureList::tr("Spine uplink");
        return SingleFailureList::tr("Switch link");
    default: return text(shortLabelOf(each.kind));
    }
}

QString consequenceOf(const SingleFailure& each) {
    QStringList parts;
    if (each.gpusLost > 0)
        parts << railyard::counted(each.gpusLost, SingleFailureList::tr("%1 GPU leaves"), SingleFailureList::tr("%1 GPUs leave"));
    if (each.gpusDegraded > 0)
        parts << railyard::counted(each.gpusDegraded, SingleFailureList::tr("%1 GPU has less bandwidth"),
                                   SingleFailureList::tr("%1 GPUs have less bandwidth"));
    if (parts.isEmpty()) parts << SingleFailureList::tr("no GPU is affected");
    parts << (each.perYear ? SingleFailureList::tr("%1 a year").arg(*each.perYear, 0, 'g', 3)
                           : SingleFailureList::tr("no rate is published"));
    return parts.join(QStringLiteral("; "));
}

QString leftText(const std::optional<double>& left) {
    if (!left) return QStringLiteral("–");
    return *left > 0.995 && *left < 1 ? QStringLiteral("> 0.99") : QString::number(*left, 'f', 2);
}

} // namespace

SingleFailureList::SingleFailureList(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    setObjectName(QStringLiteral("single-failures"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void SingleFailureList::show(const std::vector<SingleFailure>& failures, const Tokens& tokens) {
    m_failures = failures;
    m_tokens = tokens;
    QStringList words;
    for (const SingleFailure& each : m_failures) words << nameOf(each) + QStringLiteral(": ") + consequenceOf(each);
    setAccessibleName(words.join(QStringLiteral(". ")));
    setFixedHeight(sizeHint().height());
    update();
}

QSize SingleFailureList::sizeHint() const {
    return {380, static_cast<int>(headingHeight + itemHeight * static_cast<double>(m_failures.size()))};
}

void SingleFailureList::mouseReleaseEvent(QMouseEvent* event) {
    const auto row = static_cast<std::ptrdiff_t>((event->position().y() - headingHeight) / itemHeight);
    if (event->position().y() >= headingHeight && row < static_cast<std::ptrdiff_t>(m_failures.size()))
        emit located(text(m_failures[static_cast<std::size_t>(row)].path));
}

void SingleFailureList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double right = width() - 4.0;
    paintWords(painter, QRectF(right - 190, 0, 90, headingHeight), Qt::AlignRight, tr("GPUs lost"), m_tokens.text2, TextRole::Caption);
    paintWords(painter, QRectF(right - 96, 0, 96, headingHeight), Qt::AlignRight, tr("Bandwidth left"), m_tokens.text2, TextRole::Caption);
    double y = headingHeight;
    for (const SingleFailure& each : m_failures) {
        painter.setPen(QPen(m_tokens.grid, 1));
        painter.drawLine(QPointF(0, y), QPointF(width(), y));
        paintIcon(painter, each.kind, QRectF(6, y + 9, 24, 16), m_tokens);
        const QString name = nameOf(each);
        paintWords(painter, QRectF(42, y + 2, right - 230, 22), Qt::AlignLeft, name, m_tokens.text, TextRole::BodyBold);
        const double after = 42 + QFontMetricsF(fontFor(TextRole::BodyBold)).horizontalAdvance(name) + 8;
        paintWords(painter, QRectF(after, y + 2, std::max(0.0, right - 150 - after), 22), Qt::AlignLeft,
                   tr("1 of %1").arg(text(formatCount(each.count))), m_tokens.text2, TextRole::Caption);
        paintWords(painter, QRectF(42, y + 22, right - 42, 18), Qt::AlignLeft, consequenceOf(each), m_tokens.text2, TextRole::Caption);
        paintWords(painter, QRectF(right - 150, y + 2, 50, 22), Qt::AlignRight, text(formatCount(each.gpusLost)),
                   each.gpusLost > 0 ? m_tokens.danger : m_tokens.text, TextRole::BodyBold);
        paintWords(painter, QRectF(right - 80, y + 2, 80, 22), Qt::AlignRight, leftText(each.bandwidthLeft), m_tokens.text,
                   TextRole::BodyBold);
        y += itemHeight;
    }
}

PolicyCards::PolicyCards(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    setObjectName(QStringLiteral("leaf-policies"));
    setFixedHeight(250);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PolicyCards::show(const LeafPolicies& policies, const Tokens& tokens) {
    m_policies = policies;
    m_tokens = tokens;
    setAccessibleName(tr("GPUs leave the job: %1 lost. Traffic is forwarded: %2 lost.")
                          .arg(text(formatDuration(policies.leaving.lost(policies.repair))),
                               text(formatDuration(policies.forwarding.lost(policies.repair)))));
    update();
}

// A dead leaf above a server of eight, whose third GPU has lost its NIC's path.
void PolicyCards::paintServer(QPainter& painter, const QRectF& room, bool isForwarding) const {
    constexpr int gpus = 8, dead = 3;
    QPen dashed(m_tokens.danger, 1.4, Qt::CustomDashLine);
    dashed.setDashPattern({2, 2});
    const QRectF leaf(room.center().x() - 12, room.top(), 24, 15);
    const double pitch = room.width() / gpus, nicTop = room.top() + 30, gpuTop = room.top() + 46;
    const double x = room.left() + pitch * (dead + 0.5);
    painter.setPen(dashed);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(silhouette(Shape::Leaf, leaf));
    painter.drawLine(QPointF(leaf.center().x(), leaf.bottom()), QPointF(x, nicTop));
    painter.setPen(QPen(m_tokens.danger, 1.6));
    painter.drawLine(leaf.topLeft() + QPointF(7, 3), leaf.bottomRight() - QPointF(7, 3));
    painter.drawLine(leaf.topRight() + QPointF(-7, 3), leaf.bottomLeft() + QPointF(7, -3));
    painter.setPen(QPen(m_tokens.controlBorder, 1));
    painter.drawRoundedRect(QRectF(room.left() - 2, nicTop + 4, room.width() + 4, 40), 3, 3);
    for (int i = 0; i < gpus; ++i) {
        const double middle = room.left() + pitch * (i + 0.5);
        painter.setPen(i == dead ? dashed : QPen(Qt::NoPen));
        painter.setBrush(i == dead ? QBrush(Qt::NoBrush) : QBrush(m_tokens.rail(i + 1, gpus)));
        painter.drawRect(QRectF(middle - 4, nicTop, 8, 8));
        const bool isGone = i == dead && !isForwarding;
        painter.setPen(isGone ? dashed : QPen(m_tokens.neutral, 1.2));
        painter.setBrush(isGone ? QBrush(Qt::NoBrush) : QBrush(m_tokens.neutralFill));
        painter.drawRect(QRectF(middle - 5, gpuTop, 10, 11));
    }
    if (!isForwarding) return;
    QPen dotted(m_tokens.neutral, 1.3, Qt::CustomDashLine);
    dotted.setDashPattern({1, 2});
    painter.setPen(dotted);
    const double y = gpuTop + 18;
    painter.drawLine(QPointF(room.left() + pitch / 2, y), QPointF(room.right() - pitch / 2, y));
    for (int i = 0; i < gpus; ++i) {
        const double middle = room.left() + pitch * (i + 0.5);
        painter.drawLine(QPointF(middle, gpuTop + 11), QPointF(middle, y));
    }
}

void PolicyCards::paintCard(QPainter& painter, const QRectF& room, bool isForwarding) const {
    const LeafPolicies& all = *m_policies;
    const LeafPolicy& own = isForwarding ? all.forwarding : all.leaving;
    const bool isBetter = all.isForwardingBetter() == isForwarding;
    painter.setPen(isBetter ? QPen(m_tokens.accent, 2) : QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(room, 6, 6);
    const double left = room.left() + 10, width = room.width() - 20;
    paintWords(painter, QRectF(left, room.top() + 6, width, 20), Qt::AlignLeft,
               isForwarding ? tr("Forward over HB links") : tr("GPUs leave the job"), m_tokens.text, TextRole::BodyBold);
    paintServer(painter, QRectF(left + 4, room.top() + 32, width - 8, 76), isForwarding);
    double y = room.top() + 118;
    const auto line = [&](const QString& name, const QString& value, const QColor& color) {
        paintWords(painter, QRectF(left, y, width * 0.66, 22), Qt::AlignLeft, name, m_tokens.text2);
        paintWords(painter, QRectF(left + width * 0.5, y, width * 0.5, 22), Qt::AlignRight, value, color, TextRole::BodyBold);
        y += 22;
    };
    line(tr("GPUs in the job"), text(formatCount(own.gpus)), m_tokens.text);
    line(tr("Step"), text(formatSeconds(own.step)), m_tokens.text);
    line(tr("Throughput"), text(formatPercent(own.throughputChange)), m_tokens.text);
    line(tr("Restart, rework"), own.restart > Seconds(0) ? text(formatDuration(own.restart)) : tr("none"), m_tokens.text);
    painter.setPen(QPen(m_tokens.grid, 1));
    painter.drawLine(QPointF(left, y + 2), QPointF(left + width, y + 2));
    y += 4;
    line(tr("Lost in %1").arg(text(formatDuration(all.repair))), text(formatDuration(own.lost(all.repair))),
         isBetter ? m_tokens.ok : m_tokens.text);
}

void PolicyCards::paintEvent(QPaintEvent*) {
    if (!m_policies) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double half = (width() - 12) / 2.0;
    paintCard(painter, QRectF(1, 1, half, height() - 2), false);
    paintCard(painter, QRectF(half + 11, 1, half, height() - 2), true);
}

UseBars::UseBars(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    setObjectName(QStringLiteral("use-bars"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumWidth(420);
}

// Half as many as the best, the best, and one and a half and twice as many.
void UseBars::show(const StandbyCurve& curve, const Tokens& tokens) {
    m_curve = curve;
    m_tokens = tokens;
    std::set<std::size_t> rows;
    if (!curve.points.empty()) {
        const std::int64_t best = curve.points[curve.best].standbys;
        for (const std::int64_t standbys :
             {best / 2, best, best + std::max<std::int64_t>(1, best / 2), std::max<std::int64_t>(2, best * 2)})
            rows.insert(curve.nearest(standbys));
    }
    m_rows.assign(rows.begin(), rows.end());
    QStringList words;
    for (const std::size_t row : m_rows)
        words << tr("%1 standbys: %2 % trains").arg(curve.points[row].standbys).arg(curve.points[row].trains * 100, 0, 'f', 1);
    setAccessibleName(words.join(QStringLiteral(", ")));
    setFixedHeight(sizeHint().height());
    update();
}

QSize UseBars::sizeHint() const { return {460, static_cast<int>(barHead + barRow * static_cast<double>(m_rows.size()) + barLegend + 12)}; }

void UseBars::paintEvent(QPaintEvent*) {
    if (m_rows.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF room(rect());
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const double left = 12, right = width() - 12.0, bar = left + 92, token = right - 84, money = token - 96, barEnd = money - 8;
    paintWords(painter, QRectF(left, 4, 240, 22), Qt::AlignLeft, tr("Use of GPU time"), m_tokens.text, TextRole::BodyBold);
    if (m_curve.cost)
        paintWords(painter, QRectF(money - 70, 4, 150, 22), Qt::AlignRight,
                   tr("Lost, of %1%2").arg(m_curve.isAtLeast ? QStringLiteral("≥ ") : QString(), text(formatMoney(*m_curve.cost))),
                   m_tokens.text2, TextRole::Caption);
    paintWords(painter, QRectF(token - 10, 4, right - token + 10, 22), Qt::AlignRight, tr("Cost per token"), m_tokens.text2,
               TextRole::Caption);
    double y = barHead;
    for (const std::size_t row : m_rows) {
        const StandbyPoint& point = m_curve.points[row];
        const bool isBest = row == m_curve.best;
        if (isBest) painter.fillRect(QRectF(4, y, width() - 8, barRow), m_tokens.selectFill);
        paintWords(painter, QRectF(left, y, 90, barRow), Qt::AlignLeft,
                   railyard::counted(point.standbys, tr("%1 standby"), tr("%1 standbys")), m_tokens.text,
                   isBest ? TextRole::BodyBold : TextRole::Body);
        double x = bar;
        const double width = barEnd - bar;
        for (const auto& [share, color] : {std::pair(point.trains, m_tokens.accent),
                                           {point.overhead, m_tokens.neutral},
                                           {point.waits, m_tokens.danger},
                                           {point.idle, m_tokens.well}}) {
            painter.fillRect(QRectF(x, y + 7, width * share, barRow - 14), color);
            x += width * share;
        }
        painter.setPen(QPen(m_tokens.controlBorder, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(bar, y + 7, width, barRow - 14));
        if (point.trains > 0.2)
            paintWords(painter, QRectF(bar + 6, y, 90, barRow), Qt::AlignLeft, tr("%1 %").arg(point.trains * 100, 0, 'f', 1),
                       m_tokens.onAccent, TextRole::BodyBold);
        if (point.lost) paintWords(painter, QRectF(money, y, 80, barRow), Qt::AlignRight, text(formatMoney(*point.lost)), m_tokens.text);
        const double more = m_curve.moreForToken(row);
        const QString cost = isBest ? tr("least") : std::isfinite(more) && more < 10 ? text(formatPercent(more)) : tr("× 10 and more");
        paintWords(painter, QRectF(token - 6, y, right - token + 6, barRow), Qt::AlignRight, cost, isBest ? m_tokens.ok : m_tokens.danger,
                   TextRole::BodyBold);
        y += barRow;
    }
    double x = left;
    const auto legend = [&](const QString& said, const QColor& color) {
        painter.setPen(QPen(m_tokens.controlBorder, 1));
        painter.setBrush(color);
        painter.drawRect(QRectF(x, y + 8, 10, 10));
        paintWords(painter, QRectF(x + 15, y, 200, barLegend), Qt::AlignLeft, said, m_tokens.text2, TextRole::Caption);
        x += 15 + QFontMetricsF(fontFor(TextRole::Caption)).horizontalAdvance(said) + 14;
    };
    legend(tr("trains"), m_tokens.accent);
    legend(tr("checkpoints, restarts"), m_tokens.neutral);
    legend(tr("waits for repair"), m_tokens.danger);
    legend(tr("idle standby"), m_tokens.well);
}

} // namespace railyard
