// Reading a document: every wrong key is reported with its place, and nothing is taken on trust.
#include "core/io/document/design_json.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/option_sections.h"
#include "core/base/file.h"
#include "core/catalog/catalog_json.h"
#include "core/catalog/price_book.h"
#include "core/design/edits/edit.h"
#include "core/design/model/limits.h"
#include "core/design/model/own_blocks.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_names.h"
#include "core/json/json_view.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace railyard {
namespace {

constexpr std::size_t mostPortGroups = 64; // of a device
constexpr int mostRacks = 10'000;
constexpr int mostUnits = 100;

std::optional<Point> readPoint(const JsonView& view, std::string_view key) {
    if (!view.has(key)) return {};
    const Json& at = view.at(key).json();
    if (at.is_array() && at.size() == 2 && at[0].is_number() && at[1].is_number()) return Point{at[0].get<double>(), at[1].get<double>()};
    view.fail(key, "is not a position; write it as [x, y]");
    return {};
}

template <std::size_t N>
std::size_t readChoice(const JsonView& view, std::string_view key, const std::string_view (&names)[N]) {
    const std::string text = view.text(key, std::string(names[0]));
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return i;
    std::string allowed;
    for (const std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    view.fail(key, "is \"" + text + "\"; must be one of " + allowed, "choice");
    return 0;
}

std::string readSlug(const JsonView& view) {
    const std::string slug = view.text("slug");
    const bool good = !slug.empty() && slug.size() <= 64 &&
                      std::all_of(slug.begin(), slug.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
    if (view.has("slug") && !good) view.fail("slug", "is not a valid name; use up to 64 letters, digits, - and _");
    return slug;
}

double readSpeed(const JsonView& view) {
    const double speed = view.number("gbps");
    if (view.has("gbps") && view.at("gbps").json().is_number() && (speed <= 0 || speed > 1e6))
        view.fail("gbps", "is not a valid speed; must be greater than 0 and at most 1,000,000 Gb/s");
    return speed;
}

UnknownKeys unknownIn(const JsonView& view, std::initializer_list<std::string_view> known = {}) {
    const Json unknown = view.unknownKeys(known);
    return unknown.empty() ? UnknownKeys() : UnknownKeys(unknown.dump());
}

// Format 1 gave rail-only without `rails` one rail per NIC of an HB domain; format 2 chooses the count with the fewest switches.
void keepRailsOfFormat1(Design& design) {
    const RecipeInfo* info = design.recipe ? findRecipe(design.recipe->name) : nullptr;
    if (!info || info->family != RecipeFamily::RailOnly || design.recipe->parameters.contains("rails")) return;
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return;
    const std::string rails = std::to_string(settings->nicsPerRailUnit());
    design.recipe->parameters["rails"] = rails;
    design.migrations.push_back("format 1 built one rail per NIC of an HB domain; the recipe now states rails = " + rails +
                                " (rails = auto builds the fewest switches)");
}

// Rows of one name share a numbering: their ranges must not overlap, or two elements would have one path.
template <class Row>
void checkNumbering(const JsonView& view, std::string_view list, const std::vector<Row>& rows) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].count > 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(rows[a].slug, rows[a].first, a) < std::tie(rows[b].slug, rows[b].first, b);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Row &lower = rows[order[i - 1]], &upper = rows[order[i]];
        if (lower.slug != upper.slug || upper.first >= lower.first + lower.count) continue;
        const std::size_t later = std::max(order[i - 1], order[i]);
        view.at(list).fail(std::to_string(later), "defines " + upper.slug + "[" + std::to_string(upper.first) +
                                                      "] a second time; increase its \"first\", or rename it");
        return;
    }
}

// Which names of a block lead to devices. A rule is answered in the time of its name, however the blocks refer to one another.
class StagePaths {
public:
    explicit StagePaths(const Design& design) : m_design(design) {}

