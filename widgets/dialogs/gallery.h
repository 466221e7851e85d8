// Shown on an empty drawing: the samples as thumbnails, and a button for a new fabric.
#pragma once

#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <QImage>
#include <vector>

class QToolButton;

namespace railyard {

class Gallery : public QFrame {
    Q_OBJECT

public:
    // The pictures are drawn in the background.
    Gallery(const std::vector<DesignPointer>& samples, const Tokens& tokens, QWidget* parent);

signals:
    void chosen(int entry);
    void newFabricAsked();

private:
    std::vector<QToolButton*> m_buttons;
    LatestTask<std::vector<QImage>> m_pictures;
};

// In any thread.
QImage thumbnailOf(const Fabric& fabric, const Tokens& tokens, QSize size);

} // namespace railyard
