// Where everything stands on the drawing, in world units (1 = 1 px at scale 1). Pure: built from a fabric, no painter.
// Identical scalable units fold into one card; links between tiers become bundles with counts.
#pragma once

#include "core/design/edit.h"
#include "core/fabric/fabric.h"

#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace railyard {

// What can be shown or hidden by itself.
enum class Layer { Servers, HostLinks, RailLinks, UpperLinks, HandDrawn, Labels, Callouts };
inline constexpr int layerCount = 7;

enum class Shape { Server, HbDomain, Leaf, Spine, Superspine, Core, Manager, Group, Callout };

// One device, server, HB domain, group drawn by hand or callout that can be seen and picked.
struct SceneNode {
    Shape shape = Shape::Server;
    QRectF rect;
    std::uint32_t device = none, scope = none; // one of them; none of a callout
    std::size_t callout = 0;                   // its place in the design's list
    int number = 0;                            // what is written on it
    int largestBeside = 0;                     // the largest number in its row, so that a row shows all or none
    int rail = 0;                              // from 1; 0 = belongs to no single rail
    bool handDrawn = false, overridden = false;
};

struct SceneCard { // an SU, or several folded into one
    QRectF rect;
    QString title, subtitle;
    int firstSu = 0, folded = 1; // folded > 1: stands for that many
    bool overridden = false;     // holds what is its own
    std::uint32_t scope = none;
    std::size_t firstNode = 0, lastNode = 0; // its servers
};

struct SceneBar { // switches of a tier that share a box
    QRectF rect;
    QString title, note;
    int rail = 0;
    int stacked = 1; // > 1: drawn once for so many alike
    int count = 0;   // switches in it; drawn as shapes where they fit
    Shape shape = Shape::Spine;
    std::size_t firstNode = 0, lastNode = 0;
};

struct SceneBundle {
    QPolygonF path;
    int rail = 0;
    int links = 0;
    QString pill; // empty: no count shown
    QPointF pillAt;
    bool isLane = false; // drawn with a halo over risers
    // Which links it stands for: of a tier, those of a rail, of one lower or upper device, or of the leaves of one SU.
    std::optional<LinkTier> tier;
    int ofRail = 0;                                        // 0: of all
    std::uint32_t lower = none, upper = none, unit = none; // devices; scope
    Layer layer = Layer::RailLinks;
};

struct SceneCable { // hand-drawn links between the same two ends
    QPointF a, b;
    int rail = 0;
    int links = 1;
    std::vector<std::uint32_t> of; // links of the fabric
};

struct SceneLegendRow {
    Shape shape = Shape::Leaf;
    int rail = 0; // > 0: the colours of the rails from 1 to this one
    QString words;
};

struct SceneCallout {
    QRectF about;              // what it points at; empty: nothing
    QImage picture;            // of a logo
    bool bracketBelow = false; // else above
    double span = 0;           // of a bracket: as wide as what it embraces
    bool isParked = false;     // what it is about is not there
    std::vector<SceneLegendRow> legend;
};

struct SceneLabel { // left margin: tier name and how many
    QPointF at;
    QString title, note;
    std::vector<TierStep> steps = {}; // what can be turned here
};

struct RowBadge {
    QPointF at;
    int rail = 0;
};

// How much of what is alike is drawn: SUs folded, each by itself, or the first ones and the last of everything.
enum class Detail { Folded, Full, Elided };
Detail detailOf(const SavedView& view);

struct Scene {
    QRectF bounds;
    int rails = 0;
    bool railOnly = false, isElided = false;
    std::vector<SceneNode> nodes;
    std::vector<SceneCard> cards;
    std::vector<SceneBar> bars;
    std::vector<SceneBundle> bundles;
    std::vector<SceneCable> cables;
    std::vector<SceneLabel> labels;
    std::vector<RowBadge> badges;
    std::vector<QPointF> dots;                   // more of the same, not drawn
    std::map<std::uint32_t, QString> groupNotes; // by scope: what a group holds
    std::vector<SceneCallout> callouts;          // by their place in the design's list
    double calloutUnit = 1;                      // drawing units of a pixel of callouts, where all is in sight
    int foldedSus = 0, bundledLinks = 0;

    const SceneNode* nodeAt(QPointF world, const std::function<bool(const SceneNode&)>& counts = {}) const;
    const SceneCard* cardAt(QPointF world) const;
    int railAt(QPointF world, double reach) const; // of a lane or its badge; 0 where there is none
};

// From scope to scope: servers or HB domains, as they are drawn.
using Hops = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Which job has a server or an HB domain, by scope, from 0; -1 none. And what is said of it.
struct Territories {
    std::vector<int> ofScope;
    std::vector<QString> notes;
    bool isEmpty() const { return ofScope.empty(); }
};

// Of every bundle the largest value of its links, given by link of the fabric; below 0 where it has none.
std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink);
// The same of the HB links inside a server or an HB domain, by node.
std::vector<double> largestInside(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink);

// From where a callout's place is counted.
QPointF calloutOrigin(Callout::Kind kind, const QRectF& about, bool below);

Scene buildScene(const Fabric& fabric, Detail detail);

} // namespace railyard
