// The context menu of a bundle or lane of the drawing: what it connects, and its rail.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <QMenu>

namespace railyard {

class BundleMenu : public QMenu {
    Q_OBJECT

public:
    // Deletes itself when it closes.
    BundleMenu(const Fabric& fabric, const SceneBundle& bundle, int highlightedRail, bool isFailing, QWidget* parent);

signals:
    void selectAsked(const std::vector<std::string>& paths);
    void highlightAsked(int rail); // 0: none
    void failAsked(const std::string& selector);

private:
    void addSelection(const QString& words, std::vector<std::string> paths);
};

} // namespace railyard
