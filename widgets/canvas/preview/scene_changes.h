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

std::vector<SceneChange> changesBetween(const Scene& before, const Scene& after);
void paintChanges(QPainter& painter, const std::vector<SceneChange>& changes, const Tokens& tokens, const ViewState& view);

} // namespace railyard
