#include "widgets/floor/floor_plan_widget.h"

#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"
#include "widgets/theme/plain_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace railyard {

FloorPlanWidget::FloorPlanWidget(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_effects([this] { return [tried = m_tried] { return instantMetrics(*elaborate(tried)); }; },
                [this](const InstantMetrics& after) { sayEffect(after); }) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Floor plan"));
    setMinimumSize(360, 240);
    connect(&document, &Document::changed, this, [this] { update(); });
}

void FloorPlanWidget::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    update();
}

FloorPicture FloorPlanWidget::picture() const { return {m_document.now().floor(), QRectF(rect())}; }

std::uint32_t FloorPlanWidget::selected() const {
    const auto& racks = m_document.now().floor().racks;
    for (std::uint32_t r = 0; r < racks.size(); ++r)
        if (racks[r].name == m_selected) return r;
    return none;
}

void FloorPlanWidget::select(const std::string& rack) {
    m_selected = rack;
    update();
    emit selectionChanged();
}

Result<Edit> FloorPlanWidget::moveTo(RackSpot spot) const {
    const Snapshot& now = m_document.now();
    const std::uint32_t rack = selected();
    if (rack == none) return Error::unbuildable("No rack is selected.");
    std::map<std::string, RackSpot> spots{{m_selected, spot}};
    const std::uint32_t there = picture().rackOn(spot);
    if (there != none && there != rack) spots[now.floor().racks[there].name] = now.floor().racks[rack].spot;
    return moveRacks(*now.design, spots);
}

// Says at once where the rack goes, and what that changes as soon as a worker has computed it.
void FloorPlanWidget::preview(RackSpot spot) {
    const Snapshot& now = m_document.now();
    m_ghost = spot;
    update();
    const std::uint32_t there = picture().rackOn(spot);
    m_said = there != none && there != selected()
                 ? tr("Swap with %1").arg(QString::fromStdString(now.floor().racks[there].label))
                 : tr("Move %1 to row %2, position %3").arg(QString::fromStdString(m_selected)).arg(spot.row).arg(spot.position);
    emit said(m_said);
    m_effects.drop();
    const auto edit = moveTo(spot);
    if (!edit || !now.instant.floor) return;
    m_tried = edit->design;
    m_effects.ask();
}

void FloorPlanWidget::sayEffect(const InstantMetrics& after) {
    const InstantMetrics& now = m_document.now().instant;
    if (!m_ghost || !now.floor || !after.floor) return;
    const double metres = after.floor->cable.value() - now.floor->cable.value();
    const auto dollars = differenceOf(now.bill, after.bill, &Bill::total);
    QString words =
        m_said + tr(": %1%2 m of cable").arg(metres >= 0 ? QStringLiteral("+") : QStringLiteral("−")).arg(std::abs(metres), 0, 'f', 0);
    if (dollars && dollars->inCents() != 0)
        words += tr(", %1%2").arg(dollars->inCents() > 0 ? QStringLiteral("+") : QString(), QString::fromStdString(formatMoney(*dollars)));
    emit said(words);
}

void FloorPlanWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_tokens.canvas);
    const Snapshot& now = m_document.now();
    if (!now.floor().isPlaced()) return;
    const FloorPicture hall = picture();
    hall.paint(painter, m_tokens, selected());
    if (m_ghost && selected() != none) hall.paintGhost(painter, m_tokens, selected(), *m_ghost);
    if (hasFocus() && selected() == none) {
        painter.setPen(QPen(m_tokens.focus, 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void FloorPlanWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const std::uint32_t rack = picture().rackAt(event->position());
    m_pressed = event->position();
    m_dragging = false;
    select(rack == none ? std::string() : m_document.now().floor().racks[rack].name);
}

void FloorPlanWidget::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) {
        const std::uint32_t rack = picture().rackAt(event->position());
        const auto& racks = m_document.now().floor().racks;
        setToolTipOf(*this, rack == none ? QString()
                                         : QStringLiteral("%1 · %2 · %3")
                                               .arg(QString::fromStdString(racks[rack].label), QString::fromStdString(racks[rack].name),
                                                    contentOf(racks[rack])));
        return;
    }
    if (selected() == none) return;
    m_dragging = m_dragging || (event->position() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    const auto spot = m_dragging ? picture().spotAt(event->position()) : std::nullopt;
    if (spot && spot != m_ghost) preview(*spot);
    if (m_dragging && !spot) m_ghost.reset(), update(), emit said(tr("Outside the hall. Release to leave the rack where it is."));
}

void FloorPlanWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto spot = std::exchange(m_ghost, std::nullopt);
    emit said({});
    update();
    if (!std::exchange(m_dragging, false) || !spot || selected() == none || m_document.now().floor().racks[selected()].spot == *spot)
        return;
    QString reason;
    if (!m_document.apply(moveTo(*spot), &reason)) emit refused(reason);
}

// Arrow keys select the next rack; Ctrl+arrow moves the selected rack.
void FloorPlanWidget::step(int rows, int positions, bool move) {
    const Floor& floor = m_document.now().floor();
    if (!floor.isPlaced()) return;
    if (selected() == none) return select(floor.racks.front().name);
    RackSpot spot = floor.racks[selected()].spot;
    if (move) {
        QString reason;
        if (!m_document.apply(moveTo({spot.row + rows, spot.position + positions}), &reason)) emit refused(reason);
        return;
    }
    const FloorPicture hall = picture();
    const int last = static_cast<int>(floor.width / floor.rackPitch + 0.5);
    for (;;) {
        spot = {spot.row + rows, spot.position + positions};
        if (spot.row < 1 || spot.position < 1 || spot.row > floor.rows || spot.position > last) return;
        if (const std::uint32_t rack = hall.rackOn(spot); rack != none) return select(floor.racks[rack].name);
    }
}

void FloorPlanWidget::keyPressEvent(QKeyEvent* event) {
    const bool move = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left: return step(0, -1, move);
    case Qt::Key_Right: return step(0, 1, move);
    case Qt::Key_Up: return step(-1, 0, move);
    case Qt::Key_Down: return step(1, 0, move);
    case Qt::Key_Escape: m_ghost.reset(), m_dragging = false, emit said({}); return select({});
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace railyard
