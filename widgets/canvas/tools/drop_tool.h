#pragma once

#include "core/analysis/spine_options.h"
#include "widgets/canvas/overlays/ladder.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/canvas/preview/scene_changes.h"
#include "widgets/canvas/tools/callout_placing.h"

#include <QTimer>
#include <chrono>
#include <optional>

namespace railyard {

// How far a drop reaches: as the recipe counts, a spine to any count and other switches unconnected (Shift or Alt), or one switch (Ctrl).
enum class DropReach { Recipe, AnyCount, One };

// An item of the palette over the canvas: what its drop would do, and the drop.
class DropTool : public CanvasPart {
public:
    DropTool(Viewport& port, CalloutPlacing& callouts);

    static constexpr std::chrono::milliseconds restTime{300};

    void show(const QByteArray& item, QPointF at, DropReach reach);
    void leave();
    Point placeFor(const std::string& name, QPointF at) const; // the nearest free place, in world units
    void drop(const std::string& item, QPointF at, DropReach reach);
    void cancel(); // a new scene
    void paint(QPainter& painter) override;

private:
    Result<Edit> editAt(const std::string& name, QPointF at) const;
    static std::optional<int> spinesOnRung(const Design& own, int further, bool isFewer); // further: negative for fewer
    bool isOnUnit(QPointF at) const;                                                      // on the card of an SU, or on its leaves
    QStringList spineWords(const Design& before, const Design& after) const;
    void announce();
    std::vector<LadderReach> reaches() const;
    int chosenSpines() const; // of the edit that is tried; 0 if it sets none

    CalloutPlacing& m_callouts;
    EditPreview m_preview;
    QByteArray m_item; // empty outside of a drag
    QPointF m_at;
    std::optional<QPointF> m_rested; // where the pointer first stood still: from there it chooses a count
    QTimer m_rest;
    std::optional<Result<Edit>> m_tried; // what the preview shows, and the drop does
    DropReach m_reach = DropReach::Recipe;
    LatestTask<SceneChanges> m_comparing; // the drawing with what would be built
    SceneChanges m_changes;
    struct Measured {
        std::vector<SpineOption> options;
        std::optional<LoneSpine> lone;
    };
    LatestTask<Measured> m_measuring; // the spine counts, once for a design
    Measured m_ladder;
    bool m_areOptionsAsked = false;
    int m_chosenSpines = 0;
};

} // namespace railyard
