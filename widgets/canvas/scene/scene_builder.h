// What both styles of the drawing share: the parts of the fabric, hand-drawn elements and callouts.
#pragma once

#include "core/fabric/path_finder.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <map>
#include <set>

namespace railyard {

class SceneBuilder {
public:
    SceneBuilder(const Fabric& fabric, Detail detail);
    virtual ~SceneBuilder() = default;
    Scene build();

protected:
    virtual void layOut() = 0; // cards, tiers and what joins them
    struct Unit {              // one scalable unit and its contents
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
    QString serversText() const;
    QString membersOf(const Unit& unit, int units = 1) const;
    SceneNode memberNode(const Unit& unit, std::size_t member, QRectF rect) const;
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
    template <class Path>
    bool isOverridden(Path path) const { // comparing the few overrides is cheaper than building the path string
        return !m_fabric.design->overrides.empty() && m_fabric.design->overrides.contains(path());
    }
    // The override of an element, and the name that people gave it.
    template <class Path>
    void markOverride(SceneNode& node, Path path) const {
        node.overridden = isOverridden(path);
        if (node.overridden) node.label = labelOf(path());
    }
    QString labelOf(const std::string& path) const {
        const auto change = m_fabric.design->overrides.find(path);
        return change == m_fabric.design->overrides.end() ? QString() : QString::fromStdString(change->second.label);
    }
    QString nameOf(const std::string& path) const { // of what is drawn by hand
        const QString label = labelOf(path);
        return label.isEmpty() ? QString::fromStdString(path) : label;
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
    std::map<SwitchTier, double> m_tops;
    QRectF m_elidedUnits; // area of the dots between cards in the elided style
    std::map<DeviceId, std::size_t> m_nodeOfDevice;
    double m_left = measure::labelColumn, m_right = 0, m_lanesTop = 0, m_leafTop = 0, m_cardTop = 0, m_cardWidth = measure::cardWidth,
           m_cardHeight = measure::cardHeight;
    std::vector<SceneLegendRow> m_legend; // legend rows, filled if there are callouts
    double m_rowShift = 0;                // offset of the current row of cards from the first row
    int m_lanes = 0;
};

} // namespace railyard
