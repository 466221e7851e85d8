// Parameters of the recipe, elements, hand-drawn links, approvals, views and targets.
#pragma once

#include "core/design/edits/edit_result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

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
// Removes orphaned overrides, whose elements no longer exist.
Result<Edit> dropChanges(const Design& design, const std::vector<std::string>& paths);
Result<Edit> backToRecipe(const Design& design, const std::vector<std::string>& paths);
Edit addLink(const Design& design, const FreeLink& link);
Result<Edit> removeLink(const Design& design, const std::string& a, const std::string& b); // hand-drawn, in either direction
// Approves a finding with a reason; an empty subject covers all findings with the code. An empty reason revokes the approval.
Result<Edit> approve(const Design& design, const Approval& approval);

// Saves a view; an existing view with the same name is replaced.
Result<Edit> saveView(const Design& design, const SavedView& view);
Result<Edit> forgetView(const Design& design, const std::string& name);

// Replaces the target of a metric; without a value the target is removed.
Result<Edit> setTarget(const Design& design, const std::string& figure, bool atMost, std::optional<double> value);

// Replaces the training job of the design; without one, its figures are of the usual job. Its options are read by core/training.
// Sets the options of a section: &Design::training and so on.
Result<Edit> setOptions(const Design& design, std::optional<NamedOptions> Design::*section, std::optional<NamedOptions> options,
                        std::string label);
Result<Edit> setTraining(const Design& design, std::optional<NamedOptions> training);

DesignPointer emptyDesign(CatalogPointer catalog);
bool isEmpty(const Design& design);
bool isHandDrawn(const Design& design, std::string_view path);

} // namespace railyard
