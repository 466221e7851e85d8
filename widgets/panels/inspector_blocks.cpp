// The part of the inspector that shows the blocks of the selection: where their definition comes from, and their contents as fields.
#include "core/base/expression.h"
#include "core/design/model/own_blocks.h"
#include "core/fabric/path_finder.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/plain_text.h"

#include <QFormLayout>
#include <QLabel>
#include <algorithm>

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
std::vector<std::pair<std::string, int>> rowsOf(const Block& block) {
    std::vector<std::pair<std::string, int>> rows;
    const auto add = [&](const std::string& slug, int count) {
        const auto known = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == slug; });
        known == rows.end() ? rows.emplace_back(slug, count) : * known = {slug, known->second + count};
    };
    for (const DeviceRow& row : block.devices) add(row.slug, row.count);
    for (const Instance& row : block.instances) add(row.slug, row.count);
    return rows;
}

} // namespace

// Shows whether the recipe or an override defines the elements, with buttons to revert an override or to apply it to more elements.
void InspectorPanel::addBlockActions() {
    const Design& design = *m_document.now().design;
    const auto own =
        std::count_if(m_affected.begin(), m_affected.end(), [&](const std::string& path) { return design.overrides.contains(path); });
    const bool byHand =
        std::all_of(m_affected.begin(), m_affected.end(), [&](const std::string& path) { return isHandDrawn(design, path); });
    const auto all = static_cast<std::ptrdiff_t>(m_affected.size());
    addFact(tr("Defined by"), byHand     ? tr("Hand drawing")
                              : own == 0 ? tr("Recipe")
                              : all == 1 ? tr("Override ◆")
                                         : tr("Overrides: %1 of %2 ◆").arg(own).arg(all));
    if (own == 0) return;
    addButton(tr("Revert to recipe"), [this] { return backToRecipe(*m_document.now().design, m_affected); });
    const auto first = design.overrides.find(m_paths.front());
    if (m_scope != EditScope::This && first != design.overrides.end() && !(first->second.part.empty() && first->second.block.empty()))
        addButton(tr("Apply this change to all %1").arg(all),
                  [this] { return copyChange(*m_document.now().design, m_paths.front(), m_affected); });
}

// One field for each kind of child, such as leaves or servers. A change overrides the block for all elements in the edit scope.
void InspectorPanel::addBlockRows() {
    const Design& design = *m_document.now().design;
    const std::vector<std::string> blocks = blocksAround(*m_document.now().fabric, m_affected);
    if (blocks.empty()) return;
    const auto isOwn = [&](const std::string& path) {
        const auto change = design.overrides.find(path);
        return change != design.overrides.end() && !change->second.block.empty();
    };
    const auto own = std::count_if(blocks.begin(), blocks.end(), isOwn);
    const auto all = static_cast<std::ptrdiff_t>(blocks.size());
    const QString first = QString::fromStdString(blocks.front());
    auto* heading = plainLabel(all == 1 ? tr("Block %1").arg(first) : tr("%1 blocks like %2").arg(all).arg(first));
    heading->setFont(fontFor(TextRole::ObjectName));
    m_form->addRow(heading);
    const bool byHand = std::all_of(blocks.begin(), blocks.end(), [&](const std::string& path) { return isHandDrawn(design, path); });
    addFact(tr("Contents"), byHand       ? tr("Hand drawing")
                            : own == 0   ? tr("Recipe")
                            : own == all ? tr("Override ◆")
                                         : tr("Overrides: %1 of %2 ◆").arg(own).arg(all));
    for (const auto& [slug, count] : rowsOf(*design.blocks.at(blockNameAt(design, blocks.front()))))
        addField(QString::fromStdString(slug), QStringLiteral("block-") + QString::fromStdString(slug), QString::number(count),
                 [this, blocks, slug = slug, count = count](const std::string& wanted) -> Result<Edit> {
                     const auto number = evaluateCount(wanted, count);
                     if (!number) return number.errors();
                     const auto bounded = static_cast<int>(std::min<std::int64_t>(*number, 1'000'000));
                     return changeBlocks(*m_document.now().design, blocks, {slug, bounded});
                 });
    const PathFinder finder(*m_document.now().fabric);
    const auto scope = all == 1 ? finder.scope(blocks.front()) : std::nullopt;
    const Instance::Role role = scope ? m_document.now().fabric->scopes[*scope].role : Instance::Role::Server;
    if (role != Instance::Role::Server && role != Instance::Role::HbDomain)
        addAction(tr("Dissolve"), [this, path = blocks.front()] { emit dissolveAsked(path); });
    if (own < all && !(byHand && role == Instance::Role::Server))
        addButton(tr("Make unique"), [this, blocks] { return makeUnique(*m_document.now().design, blocks); });
    if (own > 0 && blocks != m_affected)
        addButton(tr("Revert block to recipe"), [this, blocks] { return backToRecipe(*m_document.now().design, blocks); });
}

} // namespace railyard
