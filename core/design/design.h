// The document: blocks, the recipe they came from, hand-drawn additions and overrides. An immutable value.
#pragma once

#include "core/base/natural_order.h"
#include "core/catalog/catalog.h"
#include "core/design/block.h"
#include "core/design/floor_plan.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// Exactly what was asked for, as text; defaults are not stored, so that an override of one stays visible.
struct RecipeCall {
    std::string name;
    std::map<std::string, std::string> parameters;
    bool operator==(const RecipeCall&) const = default;
};

// A sparse change of one element, by path. It outlives a re-run of the recipe; where its element is gone it waits.
struct Override {
    bool remove = false;
    std::string part, label;
    std::optional<Point> at; // on the drawing
    std::string rack;        // by name, and the lowest unit there, from 1; empty, 0: where it stands by itself
    int unit = 0;
    std::string block; // of a block's instance: what stands there instead, by name
    bool isEmpty() const { return !remove && part.empty() && label.empty() && !at && rack.empty() && unit == 0 && block.empty(); }
    bool operator==(const Override&) const = default;
};

// A finding that may stay, and why. Without a subject it covers every finding of the code.
struct Approval {
    std::string code, subject, reason;
};

// A part of the drawing to come back to, and a page of what is handed over: a rectangle in drawing units.
struct SavedView {
    std::string name;
    double x = 0, y = 0, width = 0, height = 0;
    bool unfolded = false, elided = false; // not both
    bool operator==(const SavedView&) const = default;
};

// What a figure is to reach: cost.network_usd at most 4,000,000.
struct Target {
    std::string figure; // dotted, as in metrics
    bool atMost = true; // else at least
    double value = 0;   // in the figure's own unit
    bool operator==(const Target&) const = default;
};

// A picture as PNG in base64, held once by all designs that have it.
class PictureText {
public:
    PictureText() = default;
    PictureText(std::string base64) : m_text(base64.empty() ? nullptr : std::make_shared<const std::string>(std::move(base64))) {}
    bool empty() const { return !m_text; }
    std::string_view text() const { return m_text ? std::string_view(*m_text) : std::string_view(); }
    const std::shared_ptr<const std::string>& shared() const { return m_text; }
    bool operator==(const PictureText& other) const { return m_text == other.m_text || text() == other.text(); }

private:
    std::shared_ptr<const std::string> m_text;
};

// What is said on the drawing, for slides. It stays beside what it is about wherever that moves.
struct Callout {
    enum class Kind : std::uint8_t { Text, Arrow, Bracket, Legend, Logo };
    Kind kind = Kind::Text;
    std::string text = {};            // none for a legend; of a logo the name of its file
    std::vector<std::string> of = {}; // paths of what it is about; none: the drawing
    // Its middle, from the middle of what it is about, or on the drawing. A bracket over elements counts its y from their edge
    // to its own open side: above 0 it stands below the lower edge, else above the upper one.
    Point at;
    double width = 0;         // drawing units; 0: as it needs
    PictureText picture = {}; // of a logo
    bool operator==(const Callout&) const = default;
};

// What a cable carries: one link, or all links that leave one cage on the lower side.
enum class Trunk : std::uint8_t { PerLink, PerCage };

// A network beside the compute fabric, a Clos of its own over the same servers: storage, in-band, out-of-band.
struct SideNetwork {
    std::string name;
    RecipeCall call; // its servers stand for those of the design, in their order
    int others = 0;  // of them, the last: what is no server (storage nodes, switches to be managed)
    bool operator==(const SideNetwork&) const = default;
};

struct Design {
    std::string name;
    std::optional<RecipeCall> recipe;
    std::map<std::string, BlockPointer> blocks;                                       // by name; "root" is what the recipe made
    BlockPointer free = std::make_shared<const Block>(Block{"free", {}, {}, {}, {}}); // drawn by hand beside it
    std::map<std::string, Override, NaturalLess> overrides;
    Trunk trunk = Trunk::PerLink;
    std::optional<FloorPlan> floor; // without one every cable counts 30 m
    std::vector<SideNetwork> sides = {};
    std::vector<Approval> approvals = {};
    std::vector<SavedView> views = {};
    std::vector<Target> targets = {}; // one a figure
    std::vector<Callout> callouts = {};
    CatalogPointer catalog;  // the shipped one, or with the parts that the document brought along
    std::string unknownKeys; // JSON object text of keys this version does not know
};

using DesignPointer = std::shared_ptr<const Design>;

std::string fingerprintText(const Design& design);

} // namespace railyard
