// The layout of the drawing in world units (1 = 1 px at scale 1). It is computed from a fabric alone, without a painter.
// Identical scalable units fold into one card; links between tiers become bundles with counts.
#pragma once

#include "core/design/edits/edit.h"
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

// Layers that can be shown or hidden separately.
enum class Layer { Servers, HostLinks, RailLinks, UpperLinks, HandDrawn, Labels, Callouts, Storage, InBand, OutOfBand };
inline constexpr int layerCount = 10;

enum class Shape { Server, HbDomain, Leaf, Spine, Superspine, Core, Manager, Group, Callout };

// A visible and selectable element: a device, server, HB domain, hand-drawn group or callout.
struct SceneNode {
    Shape shape = Shape::Server;
    QRectF rect;
    DeviceId device; // one of the two is set; neither for a callout
    ScopeId scope;
    std::size_t callout = 0; // index in the design's list of callouts
    int number = 0;          // the number drawn on it
    QString label;           // drawn in its place where there is room
    int largestOfRow = 0;    // the largest number in its row, so that a row shows all numbers or none
    int rail = 0;            // counted from 1; 0 = not on a single rail
    bool handDrawn = false, overridden = false;
    // A tray of a rack is drawn flat. Where leaves stand above it, its NICs are below them: the distance of the first from its left edge,
    // and from one to the next; otherwise they divide its width.
    bool isTray = false;
    double pipAt = 0, pipPitch = 0;
};

struct SceneRack { // an HB domain of trays, drawn as the rack that it is
    struct Rail {
        double x = 0;
        std::size_t down = 0; // index of the bundle that leads to its leaf
    };
    QRectF rect;
    QString title, note;              // empty: those of the card, which it fills
    std::vector<Rail> rails;          // that run down through it
    QRectF switches;                  // block of the trays that hold the HB switches; empty: there are none
    int switchTrays = 0;              // in it
    std::vector<DeviceId> hbSwitches; // from the first tray to the last
    int switchesPerTray = 1;
    double hbX = 0;                          // where the HB links of the trays run down
    std::size_t firstNode = 0, lastNode = 0; // of its trays
};

struct SceneCard { // an SU, or several folded into one
    QRectF rect;
    QString title, subtitle;
    int firstSu = 0, folded = 1; // folded > 1: represents that many SUs
    bool overridden = false;     // contains an override
    ScopeId scope;
    std::size_t firstNode = 0, lastNode = 0; // node range of its servers
    std::vector<SceneRack> racks = {};       // if its servers are the trays of racks
};

struct SceneBar { // the switches of a tier that share a box
    QRectF rect;
    QString title, note;
    int rail = 0;
    int stacked = 1; // > 1: drawn once for that many identical groups
    int count = 0;   // number of switches; drawn individually if they fit
    Shape shape = Shape::Spine;
    std::size_t firstNode = 0, lastNode = 0;
};

struct SceneNetwork { // storage, in-band or out-of-band
    QRectF rect;
    QString title, note;
    Layer layer = Layer::Storage;
};

struct SceneBundle {
    QPolygonF path;
    int rail = 0;
    int links = 0;
    QString pill; // link count; empty if none is shown
    QPointF pillAt;
    bool isLane = false; // drawn over risers, with a halo
    // The links it represents: those of a tier, limited to a rail, to one lower or upper device, or to the leaves of one SU.
    std::optional<LinkTier> tier;
    int ofRail = 0; // 0: all rails
    DeviceId lower, upper;
    ScopeId unit;
    Layer layer = Layer::RailLinks;
};

struct SceneCable { // the hand-drawn links between one pair of ends
    QPointF a, b;
    int rail = 0;
    int links = 1;
    std::vector<LinkId> of;
};

struct SceneLegendRow {
    Shape shape = Shape::Leaf;
    int rail = 0; // > 0: shows the colours of rails 1 to this one
    QString words;
};

struct SceneCallout {
    QRectF about;              // what it is attached to; empty if nothing
    QImage picture;            // picture of a logo
    bool bracketBelow = false; // otherwise above
    double span = 0;           // width of the elements that a bracket spans
    bool isParked = false;     // the elements it is attached to do not exist
    std::vector<SceneLegendRow> legend;
};

struct SceneLabel { // in the left margin: tier name and counts
    QPointF at;
    QString title, note;
    std::vector<TierStep> steps = {}; // what its chips can change
};

struct RowBadge {
    QPointF at;
    int rail = 0;
};

// How identical elements are drawn: SUs folded, every SU, or only the first and last of each kind.
enum class Detail { Folded, Full, Elided };
Detail detailOf(const SavedView& view);
Shape shapeOf(SwitchTier tier);

struct Scene {
    QRectF bounds;
    int rails = 0;
    bool railOnly = false, isElided = false;
    std::vector<SceneNode> nodes;
    std::vector<SceneCard> cards;
    std::vector<SceneBar> bars;
    std::vector<SceneNetwork> networks;
    std::vector<SceneBundle> bundles;
    std::vector<SceneCable> cables;
    std::vector<SceneLabel> labels;
    std::vector<RowBadge> badges;
    std::vector<QPointF> dots;             // dots for elements that are not drawn
    std::map<ScopeId, QString> groupNotes; // contents of a group
    std::vector<SceneCallout> callouts;    // in the order of the design's list
    double calloutUnit = 1;                // drawing units per callout pixel when the whole drawing is visible
    int foldedSus = 0, bundledLinks = 0;

    const SceneNode* nodeAt(QPointF world, const std::function<bool(const SceneNode&)>& counts = {}) const;
    const SceneCard* cardAt(QPointF world) const;
    const SceneCable* cableAt(QPointF world, double reach) const; // drawn by hand
    const SceneBundle* bundleAt(QPointF world, double reach) const;
    int railAt(QPointF world, double reach) const; // rail of the lane or badge at this position; 0 if none
};

// Pairs of scopes (servers or HB domains, as drawn) between which an arrow is drawn.
using Hops = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The job of each server or HB domain, indexed by scope and counted from 0 (-1: none), and its note.
struct Territories {
    std::vector<int> ofScope;
    std::vector<QString> notes;
    bool isEmpty() const { return ofScope.empty(); }
    bool operator==(const Territories&) const = default;
};

Scene buildScene(const Fabric& fabric, Detail detail);

} // namespace railyard
