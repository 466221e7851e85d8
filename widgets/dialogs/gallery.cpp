#include "widgets/dialogs/gallery.h"

#include "core/fabric/elaborate.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/theme/plain_text.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace railyard {

static constexpr QSize pictureSize{170, 120};

Gallery::Gallery(const std::vector<DesignPointer>& samples, const Tokens& tokens, QWidget* parent)
    : QFrame(parent),
      m_pictures(
          [samples, tokens] {
              return [samples, tokens] {
                  std::vector<QImage> pictures;
                  for (const DesignPointer& sample : samples) pictures.push_back(thumbnailOf(*elaborate(sample), tokens, pictureSize));
                  return pictures;
              };
          },
          [this](const std::vector<QImage>& pictures) {
              for (std::size_t i = 0; i < pictures.size(); ++i) m_buttons[i]->setIcon(QIcon(QPixmap::fromImage(pictures[i])));
          }) {
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
    for (const DesignPointer& sample : samples) {
        const QString name = QString::fromStdString(sample->name);
        auto* button = new QToolButton;
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        QPixmap blank(pictureSize); // keeps the room of the picture
        blank.fill(tokens.canvas);
        button->setIcon(QIcon(blank));
        button->setIconSize(pictureSize);
        button->setText(name);
        button->setAccessibleName(tr("Open sample %1").arg(name));
        connect(button, &QToolButton::clicked, this, [this, index] { emit chosen(index); });
        row->addWidget(button);
        m_buttons.push_back(button);
        ++index;
    }
    layout->addLayout(row);
    auto* fresh = new QPushButton(tr("New fabric…"));
    fresh->setProperty("primary", true);
    connect(fresh, &QPushButton::clicked, this, &Gallery::newFabricAsked);
    layout->addWidget(fresh, 0, Qt::AlignLeft);
    m_pictures.ask();
}

QImage thumbnailOf(const Fabric& fabric, const Tokens& tokens, QSize size) {
    QImage picture(size, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&picture);
    const Scene scene = buildScene(fabric, Detail::Folded);
    const QRectF page(QPointF(0, 0), QSizeF(size));
    ScenePainter(scene, fabric, tokens, ViewState::fitting(scene.bounds, page.adjusted(4, 4, -4, -4)), page).paint(painter);
    return picture;
}

} // namespace railyard
