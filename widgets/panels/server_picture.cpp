#include "widgets/panels/server_picture.h"

#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QString words(const char* text) { return QCoreApplication::translate("railyard::ServerPicture", text); }

constexpr double farHeight = 14, boxHeight = 20, gap = 22, barHeight = 18, edge = 8; // px
constexpr double rowHeight = 15, titleHeight = 16, nameWidth = 46;
constexpr std::size_t mostSwitches = 36, mostGpus = 16;

void say(QPainter& painter, const QRectF& box, const QString& said, const QColor& color, bool bold = false,
         Qt::Alignment at = Qt::AlignCenter) {
    QFont font = fontFor(TextRole::Caption);
    font.setBold(bold);
    painter.setFont(font);
    if (QFontMetricsF(font).horizontalAdvance(said) > box.width() + 1) return;
    painter.setPen(color);
    painter.drawText(box, at, said);
}

} // namespace

ServerPicture::ServerPicture(std::shared_ptr<const ServerFacts> facts, const Tokens& tokens, int rails, QWidget* parent)
    : QWidget(parent),
      m_facts(std::move(facts)),
      m_tokens(tokens),
      m_rails(rails) {
    setObjectName(QStringLiteral("server-picture"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(words("%1 GPUs and %2 NICs").arg(m_facts->gpus.size()).arg(m_facts->nics.size()));
}

QSize ServerPicture::sizeHint() const {
    const double bar = m_facts->hbOfGpu.value() > 0 ? gap + barHeight : 0;
    return {280, static_cast<int>(std::ceil(farHeight + boxHeight + gap + boxHeight + bar + 2 * edge))};
}

double ServerPicture::middleOf(std::size_t item, std::size_t count, const QRectF& room) {
    return room.left() + room.width() * (static_cast<double>(item) + 0.5) / static_cast<double>(std::max<std::size_t>(1, count));
}

// A NIC with several cables says where the first leads; the table has them all.
void ServerPicture::paintNics(QPainter& painter, const QRectF& room, double y) {
    const std::size_t count = m_facts->nics.size();
    const double pitch = room.width() / static_cast<double>(std::max<std::size_t>(1, count)), width = std::min(pitch * 0.8, 64.0);
    for (std::size_t n = 0; n < count; ++n) {
        const auto row = std::find_if(m_facts->rows.begin(), m_facts->rows.end(), [&](const auto& each) { return each.nic == n; });
        const QColor color = row->rail > 0 ? m_tokens.rail(row->rail, m_rails) : m_tokens.neutral;
        const double x = middleOf(n, count, room);
        say(painter, QRectF(x - pitch / 2, y, pitch, farHeight), row->farEnd, m_tokens.text);
        const QRectF box(x - width / 2, y + farHeight, width, boxHeight);
        painter.setPen(row->farEnd.isEmpty() ? QPen(m_tokens.neutral, 1, Qt::DashLine) : QPen(Qt::NoPen));
        painter.setBrush(row->farEnd.isEmpty() ? m_tokens.card : color);
        painter.drawRoundedRect(box, 3, 3);
        const QString number = QString::number(m_facts->nics[n]);
        say(painter, box, width > 40 ? words("NIC %1").arg(number) : number, row->farEnd.isEmpty() ? m_tokens.text2 : inkOn(color), true);
    }
}

void ServerPicture::paintGpus(QPainter& painter, const QRectF& room, double y) {
    const std::size_t count = m_facts->gpus.size(), nics = m_facts->nics.size();
    const double pitch = room.width() / static_cast<double>(std::max<std::size_t>(1, count)), width = std::min(pitch * 0.8, 60.0);
    painter.setPen(QPen(m_tokens.neutral, 1));
    for (std::size_t g = 0; g < count; ++g)
        for (const std::size_t nic : m_facts->nicsOf[g])
            painter.drawLine(QPointF(middleOf(nic, nics, room), y - gap), QPointF(middleOf(g, count, room), y));
    QPen hb(m_tokens.neutral, 1.2, Qt::CustomDashLine);
    hb.setDashPattern({1, 2});
    for (std::size_t g = 0; g < count; ++g) {
        const double x = middleOf(g, count, room);
        if (m_facts->hbOfGpu.value() > 0) {
            painter.setPen(hb);
            painter.drawLine(QPointF(x, y + boxHeight), QPointF(x, y + boxHeight + gap));
        }
        const QRectF box(x - width / 2, y, width, boxHeight);
        painter.setPen(QPen(m_tokens.neutral, 1.2));
        painter.setBrush(m_tokens.neutralFill);
        painter.drawRoundedRect(box, 2, 2);
        const QString number = QString::number(m_facts->gpus[g]);
        say(painter, box, width > 40 ? words("GPU %1").arg(number) : number, m_tokens.text, true);
    }
    if (m_facts->hbOfGpu.value() <= 0) return;
    const QRectF bar(room.left() + 4, y + boxHeight + gap, room.width() - 8, barHeight);
    painter.setPen(QPen(m_tokens.neutral, 1));
    painter.setBrush(m_tokens.well);
    painter.drawRoundedRect(bar, 3, 3);
    const auto links = std::lround(m_facts->hbOfGpu.value() / std::max(1.0, m_facts->hbLink.value()));
    say(painter, bar,
        words("HB: %1 from each GPU, %2 GB/s one-way")
            .arg(counted(links, words("%1 link"), words("%1 links")))
            .arg(inGbytesPerSecond(m_facts->hbOfGpu), 0, 'g', 4),
        m_tokens.text, true);
}

void ServerPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame(0.5, farHeight + boxHeight / 2, width() - 1.0, height() - farHeight - boxHeight / 2 - 1);
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(frame, 5, 5);
    const QRectF room(6, 0, width() - 12, height());
    paintNics(painter, room, 0);
    paintGpus(painter, room, farHeight + boxHeight + gap);
}

HbLinkSquares::HbLinkSquares(std::shared_ptr<const ServerFacts> facts, const Tokens& tokens, QWidget* parent)
    : QWidget(parent),
      m_facts(std::move(facts)),
      m_tokens(tokens) {
    setObjectName(QStringLiteral("hb-link-squares"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(words("Links of %1 GPUs to %2 HB switches").arg(m_facts->gpus.size()).arg(m_facts->hbSwitches.size()));
}

bool HbLinkSquares::fits(const ServerFacts& facts) {
    return !facts.hbLinks.empty() && facts.gpus.size() <= mostGpus && facts.hbSwitches.size() <= mostSwitches;
}

QSize HbLinkSquares::sizeHint() const {
    return {280, static_cast<int>(titleHeight + rowHeight * static_cast<double>(m_facts->gpus.size()))};
}

void HbLinkSquares::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto perTray = static_cast<std::size_t>(std::max(1, m_facts->hbSwitchesPerTray));
    const std::size_t switches = m_facts->hbSwitches.size(), trays = (switches + perTray - 1) / perTray;
    const double tray = (width() - nameWidth) / static_cast<double>(trays),
                 pitch = std::min(tray * 0.9 / static_cast<double>(perTray), 22.0);
    const double side = std::min(pitch - 3.5, 11.0);
    const auto leftOf = [&](std::size_t at) {
        return nameWidth + tray * static_cast<double>(at) + (tray - pitch * static_cast<double>(perTray)) / 2;
    };
    for (std::size_t t = 0; t < trays; ++t) {
        const QRectF column(leftOf(t), titleHeight, pitch * static_cast<double>(perTray), height() - titleHeight);
        if (t % 2 == 0) painter.fillRect(column, m_tokens.well);
        const int number = m_facts->hbSwitchesPerTray > 0 ? static_cast<int>(t) + 1 : m_facts->hbSwitches[t];
        say(painter, QRectF(column.left() - 4, 0, column.width() + 8, titleHeight), QString::number(number), m_tokens.text2);
    }
    say(painter, QRectF(0, 0, nameWidth, titleHeight), m_facts->hbSwitchesPerTray > 0 ? words("Tray") : words("Switch"), m_tokens.text2,
        false, Qt::AlignLeft | Qt::AlignVCenter);
    for (std::size_t g = 0; g < m_facts->gpus.size(); ++g) {
        const double y = titleHeight + rowHeight * static_cast<double>(g);
        say(painter, QRectF(0, y, nameWidth, rowHeight), words("GPU %1").arg(m_facts->gpus[g]), m_tokens.text, false,
            Qt::AlignLeft | Qt::AlignVCenter);
        for (std::size_t s = 0; s < switches; ++s) {
            const int links = m_facts->hbLinks[g][s];
            const double x = leftOf(s / perTray) + pitch * static_cast<double>(s % perTray) + (pitch - side) / 2;
            const QRectF square(x, y + (rowHeight - side) / 2, side, side);
            painter.setPen(QPen(m_tokens.neutral, 1));
            painter.setBrush(links > 0 ? m_tokens.neutral : m_tokens.card);
            painter.drawRect(square);
            if (links > 1) say(painter, square.adjusted(-3, -2, 3, 2), QString::number(links), inkOn(m_tokens.neutral), true);
        }
    }
}

} // namespace railyard
