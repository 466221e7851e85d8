// Blocks of single elements (Override::block): for example an SU with fewer servers, or a pod with another leaf count.
// They are kept when the recipe is rebuilt.
#pragma once

#include "core/design/model/design.h"

#include <string>
#include <string_view>

namespace railyard {

// All blocks with the overrides applied: "root" then contains the rows su[1-2], su[3], su[4], where su[3] has its own block.
// Paths that no longer exist have no effect.
std::map<std::string, BlockPointer> blocksInForce(const Design& design);

// Properties of a block that depend on its surroundings.
struct BlockSurroundings {
    int rail = 0, plane = 0;   // 0: none, or defined by the block itself
    std::vector<int> nicRails; // of the NICs of a server, if only the wiring around it defines them
    auto operator<=>(const BlockSurroundings&) const = default;
};
// Copies blocks with all inner blocks under new names, so that they do not change with the recipe. Properties that depended on
// the surroundings are stored in the copy.
class BlockCopies {
public:
    BlockCopies(std::map<std::string, BlockPointer> from, Design& into) : m_from(std::move(from)), m_into(into) {}
    std::string take(const std::string& block, const BlockSurroundings& around = {}); // the name of the copy; identical copies are shared

private:
    std::size_t nicsOf(const std::string& block) const;

    std::map<std::string, BlockPointer> m_from;
    Design& m_into;
    std::map<std::pair<std::string, BlockSurroundings>, std::string> m_taken;
};
std::string freshBlockName(const Design& design, std::string_view prefix); // prefix1, prefix2, ...

// The block at a path of the recipe in blocksInForce(), with overrides applied. Empty if there is none.
std::string blockNameIn(const std::map<std::string, BlockPointer>& inForce, std::string_view path);
// The name in design.blocks of the block at a path ("su[3]", "pod[2]/su[1]", the hand-drawn "group[1]"), without the overrides
// of elements inside it; empty if there is no block.
std::string blockNameAt(const Design& design, std::string_view path);

constexpr std::size_t mostOwnBlocks = 10'000; // maximum number of elements with their own block; applying them takes quadratic time
// Reserved names: blocks of single elements, and copies on the path to them.
constexpr std::string_view ownBlockPrefix = "own-", placedBlockPrefix = "at ";
constexpr std::string_view groupBlockPrefix = "group-"; // prefix of blocks made by grouping; they are kept as templates
// Removes blocks of single elements that are no longer used.
void dropUnusedBlocks(Design& design);
// After rebuilding the recipe: keeps the blocks of single elements, hand-drawn blocks, and all their inner blocks.
void keepOwnBlocks(const Design& before, Design& after);

} // namespace railyard
