#include "core/fabric/similar_path.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace railyard {
namespace {

// The fewest letters to insert, remove or replace (Levenshtein).
std::size_t lettersBetween(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

struct Wanted {
    std::string slug;
    std::uint32_t index = 1; // the first of a range; 1 where none is said
};

std::vector<Wanted> wantedOf(std::string_view text) {
    text = text.substr(0, text.find(':'));
    std::vector<Wanted> wanted;
    for (std::size_t from = 0; from <= text.size();) {
        const std::string_view segment = text.substr(from, std::min(text.find('/', from), text.size()) - from);
        from += segment.size() + 1;
        const std::size_t bracket = segment.find('[');
        Wanted own{std::string(segment.substr(0, bracket)), 1};
        if (bracket != std::string_view::npos) std::from_chars(segment.data() + bracket + 1, segment.data() + segment.size(), own.index);
        if (own.slug != "**") wanted.push_back(std::move(own));
    }
    return wanted;
}

// How far the names are apart, from the last one upwards: people leave out what stands in front rather than the end.
std::size_t differenceOf(const std::vector<Wanted>& wanted, const std::vector<std::uint16_t>& chain, const Fabric& fabric) {
    constexpr std::size_t missing = 2; // letters that a segment too many or too few counts as
    const std::size_t common = std::min(wanted.size(), chain.size());
    std::size_t sum = missing * (std::max(wanted.size(), chain.size()) - common);
    for (std::size_t i = 1; i <= common; ++i) {
        const std::string& name = wanted[wanted.size() - i].slug;
        if (name != "*") sum += lettersBetween(name, fabric.slugs[chain[chain.size() - i]]);
    }
    return sum;
}

// Every different sequence of names on the way to an element.
std::set<std::vector<std::uint16_t>> chainsOf(const Fabric& fabric) {
    std::set<std::vector<std::uint16_t>> chains;
    std::vector<std::vector<std::uint16_t>> ofScopes(fabric.scopes.size());
    for (ScopeId s(0); s < fabric.scopes.size(); ++s) {
        const auto& scope = fabric.scopes[s];
        if (scope.parent == none) continue;
        ofScopes[s] = ofScopes[scope.parent];
        ofScopes[s].push_back(scope.slug);
        chains.insert(ofScopes[s]);
    }
    std::set<std::pair<std::vector<std::uint16_t>, std::uint16_t>> seen;
    for (const DeviceId d : fabric.devices.ids()) {
        const auto& above = ofScopes[fabric.devices.scope[d]];
        if (!seen.emplace(above, fabric.devices.slug[d]).second) continue;
        auto chain = above;
        chain.push_back(fabric.devices.slug[d]);
        chains.insert(std::move(chain));
    }
    return chains;
}

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

// The element on this chain whose indices are nearest to the wanted ones, from the outermost inwards.
std::string nearestOn(const std::vector<std::uint16_t>& chain, const std::vector<Wanted>& wanted, const Fabric& fabric) {
    std::set<ScopeId> at; // those that have been reached
    for (ScopeId s(0); s < fabric.scopes.size(); ++s)
        if (fabric.scopes[s].parent == none) at.insert(s);
    const auto indexAt = [&](std::size_t level) { // of the text, whose last segments are compared
        const std::size_t fromEnd = chain.size() - level;
        return fromEnd <= wanted.size() ? wanted[wanted.size() - fromEnd].index : 1;
    };
    for (std::size_t level = 0; level < chain.size(); ++level) {
        std::optional<ScopeId> scope;
        for (ScopeId s(0); s < fabric.scopes.size(); ++s)
            if (const auto& own = fabric.scopes[s]; own.parent != none && at.contains(own.parent) && own.slug == chain[level])
                if (!scope || apart(own.index, indexAt(level)) < apart(fabric.scopes[*scope].index, indexAt(level))) scope = s;
        if (scope) {
            if (level + 1 == chain.size()) return fabric.scopePath(*scope);
            at = {*scope};
            continue;
        }
        std::optional<DeviceId> device;
        for (const DeviceId d : fabric.devices.ids())
            if (at.contains(fabric.devices.scope[d]) && fabric.devices.slug[d] == chain[level])
                if (!device || apart(fabric.devices.index[d], indexAt(level)) < apart(fabric.devices.index[*device], indexAt(level)))
                    device = d;
        return device && level + 1 == chain.size() ? fabric.devicePath(*device) : std::string();
    }
    return {};
}

} // namespace

std::string similarPath(const Fabric& fabric, std::string_view text) {
    const std::vector<Wanted> wanted = wantedOf(text);
    std::size_t letters = 0;
    for (const Wanted& each : wanted) letters += each.slug.size();
    const std::vector<std::uint16_t>* best = nullptr;
    const auto chains = chainsOf(fabric);
    std::size_t least = letters / 2 + 1; // what has less than half of the letters is another word
    for (const auto& chain : chains)
        if (const std::size_t own = differenceOf(wanted, chain, fabric); own < least) least = own, best = &chain;
    return best ? nearestOn(*best, wanted, fabric) : std::string();
}

std::string similarWord(std::string_view text, const std::vector<std::string>& words) {
    std::size_t least = text.size() / 2 + 1;
    std::string best;
    for (const std::string& word : words)
        if (const std::size_t own = lettersBetween(text, word); own < least) least = own, best = word;
    return best;
}

} // namespace railyard