    bool leadToDevices(const Block& block, std::string_view path, int depth = 0) {
        if (depth > 32) return false;
        const std::string key = block.name + '\n' + std::string(path);
        if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
        const Names& names = namesOf(block);
        const std::size_t slash = path.find('/');
        bool leads = slash == std::string_view::npos && names.devices.contains(path);
        if (slash != std::string_view::npos)
            if (const auto inner = names.inner.find(path.substr(0, slash)); inner != names.inner.end())
                leads = std::any_of(inner->second.begin(), inner->second.end(),
                                    [&](const Block* next) { return leadToDevices(*next, path.substr(slash + 1), depth + 1); });
        return m_known[key] = leads;
    }

private:
    struct Names {
        std::unordered_set<std::string_view> devices;
        std::unordered_map<std::string_view, std::set<const Block*>> inner;
    };
    const Names& namesOf(const Block& block) {
        const auto [at, isNew] = m_names.try_emplace(&block);
        if (!isNew) return at->second;
        for (const DeviceRow& row : block.devices) at->second.devices.insert(row.slug);
        for (const Instance& instance : block.instances)
            if (const auto inner = m_design.blocks.find(instance.block); inner != m_design.blocks.end())
                at->second.inner[instance.slug].insert(inner->second.get());
        return at->second;
    }

    const Design& m_design;
    std::map<const Block*, Names> m_names;
    std::unordered_map<std::string, bool> m_known;
};

class DesignReader {
public:
    DesignReader(const JsonSource& source, Catalog catalog)
        : m_source(source),
          m_root(JsonView::root(source)),
          m_catalog(std::make_shared<const Catalog>(std::move(catalog))) {}

