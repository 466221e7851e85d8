// Edits: pure functions from a design to the next one, or to the reason why not. Tried for previews, kept on release.
#pragma once

#include "core/base/result.h"
#include "core/design/recipe.h"

#include <map>
#include <string>
#include <vector>

namespace railyard {

struct Edit {
    DesignPointer design;
    std::string label; // what happened, for the history: "Add a server (129)"
};

enum class PaletteItem { Server, HbDomain, Rail, Leaf, Spine, Superspine, Pod, Plane };
std::string_view toText(PaletteItem item);
std::optional<PaletteItem> paletteItemFrom(std::string_view text);

// What a drop from the palette means: a recipe parameter where one can say it, else a device of its own at `at`.
Result<Edit> dropItem(const Design& design, PaletteItem item, Point at);
// The same beside what a recipe would choose: so many spines more though leaves cannot split their uplinks evenly (the label
// says so), other switches unwired.
Result<Edit> dropOffRung(const Design& design, PaletteItem item, int step, Point at);

// What can be drawn again and again: groups made in this design, an SU of each published system.
struct Template {
    std::string name, words; // in drops; for people
};
std::vector<Template> templatesOf(const Design& design);
// By name: an item of the palette or a template. On an empty drawing an SU starts its recipe, else it stands by itself.
Result<Edit> dropNamed(const Design& design, std::string_view name, Point at);

// What the block at a path holds, once more as a group that no change of the recipe reaches.
Result<Edit> copyBlock(const Design& design, const std::string& path, Point at);

// The spine counts above the present one with which every leaf still splits its uplinks evenly; [0] is where a drop lands.
struct SpineRung {
    int spines = 0; // in a pod
    int linksPerPair = 0;
};
std::vector<SpineRung> spineLadder(const Design& design);
std::vector<SpineRung> spineCounts(const Design& design); // below and at the present one, too

// Steps up or down (below 0): of a tier's switch part or of the spines, to the next that can be built, one at a time; of the
// servers (whole HB domains), SUs and pods, as many as that.
enum class TierStep { LeafPart, UpperPart, Spines, Servers, ScalableUnits, Pods };
int serversOfPod(const RecipeSettings& settings, const ClosPlan& now);
Result<Edit> stepTier(const Design& design, TierStep what, int step);

Result<Edit> setParameters(const Design& design, const std::map<std::string, std::string>& changes);
Result<Edit> setServers(const Design& design, int servers);
Result<Edit> replaceRecipe(const Design& design, const RecipeCall& call);
// Hand-drawn elements go for good; elements of the recipe get an override that can be taken back.
Result<Edit> removeElements(const Design& design, const std::vector<std::string>& paths);
Result<Edit> moveElements(const Design& design, const std::map<std::string, Point>& places);
Result<Edit> setPart(const Design& design, const std::vector<std::string>& paths, const std::string& part);
// Names of elements as people know them; an empty one takes the name back.
Result<Edit> labelElements(const Design& design, const std::map<std::string, std::string>& labels);
// The part (and removal) that one element has of its own, for others too; names and places stay each one's own.
Result<Edit> copyChange(const Design& design, const std::string& from, const std::vector<std::string>& to);
// Blocks of instances such as su[3]: each a copy of its own that no change of the others reaches; how many of its devices or
// inner blocks of one slug they hold, as one block of their own for all that were alike.
struct BlockChange {
    std::string row; // its slug: leaf, srv
    int count = 0;
};
Result<Edit> makeUnique(const Design& design, const std::vector<std::string>& paths);
Result<Edit> changeBlocks(const Design& design, const std::vector<std::string>& paths, const BlockChange& change);
// Changes whose elements the recipe no longer makes, for good.
Result<Edit> dropChanges(const Design& design, const std::vector<std::string>& paths);
Result<Edit> backToRecipe(const Design& design, const std::vector<std::string>& paths);
// What was drawn by hand, apart, with the cables between; and into a design again, moved by so much, under names of its own.
Result<DesignPointer> copyElements(const Design& design, const std::vector<std::string>& paths);
Result<Edit> pasteElements(const Design& design, const Design& part, Point by);
// The floor. Racks are named as in core/floor; a rack of a new name is made. Unit 0: any free one.
Result<Edit> placeRacks(const Design& design, bool on);
Result<Edit> setMedium(const Design& design, CableMedium medium);
Result<Edit> moveRacks(const Design& design, const std::map<std::string, RackSpot>& spots);
Result<Edit> moveRacksBack(const Design& design);
Result<Edit> mountInRack(const Design& design, const std::vector<std::string>& paths, const std::string& rack, int unit);
Edit addLink(const Design& design, const FreeLink& link);
Result<Edit> removeLink(const Design& design, const std::string& a, const std::string& b); // drawn by hand, either way round
// A finding may stay, for this reason; subject empty: every one of the code. An empty reason takes the approval back.
Result<Edit> approve(const Design& design, const Approval& approval);

// Under its name; another view of that name goes.
Result<Edit> saveView(const Design& design, const SavedView& view);
Result<Edit> forgetView(const Design& design, const std::string& name);

// In place of the figure's target before; without a value it goes.
Result<Edit> setTarget(const Design& design, const std::string& figure, bool atMost, std::optional<double> value);

// Callouts are named callout[1], callout[2] ... in their order; they are removed, moved and given other words like elements,
// moved in coordinates of their own.
std::string_view toText(Callout::Kind kind);
std::optional<Callout::Kind> calloutKindFrom(std::string_view text);
inline constexpr std::size_t mostCallouts = 1000; // more than a person reads
std::string calloutPath(std::size_t index);
std::optional<std::size_t> calloutAt(const Design& design, std::string_view path);
Result<Edit> addCallout(const Design& design, const Callout& callout);
Result<Edit> changeCallout(const Design& design, std::size_t index, const Callout& callout);

DesignPointer emptyDesign(CatalogPointer catalog);
bool isEmpty(const Design& design);
bool isHandDrawn(const Design& design, std::string_view path);

} // namespace railyard
