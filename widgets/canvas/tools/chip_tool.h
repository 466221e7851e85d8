#pragma once

#include "core/design/edits/edit_tiers.h"
#include "core/design/recipes/recipe.h"
#include "widgets/canvas/tools/tool.h"
#include "widgets/document/latest_task.h"

#include <QMenu>
#include <QPointer>

namespace railyard {

// Chips below the tier names. A click on either end, or the wheel, changes the count of the tier. A click on either end takes the next part
// of the same protocol; a click on its name, or the wheel, lists all parts that fit with what they change, and nothing happens before one
// is chosen.
class ChipTool : public Tool {
public:
    ChipTool(Viewport& port, QWidget& menuParent);

    bool press(const Press& press) override;
    bool wheel(const QWheelEvent& event) override;
    std::optional<Control> controlAt(QPointF at) const override;
    void paint(QPainter& painter) override;

    void wait() { m_listing.wait(); } // for tests

private:
    struct Chip {
        QRectF rect;
        QString words, hint;
        TierStep step;
    };
    void takeSettings();
    std::vector<Chip> chips() const; // where there is room
    std::optional<Chip> chipAt(QPointF screen) const;
    static bool isPart(const Chip& chip) { return chip.step == TierStep::LeafPart || chip.step == TierStep::UpperPart; }
    void turn(const Chip& chip, int step);
    void listParts(const Chip& chip);
    void showParts(const std::vector<PartChoice>& choices);

    std::optional<RecipeSettings> m_settings; // empty without a recipe
    DesignPointer m_settingsOf;               // holds the parts that they name
    int m_wheelTurned = 0;                    // that is not a full notch yet
    QWidget& m_menuParent;
    QPointer<QMenu> m_menu;
    TierStep m_listed = TierStep::LeafPart;
    QPointF m_menuAt; // in px
    DesignPointer m_listedOf;
    LatestTask<std::vector<PartChoice>> m_listing;
};

} // namespace railyard
