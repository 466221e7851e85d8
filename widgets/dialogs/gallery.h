// Shown on an empty drawing: the samples as thumbnails, and a button for a new fabric.
#pragma once

#include "core/fabric/fabric.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <QPixmap>
#include <vector>

namespace railyard {

class Gallery : public QFrame {
    Q_OBJECT

public:
    Gallery(const std::vector<std::pair<QString, QPixmap>>& entries, QWidget* parent);

signals:
    void chosen(int entry);
    void newFabricAsked();
};

QPixmap thumbnailOf(const Fabric& fabric, const Tokens& tokens, QSize size);

} // namespace railyard
