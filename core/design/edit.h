// Edits: pure functions from a design to the next design, or to the reason for a rejection. Also used for previews.
#pragma once

#include "core/base/result.h"
#include "core/design/recipe.h"

#include <map>
#include <string>
#include <vector>

namespace railyard {

struct Edit {
    DesignPointer design;
    std::string label; // description for the history, for example "Add server srv[129]"
};

enum class PaletteItem { Server, HbDomain, Rail, Leaf, Spine, Superspine, Pod, Plane };
std::string_view toText(PaletteItem item);
std::optional<PaletteItem> paletteItemFrom(std::string_view text);

// The effect of dropping a palette item: a recipe parameter where possible, otherwise a new device at `at`.
Result<Edit> dropItem(const Design& design, PaletteItem item, Point at);
// The same without following the recommendations of the recipe: additional spines even if leaves cannot split their uplinks
// evenly (the label says so), and other switches without cables.
Result<Edit> dropOffRung(const Design& design, PaletteItem item, int step, Point at);

// Reusable templates: the groups of this design and an SU of each published system.
struct Template {
    std::string name, words; // key for drag and drop; name for people
};
std::vector<Template> templatesOf(const Design& design);
// Drops a palette item or a template by name. On an empty drawing an SU starts its recipe, otherwise it is added as a group.
Result<Edit> dropNamed(const Design& design, std::string_view name, Point at);

// Copies the block at a path into a new group that does not change with the recipe.
Result<Edit> copyBlock(const Design& design, const std::string& path, Point at);

// The higher spine counts with which every leaf can still split its uplinks evenly; [0] is used by a drop.
struct SpineRung {
    int spines = 0; // per pod
    int linksPerPair = 0;
};
std::vector<SpineRung> spineLadder(const Design& design);
std::vector<SpineRung> spineCounts(const Design& design); // including the present count and lower counts

// Changes a tier by `step` (negative: down): its switch part or its spines to the next possible value, or the number of
// servers (in whole HB domains), SUs or pods.
enum class TierStep { LeafPart, UpperPart, Spines, Servers, ScalableUnits, Pods };
int serversOfPod(const RecipeSettings& settings, const ClosPlan& now);
Result<Edit> stepTier(const Design& design, TierStep what, int step);

// The changes, and the rail count as it stands where `rails = auto` might choose another: a gesture on a tier changes that tier
// alone.
std::map<std::string, std::string> keepingRails(const Design& design, std::map<std::string, std::string> changes);
Result<Edit> setParameters(const Design& design, const std::map<std::string, std::string>& changes);
Result<Edit> setServers(const Design& design, int servers);
Result<Edit> replaceRecipe(const Design& design, const RecipeCall& call);
// Removes hand-drawn elements permanently; recipe elements get an override that can be reset.
Result<Edit> removeElements(const Design& design, const std::vector<std::string>& paths);
Result<Edit> moveElements(const Design& design, const std::map<std::string, Point>& places);
Result<Edit> setPart(const Design& design, const std::vector<std::string>& paths, const std::string& part);
// Sets the names of elements; an empty name removes the name.
Result<Edit> labelElements(const Design& design, const std::map<std::string, std::string>& labels);
// Applies the overridden part (and the removal) of an element to other elements; names and positions are not copied.
Result<Edit> copyChange(const Design& design, const std::string& from, const std::vector<std::string>& to);
// Blocks of instances such as su[3]: makeUnique gives each of them its own copy; changeBlocks sets the number of devices or
// inner blocks with one slug, in a new block that is shared by all instances that had the same block.
struct BlockChange {
    std::string row; // slug: leaf, srv
    int count = 0;
};
Result<Edit> makeUnique(const Design& design, const std::vector<std::string>& paths);
Result<Edit> changeBlocks(const Design& design, const std::vector<std::string>& paths, const BlockChange& change);
// Removes orphaned overrides, whose elements no longer exist.
Result<Edit> dropChanges(const Design& design, const std::vector<std::string>& paths);
Result<Edit> backToRecipe(const Design& design, const std::vector<std::string>& paths);
// Copies hand-drawn elements with the cables between them, and pastes them into a design with an offset and new names.
Result<DesignPointer> copyElements(const Design& design, const std::vector<std::string>& paths);
Result<Edit> pasteElements(const Design& design, const Design& part, Point by);
// Floor edits. Racks are named as in core/floor; an unknown rack name creates a rack. Unit 0: any free unit.
Result<Edit> placeRacks(const Design& design, bool on);
Result<Edit> setMedium(const Design& design, CableMedium medium);
Result<Edit> moveRacks(const Design& design, const std::map<std::string, RackSpot>& spots);
Result<Edit> moveRacksBack(const Design& design);
Result<Edit> mountInRack(const Design& design, const std::vector<std::string>& paths, const std::string& rack, int unit);
Edit addLink(const Design& design, const FreeLink& link);
Result<Edit> removeLink(const Design& design, const std::string& a, const std::string& b); // hand-drawn, in either direction
// Approves a finding with a reason; an empty subject covers all findings with the code. An empty reason revokes the approval.
Result<Edit> approve(const Design& design, const Approval& approval);

// Saves a view; an existing view with the same name is replaced.
Result<Edit> saveView(const Design& design, const SavedView& view);
Result<Edit> forgetView(const Design& design, const std::string& name);

// Replaces the target of a metric; without a value the target is removed.
Result<Edit> setTarget(const Design& design, const std::string& figure, bool atMost, std::optional<double> value);

// Callouts are named callout[1], callout[2] ... in their order. They are removed, moved and renamed like elements, but moved in
// their own coordinates.
std::string_view toText(Callout::Kind kind);
std::optional<Callout::Kind> calloutKindFrom(std::string_view text);
inline constexpr std::size_t mostCallouts = 1000; // more than a person can read
std::string calloutPath(std::size_t index);
std::optional<std::size_t> calloutAt(const Design& design, std::string_view path);
Result<Edit> addCallout(const Design& design, const Callout& callout);
Result<Edit> changeCallout(const Design& design, std::size_t index, const Callout& callout);

DesignPointer emptyDesign(CatalogPointer catalog);
bool isEmpty(const Design& design);
bool isHandDrawn(const Design& design, std::string_view path);

} // namespace railyard
