// The style with lanes: SU cards, alike ones folded, and one horizontal line for each rail, from which risers lead down to the leaves and
// up to the spines.
#pragma once

#include "widgets/canvas/scene/scene_builder.h"
#include "widgets/canvas/scene/scene_racks.h"

namespace railyard {

class FoldedScene : public SceneBuilder {
public:
    using SceneBuilder::SceneBuilder;

private:
    void layOut() override;
    void placeCards();
    void placeMembers(const Unit& unit, SceneCard& card);
    // Units whose HB domains are racks of trays.
    void placeRacks(const Unit& unit, const std::vector<const RackContent*>& racks, SceneCard& card);
    void joinRails(std::size_t firstBundle, SceneCard& card) const;
    QString racksText() const;
    void placeLeaves(const Unit& unit, double left);
    QString connectedBy(SwitchTier tier) const;
    void placeTier(SwitchTier tier, double top);
    void addBar(const Group& group, QRectF rect, int stacked);
    void placeLanes();
    void joinTiers(SwitchTier lower, SwitchTier upper);
    double cardWidthFor() const;
    bool folds(std::size_t unit) const;
    std::size_t cardCount() const; // folded ones count once
    std::size_t cardsInRow(std::size_t cards) const;

    struct LeafTop { // the start of a riser
        QPointF at;
        DeviceId leaf; // or the SU whose leaves it represents
        ScopeId unit;
    };
    std::map<int, std::vector<LeafTop>> m_leafTops; // indexed by rail
    std::map<ScopeId, RackContent> m_racks;         // by HB domain
};

} // namespace railyard
