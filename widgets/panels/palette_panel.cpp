#include "widgets/panels/palette_panel.h"

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/shapes.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace railyard {

namespace {
QIcon iconOf(PaletteItem item, const QColor& color) {
    switch (item) {
    case PaletteItem::Rail: return railIcon(color);
    case PaletteItem::Pod: return podIcon(color);
    case PaletteItem::Plane: return planeIcon(color);
    case PaletteItem::HbDomain: return shapeIcon(Shape::HbDomain, color);
    case PaletteItem::Leaf: return shapeIcon(Shape::Leaf, color);
    case PaletteItem::Spine: return shapeIcon(Shape::Spine, color);
    case PaletteItem::Superspine: return shapeIcon(Shape::Superspine, color);
    case PaletteItem::Server: break;
    }
    return shapeIcon(Shape::Server, color);
}
} // namespace

PaletteButton::PaletteButton(PaletteItem item, const QString& text, QWidget* parent) : QToolButton(parent), m_item(item) {
    setText(text);
    setObjectName(QStringLiteral("palette-") + QString::fromStdString(std::string(toText(item))));
    setAccessibleName(tr("Add %1").arg(text));
    setToolTip(tr("Drag onto the drawing, or press Enter"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(22, 22));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMinimumHeight(32);
}

void PaletteButton::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->pos();
    m_dragging = false;
    setFocus();
}

void PaletteButton::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || m_dragging ||
        (event->pos() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    m_dragging = true;
    auto* drag = new QDrag(this);
    auto* mime = new QMimeData;
    const std::string_view name = toText(m_item);
    mime->setData(QLatin1String(paletteMimeType), QByteArray(name.data(), static_cast<qsizetype>(name.size())));
    drag->setMimeData(mime);
    drag->setPixmap(icon().pixmap(24, 24));
    drag->exec(Qt::CopyAction);
}

void PaletteButton::mouseReleaseEvent(QMouseEvent*) {}

void PaletteButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit added(m_item);
    else
        QToolButton::keyPressEvent(event);
}

PalettePanel::PalettePanel(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    const auto heading = [&](const QString& text) {
        auto* label = new QLabel(text);
        label->setProperty("dim", true);
        layout->addSpacing(4);
        layout->addWidget(label);
    };
    const auto add = [&](PaletteItem item, const QString& text) {
        auto* button = new PaletteButton(item, text);
        connect(button, &PaletteButton::added, this, &PalettePanel::added);
        connect(button, &QToolButton::clicked, this, [this, item] { emit added(item); }); // a screen reader's press
        m_buttons.push_back(button);
        layout->addWidget(button);
    };
    heading(tr("Compute"));
    add(PaletteItem::Server, tr("Server"));
    add(PaletteItem::HbDomain, tr("HB domain"));
    add(PaletteItem::Rail, tr("Rail"));
    heading(tr("Switches"));
    add(PaletteItem::Leaf, tr("Leaf"));
    add(PaletteItem::Spine, tr("Spine"));
    add(PaletteItem::Superspine, tr("Superspine"));
    heading(tr("Groups"));
    add(PaletteItem::Pod, tr("Pod"));
    add(PaletteItem::Plane, tr("Plane"));
    layout->addStretch();
    auto* hint = new QLabel(tr("Drag onto the drawing, or Enter to add at the centre"));
    hint->setWordWrap(true);
    hint->setProperty("dim", true);
    layout->addWidget(hint);
    setTokens(lightTokens());
}

void PalettePanel::setTokens(const Tokens& tokens) {
    for (PaletteButton* button : m_buttons) button->setIcon(iconOf(button->item(), tokens.text2));
}

} // namespace railyard
