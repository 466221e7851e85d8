#include "widgets/panels/block_section.h"

#include "core/base/expression.h"
#include "core/design/model/own_blocks.h"
#include "core/fabric/path_finder.h"
#include "widgets/theme/plain_text.h"

#include <algorithm>
#include <set>

namespace railyard {
namespace {

// The blocks that the elements are, or that contain them.
std::vector<std::string> blocksAround(const Fabric& fabric, const std::vector<std::string>& paths) {
    const Design& design = *fabric.design;
    const PathFinder finder(fabric);
    std::vector<std::string> blocks;
    for (const std::string& path : paths) {
        const std::size_t slash = path.rfind('/');
        const auto scope = finder.scope(path);
        // A server shows its own contents.
        std::string block = scope ? path : slash == std::string::npos ? std::string() : path.substr(0, slash);
        if (!block.empty() && design.blocks.contains(blockNameAt(design, block))) blocks.push_back(std::move(block));
    }
    std::sort(blocks.begin(), blocks.end(), NaturalLess());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

// The number of children of each slug in a block, devices first.
using Rows = std::vector<std::pair<std::string, int>>;
Rows rowsOf(const Block& block) {
    Rows rows;
    const auto add = [&](const std::string& slug, int count) {
        const auto known = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == slug; });
        known == rows.end() ? rows.emplace_back(slug, count) : * known = {slug, known->second + count};
    };
    for (const DeviceRow& row : block.devices) add(row.slug, row.count);
    for (const Instance& row : block.instances) add(row.slug, row.count);
    return rows;
}

// Whether all blocks have the same kinds of children, so that one field can change them all.
bool haveSameRows(const Design& design, const std::vector<std::string>& blocks) {
    std::set<std::string> names, rows;
    for (const std::string& path : blocks) names.insert(blockNameAt(design, path));
    for (const std::string& name : names) {
        std::string all;
        for (const auto& [slug, count] : rowsOf(*design.blocks.at(name))) all += slug + '/';
        rows.insert(all);
    }
    return rows.size() == 1;
}

// Shows whether the recipe or an override defines the elements, with buttons to revert an override or to apply it to more elements.
void addActions(InspectorForm& form, Document& document, const BlockSelection& of) {
    const Design& design = *document.now().design;
    const auto own =
        std::count_if(of.affected.begin(), of.affected.end(), [&](const std::string& path) { return design.overrides.contains(path); });
    const bool byHand =
        std::all_of(of.affected.begin(), of.affected.end(), [&](const std::string& path) { return isHandDrawn(design, path); });
    const auto all = static_cast<std::ptrdiff_t>(of.affected.size());
    form.addFact(inspectorText("Defined by"), byHand     ? inspectorText("Hand drawing")
                                              : own == 0 ? inspectorText("Recipe")
                                              : all == 1 ? inspectorText("Override ◆")
                                                         : inspectorText("Overrides: %1 of %2 ◆").arg(own).arg(all));
    if (own == 0) return;
    form.addButton(inspectorText("Revert to recipe"),
                   [&document, affected = of.affected] { return backToRecipe(*document.now().design, affected); });
    const auto first = design.overrides.find(of.selected.front());
    if (of.scope != EditScope::This && first != design.overrides.end() && !(first->second.part.empty() && first->second.block.empty()))
        form.addButton(inspectorText("Apply this change to all %1").arg(all),
                       [&document, of] { return copyChange(*document.now().design, of.selected.front(), of.affected); });
}

// One field for each kind of child, such as leaves or servers. A change overrides the block for all elements in the edit scope.
void addRows(InspectorForm& form, Document& document, const BlockSelection& of, std::function<void(const std::string&)> dissolve) {
    const Design& design = *document.now().design;
    const std::vector<std::string> blocks = blocksAround(*document.now().fabric, of.affected);
    if (blocks.empty()) return;
    const auto isOwn = [&](const std::string& path) {
        const auto change = design.overrides.find(path);
        return change != design.overrides.end() && !change->second.block.empty();
    };
    const auto own = std::count_if(blocks.begin(), blocks.end(), isOwn);
    const auto all = static_cast<std::ptrdiff_t>(blocks.size());
    const QString first = QString::fromStdString(blocks.front());
    const bool isOneKind = haveSameRows(design, blocks);
    form.addHeading(all == 1    ? inspectorText("Block %1").arg(first)
                    : isOneKind ? inspectorText("%1 blocks like %2").arg(all).arg(first)
                                : inspectorText("%1 blocks of different kinds").arg(all));
    const bool byHand = std::all_of(blocks.begin(), blocks.end(), [&](const std::string& path) { return isHandDrawn(design, path); });
    form.addFact(inspectorText("Contents"), byHand       ? inspectorText("Hand drawing")
                                            : own == 0   ? inspectorText("Recipe")
                                            : own == all ? inspectorText("Override ◆")
                                                         : inspectorText("Overrides: %1 of %2 ◆").arg(own).arg(all));
    for (const auto& [slug, count] : isOneKind ? rowsOf(*design.blocks.at(blockNameAt(design, blocks.front()))) : Rows())
        form.addField(QString::fromStdString(slug), QStringLiteral("block-") + QString::fromStdString(slug), QString::number(count),
                      [&document, blocks, slug = slug, count = count](const std::string& wanted) -> Result<Edit> {
                          const auto number = evaluateCount(wanted, count);
                          if (!number) return number.errors();
                          const auto bounded = static_cast<int>(std::min<std::int64_t>(*number, 1'000'000));
                          return changeBlocks(*document.now().design, blocks, {slug, bounded});
                      });
    const PathFinder finder(*document.now().fabric);
    const auto scope = all == 1 ? finder.scope(blocks.front()) : std::nullopt;
    const Instance::Role role = scope ? document.now().fabric->scopes[*scope].role : Instance::Role::Server;
    if (role != Instance::Role::Server && role != Instance::Role::HbDomain)
        form.addAction(inspectorText("Dissolve"), [dissolve = std::move(dissolve), path = blocks.front()] { dissolve(path); });
    if (own < all && !(byHand && role == Instance::Role::Server))
        form.addButton(inspectorText("Make unique"), [&document, blocks] { return makeUnique(*document.now().design, blocks); });
    if (own > 0 && blocks != of.affected)
        form.addButton(inspectorText("Revert block to recipe"),
                       [&document, blocks] { return backToRecipe(*document.now().design, blocks); });
}

} // namespace

void addBlockSection(InspectorForm& form, Document& document, const BlockSelection& selection,
                     std::function<void(const std::string&)> dissolve) {
    addActions(form, document, selection);
    addRows(form, document, selection, std::move(dissolve));
}

} // namespace railyard
