// The steps of buildScene: the rows from top to bottom, then the lanes between them.
#pragma once

#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <map>
#include <set>
#include <tuple>

namespace railyard {

namespace measure {
inline constexpr double labelColumn = 118, cardWidth = 232, cardHeight = 276, cardGap = 14, cardPadding = 10, cardHeader = 32, aisle = 14;
inline constexpr double barHeight = 62, leafHeight = 26, leafWidth = 25, laneSpacing = 19, barGap = 44, leafGap = 54, gutter = 9;
} // namespace measure
inline constexpr double planeGap = 0.8; // gap between the leaves of two planes, in leaf widths

inline QString sceneText(const char* words) { return QCoreApplication::translate("Scene", words); }
Shape shapeOf(SwitchTier tier);
inline QString grouped(std::int64_t count) { return QString::fromStdString(formatCount(count)); }

class SceneBuilder {
public:
    SceneBuilder(const Fabric& fabric, Detail detail);
    Scene build();

private:
    struct Unit { // one scalable unit and its contents
        ScopeId scope;
        int su = 0;
        std::vector<ScopeId> members; // servers or HB domains
        std::vector<DeviceId> leaves;
        bool changed = false; // overridden or cabled by hand, so it is never folded
    };
    struct Group { // the switches of one tier and scope
        ScopeId scope;
        SwitchTier tier = SwitchTier::Spine;
        std::vector<DeviceId> devices;
    };

    void collect();
    void collectFree(DeviceId device, ScopeId top);
    std::vector<ScopeId> freeTops() const;
    void placeCards();
    QString serversText() const;
    QString membersOf(const Unit& unit, int units = 1) const;
    SceneNode memberNode(const Unit& unit, std::size_t member, QRectF rect) const;
    void placeMembers(const Unit& unit, SceneCard& card);
    void placeLeaves(const Unit& unit, double left);
    void placeTier(SwitchTier tier, double top);
    void addBar(const Group& group, QRectF rect, int stacked);
    void buildFolded();
    void placeLanes();
    void joinTiers(SwitchTier lower, SwitchTier upper);
    void buildElided();
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
    void placeFree();
    void addCables();
    void placeCallouts();
    QRectF placeOfBlock(ScopeId block) const;
    QRectF placeOf(const PathFinder& finder, const std::string& path) const;
    QRectF placeCallout(const PathFinder& finder, const Callout& callout, SceneCallout& into) const;
    std::vector<SceneLegendRow> legendRows() const;
    QString contentsOf(ScopeId group) const;
    void addLabel(double y, QString title, QString note, std::vector<TierStep> steps = {});
    ScopeId memberOf(DeviceId device) const;
    int railCount() const;
    double cardWidthFor() const;
    bool folds(std::size_t unit) const;
    std::size_t cardsInRow() const;
    template <class Path>
    bool isOverridden(Path path) const { // comparing the few overrides is cheaper than building the path string
        return !m_fabric.design->overrides.empty() && m_fabric.design->overrides.contains(path());
    }
    std::int64_t links(LinkTier tier) const { return m_counts.linksByTier[static_cast<std::size_t>(tier)]; }

    const Fabric& m_fabric;
    const Detail m_detail;
    FabricCounts m_counts;
    Scene m_scene;
    std::vector<Unit> m_units;
    std::vector<DeviceId> m_freeDevices;
    std::vector<ScopeId> m_freeServers, m_freeGroups;
    std::map<SwitchTier, std::vector<Group>> m_groups;
    struct LeafTop { // the start of a riser
        QPointF at;
        DeviceId leaf; // or the SU whose leaves it represents
        ScopeId unit;
    };
    std::map<int, std::vector<LeafTop>> m_leafTops; // indexed by rail
    std::map<SwitchTier, double> m_tops;
    QRectF m_elidedUnits;                      // area of the dots between cards in the elided style
    std::map<Shape, std::size_t> m_linkLabels; // in the elided style: index of the label with the link count, by lower shape
    std::map<DeviceId, std::size_t> m_nodeOfDevice;
    double m_left = measure::labelColumn, m_right = 0, m_lanesTop = 0, m_leafTop = 0, m_cardTop = 0, m_cardWidth = measure::cardWidth;
    std::vector<SceneLegendRow> m_legend; // legend rows, filled if there are callouts
    double m_rowShift = 0;                // offset of the current row of cards from the first row
    int m_lanes = 0;
};

} // namespace railyard
