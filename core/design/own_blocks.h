// Blocks that single elements have of their own (Override::block): an SU with fewer servers, a pod with another leaf count.
// The recipe may be run again; its own blocks stay those of the elements.
#pragma once

#include "core/design/design.h"

#include <string>
#include <string_view>

namespace railyard {

// The blocks with every own one in its place: "root" then holds the rows su[1-2], su[3], su[4], the second of a block of its
// own. A path that the recipe no longer makes changes nothing.
std::map<std::string, BlockPointer> blocksInForce(const Design& design);

// What a block knows only from where it stands.
struct BlockSurroundings {
    int rail = 0, plane = 0;   // 0: of none, or told by the block itself
    std::vector<int> nicRails; // of a server's NICs, where only the wiring around it says so
    auto operator<=>(const BlockSurroundings&) const = default;
};
// Copies of blocks, with all that is inside, under names of their own: no run of the recipe reaches them. What the copy no
// longer stands in is written into it.
class BlockCopies {
public:
    BlockCopies(std::map<std::string, BlockPointer> from, Design& into) : m_from(std::move(from)), m_into(into) {}
    std::string take(const std::string& block, const BlockSurroundings& around = {}); // its name; alike ones share a copy

private:
    std::size_t nicsOf(const std::string& block) const;

    std::map<std::string, BlockPointer> m_from;
    Design& m_into;
    std::map<std::pair<std::string, BlockSurroundings>, std::string> m_taken;
};
std::string freshBlockName(const Design& design, std::string_view prefix); // prefix1, prefix2, ...

// The block at a path of the recipe, own ones in force; of blocksInForce(). Empty where there is none.
std::string blockNameIn(const std::map<std::string, BlockPointer>& inForce, std::string_view path);
// The name in design.blocks of the block that stands at a path ("su[3]", "pod[2]/su[1]", the hand-drawn "group[1]"), without
// what elements inside it have of their own; empty where none does.
std::string blockNameAt(const Design& design, std::string_view path);

constexpr std::size_t mostOwnBlocks = 10'000; // elements with one; placing them is quadratic
// Names of blocks that are somebody's own, and of copies on the way to one, which no document may use.
constexpr std::string_view ownBlockPrefix = "own-", placedBlockPrefix = "at ";
constexpr std::string_view groupBlockPrefix = "group-"; // of blocks made by grouping; they stay, to be drawn again
// Drops own blocks that nobody has any more.
void dropUnusedBlocks(Design& design);
// After the recipe was run again: the blocks that elements have of their own or were drawn by hand, and all those inside.
void keepOwnBlocks(const Design& before, Design& after);

} // namespace railyard
