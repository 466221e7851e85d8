#pragma once

#include "core/design/edits/edit_tiers.h"
#include "core/design/recipes/recipe.h"
#include "widgets/canvas/tools/tool.h"

namespace railyard {

// Chips below the tier names. The wheel, or a click on either end, changes the part or the count of the tier.
class ChipTool : public Tool {
public:
    explicit ChipTool(Viewport& port);

    bool press(const Press& press) override;
    bool wheel(const QWheelEvent& event) override;
    std::optional<Control> controlAt(QPointF at) const override;
    void paint(QPainter& painter) override;

private:
    struct Chip {
        QRectF rect;
        QString words, hint;
        TierStep step;
    };
    void takeSettings();
    std::vector<Chip> chips() const; // where there is room
    std::optional<Chip> chipAt(QPointF screen) const;
    void turn(const Chip& chip, int step);

    std::optional<RecipeSettings> m_settings; // empty without a recipe
    DesignPointer m_settingsOf;               // holds the parts that they name
    int m_wheelTurned = 0;                    // that is not a full notch yet
};

} // namespace railyard