    DesignPointer read(std::int64_t format, std::set<std::string> ownParts) {
        auto design = std::make_shared<Design>();
        design->ownParts = std::move(ownParts);
        design->catalog = m_catalog;
        design->name = m_root.text("name", "untitled");
        if (m_root.has("recipe")) design->recipe = readRecipe(m_root.at("recipe"));
        if (format < 2) keepRailsOfFormat1(*design);
        design->trunk = static_cast<Trunk>(readChoice(m_root, "trunk", trunkNames));
        if (m_root.has("floor")) design->floor = readFloor(m_root.at("floor"));
        m_root.eachItem("networks", [&](const JsonView& view) {
            AuxiliaryNetwork side = readSide(view, *m_catalog);
            for (const AuxiliaryNetwork& other : design->networks)
                if (other.name == side.name)
                    return view.fail("name",
                                     "is \"" + side.name + "\", which is already defined; a design has at most one network of each kind");
            design->networks.push_back(std::move(side));
        });
        m_root.eachMember("blocks", [&](const std::string& name, const JsonView& view) { design->blocks[name] = readBlock(name, view); });
        if (m_root.has("free")) design->free = readBlock("free", m_root.at("free"));
        m_root.eachMember("overrides", [&](const std::string& path, const JsonView& view) {
            design->overrides[path] = {view.flag("remove", false), readPart(view),
                                       view.text("label", ""),     readPoint(view, "at"),
                                       view.text("rack", ""),      static_cast<int>(view.integer("u", 1, mostUnits, 0)),
                                       view.text("block", "")};
            design->overrides[path].unknown = unknownIn(view);
            if (design->overrides[path].isEmpty()) view.fail("", "has no effect; set remove, part, label, at, rack, u or block");
            const std::string own = view.text("block", "");
            if (!own.empty() && (own == "root" || !design->blocks.contains(own)))
                view.fail("block", "is \"" + own + "\"; must be the name of a block of this file other than root");
        });
        m_root.eachItem("approvals", [&](const JsonView& view) {
            design->approvals.push_back({view.text("code"), view.text("subject", ""), view.text("reason")});
            design->approvals.back().unknown = unknownIn(view);
            if (view.has("reason") && design->approvals.back().reason.empty())
                view.fail("reason", "is empty; state why the finding is accepted");
        });
        m_root.eachItem("targets", [&](const JsonView& target) {
            const bool atMost = target.has("at_most");
            if (atMost == target.has("at_least")) return target.fail("", "must have either at_most or at_least");
            const std::string figure = target.text("figure");
            design->targets.push_back({stableKey(figure), atMost, target.number(atMost ? "at_most" : "at_least")});
            if (stableKey(figure) != figure) design->migrations.push_back("the target " + figure + " is now called " + stableKey(figure));
            design->targets.back().unknown = unknownIn(target);
        });
        m_root.eachItem("views", [&](const JsonView& view) {
            design->views.push_back({view.text("name"), view.number("x"), view.number("y"), view.number("width"), view.number("height"),
                                     view.flag("unfolded", false), view.flag("elided", false)});
            design->views.back().unknown = unknownIn(view);
            if (design->views.back().unfolded && design->views.back().elided)
                view.fail("elided", "cannot be combined with unfolded; remove one of them");
            for (const char* key : {"width", "height"})
                if (view.has(key) && !(view.number(key) > 0)) view.fail(key, "must be greater than 0");
        });
        m_root.eachItem("callouts", [&](const JsonView& view) {
            if (design->callouts.size() == mostCallouts)
                view.fail("", "exceeds the maximum of " + std::to_string(mostCallouts) + " callouts in a design");
            if (design->callouts.size() <= mostCallouts) design->callouts.push_back(readCallout(view));
        });
        for (const OptionSection& section : optionSections())
            if (m_root.has(section.key)) (*design).*section.options = readOptions(m_root.at(section.key), section);
        design->unknown = unknownIn(m_root, {"format", "parts"});
        checkReferences(*design);
        return design;
    }

private:
    static Callout readCallout(const JsonView& view) {
        Callout callout;
        const std::string kind = view.text("kind");
        const auto known = calloutKindFrom(kind);
        if (!known) return view.fail("kind", "is \"" + kind + "\"; must be one of text, arrow, bracket, legend, logo", "choice"), callout;
        callout.kind = *known;
        callout.text = view.text("text", "");
        view.eachText("of", [&](const std::string& path) { callout.of.push_back(path); });
        callout.at = {view.number("x"), view.number("y")};
        callout.width = view.number("width", 0);
        callout.picture = SharedText(view.text("picture", ""));
        callout.unknown = unknownIn(view);
        if (callout.width < 0) view.fail("width", "is less than 0; remove it to use the automatic width");
        if (const auto tried = addCallout(Design(), callout); !tried) view.fail("", tried.error().text);
        return callout;
    }
    std::string readPart(const JsonView& view) const {
        const std::string id = view.text("part", "");
        if (id.empty() || m_catalog->find(id)) return id;
        std::string nearest;
        for (const std::string& name : m_catalog->nearest(id, "")) nearest += (nearest.empty() ? "" : ", ") + name;
        view.fail("part", "is \"" + id + "\", which is neither among the parts of this file nor in the catalogue; similar: " + nearest);
        return id;
    }

    FloorPlan readFloor(const JsonView& view) const {
        FloorPlan floor;
        if (!view.isObject()) return view.fail("", "is not a floor plan; write it as an object in curly braces"), floor;
        floor.rack = view.text("rack", "");
        if (!floor.rack.empty() && !m_catalog->find<RackPart>(floor.rack))
            view.fail("rack", "is \"" + floor.rack + "\", which is not a rack in the parts of this file or in the catalogue");
        floor.serversPerRack = static_cast<int>(view.integer("servers_per_rack", 1, mostCount, 0));
        floor.rowRacks = static_cast<int>(view.integer("row_racks", 1, mostRacks, 0));
        const auto length = [&](const char* key, double low, double high, double usual) {
            const double value = view.number(key, usual);
            if (!(value >= low && value <= high))
                view.fail(key, "must be from " + Json(low).dump() + " to " + Json(high).dump() + "; the default is " + Json(usual).dump());
            return value;
        };
        floor.aisle = Metres(length("aisle_m", 0, 20, floor.aisle.value()));
        floor.trayHeight = Metres(length("tray_height_m", 1, 20, floor.trayHeight.value()));
        floor.slack = Metres(length("slack_m", 0, 50, floor.slack.value()));
        floor.slackFraction = length("slack_fraction", 0, 1, floor.slackFraction);
        floor.leafRacks = static_cast<LeafRacks>(readChoice(view, "leaf_racks", leafRackNames));
        floor.medium = static_cast<CableMedium>(readChoice(view, "medium", mediumNames));
        view.eachMember("moved", [&](const std::string& name, const JsonView& spot) {
            floor.moved[name] = {static_cast<int>(spot.integer("row", 1, mostRacks)),
                                 static_cast<int>(spot.integer("position", 1, mostRacks))};
        });
        floor.unknown = unknownIn(view);
        return floor;
    }

