// The table of spine counts beside the pointer of a drag.
#pragma once

#include "core/analysis/spine_options.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <QStringList>

namespace railyard {

struct LadderReach { // how far the drop reaches, and what that adds
    QString words;
    std::int64_t switches = 0;
    std::optional<Money> networkCost; // empty where it cannot be compared
    bool isChosen = false;
};

struct Ladder {
    QString title;
    std::vector<SpineOption> options;
    int chosen = 0; // the spine count that a drop would set; its row is marked. 0: none of them
    QStringList notes;
    std::vector<LadderReach> reaches; // segments below the rows
};

// Stays inside `area`, on the side of the pointer that has more room.
void paintLadder(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const Ladder& ladder);

} // namespace railyard
