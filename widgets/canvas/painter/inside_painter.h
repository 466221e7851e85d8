// Draws the contents of a server or an HB domain into its place on the drawing, and what has failed of them.
#pragma once

#include "core/failure/removal.h"
#include "widgets/canvas/painter/server_inside.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/theme/tokens.h"

#include <QPainter>

namespace railyard {

// The NICs along the upper edge of a server that is drawn in this box, in px.
struct PipRow {
    int count = 0;
    double first = 0, pitch = 0; // centre of the first one, and from one to the next
    double width = 0, height = 0;
    double centreOf(int nic) const { return first + nic * pitch; } // from 0
};
PipRow pipsOf(const SceneNode& node, const QRectF& box, int nicsPerServer);
// The part of this box that shows the inside; empty if the box is too small for it.
QRectF insideRoom(const SceneNode& node, const QRectF& box, int nicsPerServer);

// Draws it into this part of a server, in px. NICs in the colours of their rails; `rails` of the design.
void paintInside(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room, const Tokens& tokens,
                 int rails);
// Over what paintInside() drew: crosses over the devices that have failed, dashes along the links that have.
void paintFailedInside(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room,
                       const Tokens& tokens, const Removal& removal);

} // namespace railyard