    static AuxiliaryNetwork readSide(const JsonView& view, const Catalog& catalog) {
        AuxiliaryNetwork side{view.text("name"), {}, static_cast<int>(view.integer("others", 0, mostCount, 0))};
        if (side.name != "storage" && side.name != "in-band" && side.name != "out-of-band")
            view.fail("name", "must be storage, in-band or out-of-band");
        if (!view.has("recipe")) return view.fail("recipe", "is missing; it defines how the network is built"), side;
        side.call = readRecipe(view.at("recipe"));
        side.unknown = unknownIn(view);
        const auto settings = resolve(side.call, catalog);
        const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
        if (!planned) return view.fail("recipe", "cannot be built: " + planned.error().text), side;
        const double devices =
            double(settings->servers) * (settings->gpusPerServer * 2 + settings->nicsPerServer) + double(planned->switches());
        if (devices > static_cast<double>(mostElements) / 2)
            view.fail("recipe", "creates more than 2,500,000 devices, which is the maximum; reduce its servers");
        return side;
    }

    static NamedOptions readOptions(const JsonView& view, const OptionSection& section) {
        NamedOptions call;
        if (!view.isObject()) {
            view.fail("", "is not a " + std::string(section.noun) + "; write it as an object with options");
            return call;
        }
        view.eachMember("options", [&](const std::string& key, const JsonView& value) {
            const Json& given = value.json();
            if (!given.is_string() && !given.is_number() && !(key == "model" && given.is_object()))
                return value.fail("", "is neither a string nor a number");
            call.options[key] = given.is_string() ? given.get<std::string>() : given.dump();
            if (const auto read = section.check({{key, call.options[key]}}); !read) // one by one, so that each error has its place
                for (const Error& error : read.errors()) value.fail("", error.wrong.empty() ? error.text : error.wrong, error.code);
        });
        call.unknown = unknownIn(view);
        return call;
    }

    static RecipeCall readRecipe(const JsonView& view) {
        RecipeCall call{view.text("name"), {}};
        view.eachMember("parameters", [&](const std::string& key, const JsonView& value) {
            if (value.json().is_string())
                call.parameters[key] = value.json().get<std::string>();
            else if (value.json().is_number())
                call.parameters[key] = value.json().dump();
            else
                value.fail("", "is neither a string nor a number");
        });
        call.unknown = unknownIn(view);
        return call;
    }

    BlockPointer readBlock(const std::string& name, const JsonView& view) const {
        auto block = std::make_shared<Block>();
        block->name = name;
        if (!view.isObject()) return view.fail("", "is not a block; write it as an object in curly braces"), block;
        view.eachItem("devices", [&](const JsonView& row) { block->devices.push_back(readDevice(row)); });
        view.eachItem("instances", [&](const JsonView& row) { block->instances.push_back(readInstance(row)); });
        checkNumbering(view, "devices", block->devices);
        checkNumbering(view, "instances", block->instances);
        if (const std::string shared = sharedName(*block); !shared.empty())
            view.fail("instances", "define " + shared + ", which is also a device of this block; rename it, or increase its \"first\"");
        view.eachItem("wiring", [&](const JsonView& row) { block->wiring.push_back(readRule(row)); });
        view.eachItem("links", [&](const JsonView& row) { block->links.push_back({row.text("a"), row.text("b"), unknownIn(row)}); });
        block->unknown = unknownIn(view);
        return block;
    }

