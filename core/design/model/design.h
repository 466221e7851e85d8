// The document: blocks, the recipe that created them, hand-drawn additions and overrides. An immutable value.
#pragma once

#include "core/base/natural_order.h"
#include "core/base/shared_text.h"
#include "core/catalog/catalog.h"
#include "core/design/model/block.h"
#include "core/design/model/floor_plan.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// The recipe and its parameters as text, exactly as entered; defaults are not stored, so that overridden defaults stay visible.
struct RecipeCall {
    std::string name;
    std::map<std::string, std::string> parameters;
    UnknownKeys unknown = {};
    bool operator==(const RecipeCall&) const = default;
};

// A sparse change of an element, addressed by path. It is kept when the recipe is rebuilt, even if its element no longer exists.
struct Override {
    bool remove = false;
    std::string part, label;
    std::optional<Point> at; // on the drawing
    std::string rack;        // rack name and lowest unit, from 1; empty, 0: automatic placement
    int unit = 0;
    std::string block; // for an instance of a block: the name of the block that replaces its block
    UnknownKeys unknown = {};
    bool isEmpty() const { return !remove && part.empty() && label.empty() && !at && rack.empty() && unit == 0 && block.empty(); }
    bool operator==(const Override&) const = default;
};

// An accepted finding with the reason. Without a subject it covers all findings with this code.
struct Approval {
    std::string code, subject, reason;
    UnknownKeys unknown = {};
};

// A saved view of the drawing, which is also a page of an export: a rectangle in drawing units.
struct SavedView {
    std::string name;
    double x = 0, y = 0, width = 0, height = 0;
    bool unfolded = false, elided = false; // mutually exclusive
    UnknownKeys unknown = {};
    bool operator==(const SavedView&) const = default;
};

// A target for a metric, for example cost.network_usd at most 4,000,000.
struct Target {
    std::string figure; // dotted key, as in metrics
    bool atMost = true; // false: at least
    double value = 0;   // in the unit of the metric
    UnknownKeys unknown = {};
    bool operator==(const Target&) const = default;
};

// A note on the drawing for presentations. It keeps its position relative to the elements it refers to.
struct Callout {
    enum class Kind : std::uint8_t { Text, Arrow, Bracket, Legend, Logo };
    Kind kind = Kind::Text;
    std::string text = {};            // empty for a legend; file name for a logo
    std::vector<std::string> of = {}; // paths of the elements it refers to; empty: the drawing
    // Its centre, relative to the centre of its elements or to the drawing. For a bracket over elements, y is the distance of its
    // open side from their edge: positive values place it below the lower edge, other values above the upper edge.
    Point at;
    double width = 0;        // drawing units; 0: automatic
    SharedText picture = {}; // for a logo: PNG in base64
    UnknownKeys unknown = {};
    bool operator==(const Callout&) const = default;
};

// The content of a cable: a single link, or all links of a cage on the lower side.
enum class Trunk : std::uint8_t { PerLink, PerCage };

// A storage, in-band or out-of-band network: a separate Clos network for the same servers.
struct AuxiliaryNetwork {
    std::string name;
    RecipeCall call; // its servers represent the servers of the design, in the same order
    int others = 0;  // the last hosts that are not servers (storage nodes, managed switches)
    UnknownKeys unknown = {};
    bool operator==(const AuxiliaryNetwork&) const = default;
};

// Options by key, as text, as they were entered; what is not stated is as usual.
struct NamedOptions {
    std::map<std::string, std::string> options; // a model that is not known by name is its content as JSON
    UnknownKeys unknown = {};
    bool operator==(const NamedOptions&) const = default;
};

struct Design {
    std::string name;
    std::optional<RecipeCall> recipe;
    std::map<std::string, BlockPointer> blocks;                                       // by name; "root" is created by the recipe
    BlockPointer free = std::make_shared<const Block>(Block{"free", {}, {}, {}, {}}); // hand-drawn additions to the recipe
    std::map<std::string, Override, NaturalLess> overrides;
    Trunk trunk = Trunk::PerLink;
    std::optional<FloorPlan> floor; // without a floor plan all cables have a length of 30 m
    std::vector<AuxiliaryNetwork> networks = {};
    std::vector<Approval> approvals = {};
    std::vector<SavedView> views = {};
    std::vector<Target> targets = {}; // one per metric
    std::vector<Callout> callouts = {};
    std::optional<NamedOptions> training = {};    // of the training job whose figures are among those of the design; core/training
    std::optional<NamedOptions> reliability = {}; // rates, repair and checkpoints; core/reliability/reliability_parameters
    std::optional<NamedOptions> site = {};        // of the building and its energy; core/bill/site
    std::optional<NamedOptions> ocs = {};         // of optical circuit switches; core/fabric/optical_switches
    CatalogPointer catalog;                       // the shipped catalogue, extended by the parts of the document
    std::set<std::string> ownParts = {};          // parts that the document defines, in use or not
    UnknownKeys unknown = {};
    std::vector<std::string> migrations = {}; // what loading changed in a document of an older format, in sentences; not saved
};

using DesignPointer = std::shared_ptr<const Design>;

std::string fingerprintText(const Design& design);

} // namespace railyard
