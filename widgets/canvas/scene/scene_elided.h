// The elided style, as in printed reference architectures: the first and last of identical elements with dots between them, and
// individual cables in straight lines.
#pragma once

#include "widgets/canvas/scene/scene_builder.h"

#include <tuple>

namespace railyard {

class ElidedScene : public SceneBuilder {
public:
    explicit ElidedScene(const Fabric& fabric) : SceneBuilder(fabric, Detail::Elided) {}

private:
    void layOut() override;
    QString switchesOf(SwitchTier tier) const; // the count as text
    SceneNode& addElidedSwitch(DeviceId device, QRectF rect);
    double placeElidedUnit(const Unit& unit, double left);
    std::vector<const Group*> elidedGroups(SwitchTier tier) const;
    void placeElidedTier(SwitchTier tier, double top);
    struct ElidedLine {
        DeviceId lower, upper; // none if it represents several
        LinkTier tier = LinkTier::LeafSpine;
        int links = 0;
    };
    struct ElidedStub { // links that only lead to elements that are not drawn
        std::size_t node = 0;
        LinkTier tier = LinkTier::LeafSpine;
        bool isUp = true;
    };
    struct ElidedLinks {
        std::map<std::tuple<std::size_t, std::size_t, int>, ElidedLine> lines; // keyed by lower node, upper node and NIC of a server
        std::vector<ElidedStub> stubs;
    };
    std::vector<std::size_t> elidedUnits() const;
    ElidedLinks elidedLinks() const;
    void drawElidedLinks();
    void sayLinksPerPair(const ElidedLinks& found);

    std::map<Shape, std::size_t> m_linkLabels; // in the elided style: index of the label with the link count, by lower shape
};

} // namespace railyard