    DeviceRow readDevice(const JsonView& view) const {
        DeviceRow row;
        row.slug = readSlug(view);
        const auto kind = deviceKindFrom(view.text("kind"));
        if (!kind) view.fail("kind", "must be one of gpu, nic, hb-switch, switch, manager, host", "choice");
        row.kind = kind.value_or(DeviceKind::Host);
        if (view.has("tier")) {
            const auto tier = switchTierFrom(view.text("tier"));
            if (!tier) view.fail("tier", "must be one of leaf, spine, superspine, core", "choice");
            row.tier = tier.value_or(SwitchTier::Leaf);
        } else if (row.kind == DeviceKind::Switch) {
            view.fail("tier", "is missing; a switch must be a leaf, spine, superspine or core");
        }
        row.part = readPart(view);
        row.first = static_cast<int>(view.integer("first", 1, mostCount, 1));
        row.count = static_cast<int>(view.integer("count", 0, mostCount, 1));
        view.eachItem("ports", [&](const JsonView& port) {
            const double speed = readSpeed(port);
            row.ports.push_back({static_cast<int>(port.integer("count", 1, 100000)), gigabitsPerSecond(speed),
                                 static_cast<int>(port.integer("lanes", 1, 64, 1)), unknownIn(port)});
        });
        if (row.ports.size() > mostPortGroups)
            view.fail("ports", "has " + std::to_string(row.ports.size()) + " groups; the maximum is " + std::to_string(mostPortGroups));
        row.plane = static_cast<int>(view.integer("plane", 1, mostPlanes, 0));
        row.rail = static_cast<DeviceRow::Rail>(readChoice(view, "rail", railNames));
        row.railNumber = static_cast<int>(view.integer("rail_number", 1, mostPorts, 0));
        row.at = readPoint(view, "at");
        row.unknown = unknownIn(view);
        return row;
    }

    Instance readInstance(const JsonView& view) const {
        Instance instance;
        instance.slug = readSlug(view);
        instance.block = view.text("block");
        instance.role = static_cast<Instance::Role>(readChoice(view, "role", roleNames));
        instance.part = readPart(view);
        instance.first = static_cast<int>(view.integer("first", 1, mostCount, 1));
        instance.count = static_cast<int>(view.integer("count", 0, mostCount, 1));
        instance.at = readPoint(view, "at");
        instance.unknown = unknownIn(view);
        return instance;
    }

    static WiringRule readRule(const JsonView& view) {
        WiringRule rule;
        rule.id = view.text("id");
        const auto pattern = wiringPatternFrom(view.text("pattern"));
        if (view.has("pattern") && !pattern)
            view.fail("pattern", "must be one of hb-star, hb-mesh, hb-cube, pcie, rail, chassis, spread, manager", "choice");
        rule.pattern = pattern.value_or(WiringPattern::Spread);
        rule.lower = view.text("lower");
        rule.upper = view.text("upper");
        rule.speed = gigabitsPerSecond(readSpeed(view));
        const auto whole = [&](const char* key, int low, int usual) { return static_cast<int>(view.integer(key, low, mostCount, usual)); };
        rule.rails = whole("rails", 1, 1);
        rule.railsByDomain = view.flag("rails_by_domain", false);
        rule.planes = static_cast<int>(view.integer("planes", 1, mostPlanes, 1));
        rule.serversPerLeaf = whole("servers_per_leaf", rule.pattern == WiringPattern::Chassis ? 1 : 0, 0);
        if (rule.pattern == WiringPattern::Chassis && rule.serversPerLeaf == 0)
            view.fail("servers_per_leaf", "is missing; must be a whole number of 1 or more"), rule.serversPerLeaf = 1;
        rule.groupByPlane = view.flag("group_by_plane", false);
        rule.groupByRail = view.flag("group_by_rail", false);
        rule.groupByIndex = view.flag("group_by_index", false);
        rule.run = whole("run", 0, 0);
        rule.uppersPerGroup = whole("uppers_per_group", 0, 0);
        rule.uplinks = static_cast<int>(view.integer("uplinks", 0, mostPorts, 0));
        rule.downRatio = whole("down_ratio", 1, 1);
        rule.upRatio = whole("up_ratio", 0, 1);
        rule.downPorts = whole("down_ports", 0, 0);
        rule.ports = whole("manager_ports", 0, 0);
        rule.unknown = unknownIn(view);
        return rule;
    }

