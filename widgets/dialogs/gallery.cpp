#include "widgets/dialogs/gallery.h"

#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/theme/plain_text.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace railyard {

Gallery::Gallery(const std::vector<std::pair<QString, QPixmap>>& entries, QWidget* parent) : QFrame(parent) {
    setProperty("card", true);
    setObjectName(QStringLiteral("gallery"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 18);
    layout->setSpacing(12);
    auto* title = plainLabel(tr("Drag a server here, or start from a sample."));
    title->setFont(fontFor(TextRole::ObjectName));
    layout->addWidget(title);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    int index = 0;
    for (const auto& [name, picture] : entries) {
        auto* button = new QToolButton;
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIcon(QIcon(picture));
        button->setIconSize(picture.size() / picture.devicePixelRatio());
        button->setText(name);
        button->setAccessibleName(tr("Open sample %1").arg(name));
        connect(button, &QToolButton::clicked, this, [this, index] { emit chosen(index); });
        row->addWidget(button);
        ++index;
    }
    layout->addLayout(row);
    auto* fresh = new QPushButton(tr("New fabric…"));
    fresh->setProperty("primary", true);
    connect(fresh, &QPushButton::clicked, this, &Gallery::newFabricAsked);
    layout->addWidget(fresh, 0, Qt::AlignLeft);
}

QPixmap thumbnailOf(const Fabric& fabric, const Tokens& tokens, QSize size) {
    QPixmap picture(size);
    QPainter painter(&picture);
    const Scene scene = buildScene(fabric, Detail::Folded);
    const QRectF page(QPointF(0, 0), QSizeF(size));
    ScenePainter(scene, fabric, tokens, ViewState::fitting(scene.bounds, page.adjusted(4, 4, -4, -4)), page).paint(painter);
    return picture;
}

} // namespace railyard
