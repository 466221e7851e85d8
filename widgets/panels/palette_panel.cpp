#include "widgets/panels/palette_panel.h"

#include "widgets/canvas/canvas.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/theme/plain_text.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace railyard {

namespace {
QIcon iconOf(const std::string& name, const QColor& color) {
    if (name.starts_with("callout-")) return calloutIcon(name.substr(8), color);
    const auto item = paletteItemFrom(name);
    if (!item) return shapeIcon(Shape::Group, color);
    switch (*item) {
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

PaletteButton::PaletteButton(std::string name, const QString& text, QWidget* parent) : QToolButton(parent), m_name(std::move(name)) {
    setText(text);
    setObjectName(QStringLiteral("palette-") + QString::fromStdString(m_name));
    setAccessibleName(tr("Add %1").arg(text));
    setToolTipOf(*this, tr("%1. Drag onto the drawing, or press Enter.").arg(text));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(22, 22));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // fills the width of the panel
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
    mime->setData(QLatin1String(paletteMimeType), QByteArray::fromStdString(m_name));
    drag->setMimeData(mime);
    drag->setPixmap(icon().pixmap(24, 24));
    drag->exec(Qt::CopyAction);
}

void PaletteButton::mouseReleaseEvent(QMouseEvent*) {}

void PaletteButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit added(m_name);
    else
        QToolButton::keyPressEvent(event);
}

namespace {
QLabel* headingOf(const QString& text) {
    auto* label = plainLabel(text);
    label->setProperty("dim", true);
    label->setContentsMargins(0, 4, 0, 0);
    return label;
}
} // namespace

PalettePanel::PalettePanel(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()), m_templateBox(new QWidget) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    const auto heading = [&](const QString& text) { layout->addWidget(headingOf(text)); };
    const auto item = [&](const char* name, const QString& text) { layout->addWidget(makeButton(name, text)); };
    heading(tr("Compute"));
    item("server", tr("Server"));
    item("hb-domain", tr("HB domain"));
    item("rail", tr("Rail"));
    heading(tr("Switches"));
    item("leaf", tr("Leaf"));
    item("spine", tr("Spine"));
    item("superspine", tr("Superspine"));
    heading(tr("Groups"));
    item("pod", tr("Pod"));
    item("plane", tr("Plane"));
    heading(tr("Callouts"));
    auto* row = m_callouts = new QHBoxLayout;
    row->setSpacing(4);
    for (const auto& [name, words] : {std::pair("callout-text", tr("Text")), std::pair("callout-arrow", tr("Arrow to an element")),
                                      std::pair("callout-bracket", tr("Bracket over elements")), std::pair("callout-legend", tr("Legend")),
                                      std::pair("callout-logo", tr("Logo"))}) {
        PaletteButton* button = makeButton(name, words);
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setProperty("flat", true);
        setToolTipOf(*button, tr("%1. Drag onto an element, or press Enter to attach it to the selection.").arg(words));
        row->addWidget(button);
    }
    layout->addLayout(row);
    layout->addWidget(m_templateBox);
    layout->addStretch();
    auto* hint = plainLabel(tr("Drag onto the drawing, or press Enter to add at the centre."));
    hint->setObjectName(QStringLiteral("palette-hint"));
    hint->setWordWrap(true);
    hint->setProperty("dim", true);
    layout->addWidget(hint);
}

PaletteButton* PalettePanel::makeButton(const std::string& name, const QString& text) {
    auto* button = new PaletteButton(name, text);
    connect(button, &PaletteButton::added, this, &PalettePanel::added);
    connect(button, &QToolButton::clicked, this, [this, name] { emit added(name); }); // sent when a screen reader presses the button
    button->setIcon(iconOf(name, m_tokens.text2));
    return button;
}

// Groups of this design come first, then the SUs of published systems.
void PalettePanel::setTemplates(const std::vector<Template>& templates) {
    if (templates == m_templates) return;
    m_templates = templates;
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    for (const bool own : {true, false}) {
        bool first = true;
        for (const Template& each : templates) {
            if ((each.name == each.words) != own) continue;
            if (std::exchange(first, false)) column->addWidget(headingOf(own ? tr("Groups of this design") : tr("Published SUs")));
            const QString words = QString::fromStdString(each.words);
            auto* button = makeButton(each.name, words);
            setToolTipOf(*button, own ? tr("Adds a copy of this group. Drag it, or press Enter.")
                                      : tr("Adds one SU of %1 with its servers cabled to its leaves. Drag it, or press Enter.").arg(words));
            column->addWidget(button);
        }
    }
    layout()->replaceWidget(m_templateBox, box);
    m_templateBox->hide();
    m_templateBox->deleteLater(); // deleted later, because one of its buttons may be handling a click
    m_templateBox = box;
    box->setVisible(!m_isCompact);
}

void PalettePanel::setCompact(bool on) {
    if (std::exchange(m_isCompact, on) == on) return;
    for (QLabel* label : findChildren<QLabel*>()) label->setVisible(!on);
    for (PaletteButton* button : findChildren<PaletteButton*>())
        if (!button->name().starts_with("callout-")) button->setToolButtonStyle(on ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    m_callouts->setDirection(on ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_templateBox->setVisible(!on); // their icons are all the same
}

void PalettePanel::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    for (PaletteButton* button : findChildren<PaletteButton*>()) button->setIcon(iconOf(button->name(), tokens.text2));
}

} // namespace railyard
