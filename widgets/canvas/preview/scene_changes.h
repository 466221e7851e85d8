// What an edit would change in the drawing: where elements would come or go, and how many.
#pragma once

#include "widgets/canvas/scene/scene.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <vector>

namespace railyard {

struct ViewState;

struct SceneChange {
    QRectF frame;         // in world units; of the tier bar or SU card as drawn now, or of an SU that would come
    std::int64_t by = 0;  // elements that would come, or go if negative
    bool isGhost = false; // the whole frame would come
};

struct SceneGhost { // an element that would come, at its final place where that is free now, or one that would go
    QRectF rect;    // in world units
    Shape shape = Shape::Server;
    bool isLoss = false;
};

struct SceneChanges {
    std::vector<SceneChange> counts;
    std::vector<SceneGhost> ghosts; // at most a few thousand
    bool isEmpty() const { return counts.empty() && ghosts.empty(); }
};

// Elements are the same if they have the same path in both fabrics, whether they are drawn or inside a fold. Those of a kind whose paths
// change, as where a tier is added, are matched in order: what is left over comes or goes.
SceneChanges changesBetween(const Scene& before, const Fabric& now, Scene after, const Fabric& then);
void paintChanges(QPainter& painter, const SceneChanges& changes, const Tokens& tokens, const ViewState& view);

} // namespace railyard