    // Blocks must exist, must not contain themselves, and must not multiply beyond what fits in memory.
    void checkReferences(const Design& design) const {
        std::map<std::string, int> heights;
        bool isTooHigh = false;
        for (const auto& [name, block] : design.blocks)
            if (heightOf(design, name, heights, 0) > mostHeight && !std::exchange(isTooHigh, true))
                m_root.at("blocks").fail(name, "is nested more than 32 blocks deep, which is the maximum");
        if (design.recipe && !design.blocks.contains("root")) // drawings by hand keep blocks to be drawn again
            m_root.fail("blocks", "has no block \"root\", so the design is empty; add the block, or open an earlier copy of the file");
        StagePaths paths(design);
        for (const auto& [name, block] : design.blocks)
            for (std::size_t r = 0; r < block->wiring.size(); ++r)
                for (const auto& [key, path] : {std::pair("lower", block->wiring[r].lower), std::pair("upper", block->wiring[r].upper)})
                    if (!paths.leadToDevices(*block, path))
                        m_root.at("blocks").at(name).at("wiring").fail(std::to_string(r),
                                                                       "rule \"" + block->wiring[r].id + "\": " + key + " \"" + path +
                                                                           "\" does not refer to a device of this block");
        for (const auto& [name, block] : design.blocks) {
            if (name.starts_with(placedBlockPrefix)) m_root.at("blocks").fail(name, "has a reserved name; rename the block");
            for (const Instance& instance : block->instances)
                if (instance.block == "root")
                    m_root.at("blocks").fail(name, "contains \"root\", which is the entire design; use another block");
        }
        checkOwnBlocks(design);
        for (const Instance& instance : design.free->instances)
            if (!design.blocks.contains(instance.block))
                m_root.fail("free", "uses the block \"" + instance.block + "\", which is not defined in this file");
        if (!m_source.errors.empty()) return;
        if (const std::string problem = beyondLimits(design); !problem.empty()) m_root.fail("blocks", problem);
        if (const std::string name = sharedName(design); !name.empty())
            m_root.fail("free", "defines " + name + ", which the block \"root\" also defines; rename it, or increase its \"first\"");
    }
    // On the way to every element that has its own, blocks are searched and copied.
    void checkOwnBlocks(const Design& design) const {
        constexpr std::size_t mostSearched = 50'000'000, mostCopied = 5'000'000, mostSegments = 32; // rows
        std::size_t own = 0, searched = 0, copied = 0;
        for (const auto& [path, change] : design.overrides) {
            if (change.block.empty()) continue;
            if (++own > mostOwnBlocks)
                return m_root.fail(
                    "overrides", "gives more than 10,000 elements their own block, which is the maximum; change the shared blocks instead");
            if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) >= mostSegments)
                return m_root.at("overrides").fail(path, "is nested more than 32 blocks deep, which is the maximum");
            for (std::size_t end = 0; end != std::string::npos; end = path.find('/', end + 1)) {
                const auto block = design.blocks.find(end == 0 ? "root" : blockNameAt(design, std::string_view(path).substr(0, end)));
                if (block == design.blocks.end()) continue;
                const std::size_t rows = block->second->devices.size() + block->second->instances.size();
                (end == 0 ? searched : copied) += rows; // the root is changed in place
            }
            if (searched > mostSearched || copied > mostCopied)
                return m_root.fail("overrides", "needs too much memory; give fewer elements their own block");
        }
    }
    static constexpr int mostHeight = 32;
    // How many blocks stand inside one another; beyond the maximum it is not counted to the end.
    int heightOf(const Design& design, const std::string& name, std::map<std::string, int>& heights, int depth) const {
        constexpr int open = -1; // open: this block is inside it
        const auto known = heights.find(name);
        if (known != heights.end() && known->second != open) return known->second;
        const JsonView blocks = m_root.has("blocks") ? m_root.at("blocks") : m_root;
        const auto found = design.blocks.find(name);
        if (found == design.blocks.end()) blocks.fail("", "does not define \"" + name + "\", which is used by an instance");
        if (known != heights.end()) blocks.fail(name, "contains itself; a block can only contain other blocks");
        if (found == design.blocks.end() || known != heights.end() || depth > mostHeight) return heights[name] = 0;
        heights[name] = open;
        int height = 0;
        for (const Instance& instance : found->second->instances)
            height = std::max(height, heightOf(design, instance.block, heights, depth + 1) + 1);
        return heights[name] = height;
    }

    const JsonSource& m_source;
    JsonView m_root;
    CatalogPointer m_catalog;
};

} // namespace

Result<DesignPointer> readDesign(const std::string& text, const std::string& file) {
    auto parsed = parseJson(text, file);
    if (!parsed) return parsed.errors();
    JsonSource source{file, text, std::move(*parsed), {}};
    const JsonView root = JsonView::root(source);
    if (!root.isObject() || !root.has("format"))
        return Error::file(file, "is not a Railyard document: it has no \"format\"; open a *.railyard file", 1, 1);
    const std::int64_t format = root.integer("format", 1, 1'000'000);
    if (!source.errors.empty()) return source.errors;
    if (format > documentFormat)
        return Error{Error::Kind::File,
                     "\"format\" is " + std::to_string(format) +
                         ", which requires a newer version of Railyard; this version reads up to format " + std::to_string(documentFormat),
                     locateInJson(text, file, {"format"})};
    if (!root.has("blocks") || !root.has("free"))
        return Error::file(file, "is not a Railyard document: it has no \"blocks\" and \"free\"; open a *.railyard file", 1, 1);
    Catalog catalog = *shippedCatalog();
    std::set<std::string> ownParts;
    root.eachMember("parts", [&](const std::string&, const JsonView& view) {
        auto part = readPart(view);
        if (!part) return;
        const Part* shipped = shippedCatalog()->find(part->id);
        if (!shipped || shipped->original != part->original) ownParts.insert(part->id);
        catalog.add(std::move(*part));
    });
    DesignReader reader(source, priceBookInUse().applyTo(std::move(catalog)));
    DesignPointer design = reader.read(format, std::move(ownParts));
    if (!source.errors.empty()) return source.errors;
    return design;
}

Result<DesignFile> loadDesignFile(const std::string& path) {
    auto text = readFile(path, mostJsonBytes);
    if (!text) return text.errors();
    auto design = readDesign(*text, path);
    return design ? Result<DesignFile>(DesignFile{std::move(*design), contentMark(*text)}) : Result<DesignFile>(design.errors());
}

Result<DesignPointer> loadDesign(const std::string& path) {
    auto file = loadDesignFile(path);
    return file ? Result<DesignPointer>(std::move(file->design)) : Result<DesignPointer>(file.errors());
}

Result<std::string> saveDesign(const Design& design, const std::string& path, std::optional<std::string> knownMark) {
    const std::string text = designText(design);
    if (Status written = writeFile(path, text, {.knownMark = std::move(knownMark)}); !written) return written.errors();
    return contentMark(text);
}

} // namespace railyard
