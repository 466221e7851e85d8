#include "core/io/document/document_rows.h"

#include "core/analysis/figures/figure_table.h"
#include "core/design/edits/edit.h"
#include "core/design/model/limits.h"
#include "core/design/recipes/recipe.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::size_t mostPortGroups = 64; // of a device
constexpr int mostRacks = 10'000;
constexpr int mostUnits = 100;
constexpr int most = mostCount;

template <class Names>
std::string listed(const Names& names) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

template <class Row>
RowField<Row> slugField() {
    return {"slug",
            [](const JsonView& view, Row& row, const ReadContext&) {
                row.slug = view.text("slug");
                const bool good =
                    !row.slug.empty() && row.slug.size() <= 64 &&
                    std::all_of(row.slug.begin(), row.slug.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
                if (view.has("slug") && !good) view.fail("slug", "is not a valid name; use up to 64 letters, digits, - and _");
            },
            [](Json& json, const Row& row) { json["slug"] = row.slug; }};
}

template <class Row>
RowField<Row> speedField() {
    return {"gbps",
            [](const JsonView& view, Row& row, const ReadContext&) {
                const double speed = view.number("gbps");
                if (view.has("gbps") && view.at("gbps").json().is_number() && (speed <= 0 || speed > 1e6))
                    view.fail("gbps", "is not a valid speed; must be greater than 0 and at most 1,000,000 Gb/s");
                row.speed = gigabitsPerSecond(speed);
            },
            [](Json& json, const Row& row) { json["gbps"] = shortestNumber(inGbps(row.speed)); }};
}

template <class Row>
RowField<Row> partField() {
    return {"part",
            [](const JsonView& view, Row& row, const ReadContext& context) {
                row.part = view.text("part", "");
                if (row.part.empty() || context.catalog.find(row.part)) return;
                view.fail("part", "is \"" + row.part + "\", which is neither among the parts of this file nor in the catalogue; similar: " +
                                      listed(context.catalog.nearest(row.part, "")));
            },
            [](Json& json, const Row& row) {
                if (!row.part.empty()) json["part"] = row.part;
            }};
}

// A required choice whose names are those of `toText`.
template <class Row, class Enum>
RowField<Row> requiredChoiceField(std::string_view key, Enum Row::*member, std::optional<Enum> (*from)(std::string_view),
                                  std::string names) {
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext&) {
                const std::string text = view.text(key);
                const auto value = from(text);
                if (view.has(key) && !value) view.fail(key, "is \"" + text + "\"; must be one of " + names, "choice");
                row.*member = value.value_or(row.*member);
            },
            [=](Json& json, const Row& row) { json[key] = toText(row.*member); }};
}

RowField<RecipeCall> parametersField() {
    return {"parameters",
            [](const JsonView& view, RecipeCall& call, const ReadContext&) {
                view.eachMember("parameters", [&](const std::string& key, const JsonView& value) {
                    if (value.json().is_string())
                        call.parameters[key] = value.json().get<std::string>();
                    else if (value.json().is_number())
                        call.parameters[key] = value.json().dump();
                    else
                        value.fail("", "is neither a string nor a number");
                });
            },
            [](Json& json, const RecipeCall& call) {
                json["parameters"] = Json::object();
                for (const auto& [key, value] : call.parameters) json["parameters"][key] = value;
            }};
}

RowField<FloorPlan> movedField() {
    return {"moved",
            [](const JsonView& view, FloorPlan& floor, const ReadContext&) {
                view.eachMember("moved", [&](const std::string& name, const JsonView& spot) {
                    floor.moved[name] = {static_cast<int>(spot.integer("row", 1, mostRacks)),
                                         static_cast<int>(spot.integer("position", 1, mostRacks))};
                });
            },
            [](Json& json, const FloorPlan& floor) {
                for (const auto& [name, spot] : floor.moved) {
                    if (!json.contains("moved")) json["moved"] = Json::object();
                    addMember(json["moved"], name, {{"row", spot.row}, {"position", spot.position}});
                }
            }};
}

RowField<FloorPlan> feedsField() {
    return {"feeds",
            [](const JsonView& view, FloorPlan& floor, const ReadContext&) {
                view.eachMember("feeds", [&](const std::string& name, const JsonView& rack) {
                    const auto& names = rackFeedsNames;
                    const auto found =
                        rack.json().is_string() ? std::find(names.begin(), names.end(), rack.json().get<std::string>()) : names.end();
                    if (found == names.end())
                        rack.fail("", "must be a, b or a+b");
                    else
                        floor.feedsOf[name] = static_cast<RackFeeds>(found - names.begin());
                });
            },
            [](Json& json, const FloorPlan& floor) {
                for (const auto& [name, feeds] : floor.feedsOf) {
                    if (!json.contains("feeds")) json["feeds"] = Json::object();
                    addMember(json["feeds"], name, rackFeedsNames[static_cast<std::size_t>(feeds)]);
                }
            }};
}

// at_most or at_least.
RowField<Target> boundField() {
    return {"at_most",
            [](const JsonView& view, Target& target, const ReadContext&) {
                target.atMost = view.has("at_most");
                if (target.atMost == view.has("at_least")) return view.fail("", "must have either at_most or at_least");
                target.value = view.number(target.atMost ? "at_most" : "at_least");
            },
            [](Json& json, const Target& target) { json[target.atMost ? "at_most" : "at_least"] = shortestNumber(target.value); }};
}

RowField<Target> figureField() {
    return {"figure",
            [](const JsonView& view, Target& target, const ReadContext& context) {
                const std::string figure = view.text("figure");
                target.figure = stableKey(figure);
                if (target.figure != figure)
                    context.design.migrations.push_back("the target " + figure + " is now called " + target.figure);
            },
            [](Json& json, const Target& target) { json["figure"] = target.figure; }};
}

std::vector<RowField<Callout>> calloutFields() {
    return {requiredChoiceField<Callout>("kind", &Callout::kind, calloutKindFrom, "text, arrow, bracket, legend, logo"),
            textField("text", &Callout::text),
            {"of",
             [](const JsonView& view, Callout& callout, const ReadContext&) {
                 view.eachText("of", [&](const std::string& path) { callout.of.push_back(path); });
             },
             [](Json& json, const Callout& callout) {
                 for (const std::string& path : callout.of) json["of"].push_back(path);
             }},
            {"x",
             [](const JsonView& view, Callout& callout, const ReadContext&) {
                 callout.at = {view.number("x"), view.number("y")};
             },
             [](Json& json, const Callout& callout) {
                 json["x"] = shortestNumber(callout.at.x);
                 json["y"] = shortestNumber(callout.at.y);
             }},
            {"width",
             [](const JsonView& view, Callout& callout, const ReadContext&) {
                 callout.width = view.number("width", 0);
                 if (callout.width < 0) view.fail("width", "is less than 0; remove it to use the automatic width");
             },
             [](Json& json, const Callout& callout) {
                 if (callout.width > 0) json["width"] = shortestNumber(callout.width);
             }},
            {"picture",
             [](const JsonView& view, Callout& callout, const ReadContext&) { callout.picture = SharedText(view.text("picture", "")); },
             [](Json& json, const Callout& callout) {
                 if (!callout.picture.empty()) json["picture"] = callout.picture.text();
             }}};
}

void checkNetwork(const JsonView& view, AuxiliaryNetwork& network, const ReadContext& context) {
    if (network.name != "storage" && network.name != "in-band" && network.name != "out-of-band")
        view.fail("name", "must be storage, in-band or out-of-band");
    for (const AuxiliaryNetwork& other : context.design.networks)
        if (&other != &network && other.name == network.name)
            view.fail("name", "is \"" + network.name + "\", which is already defined; a design has at most one network of each kind");
    if (!view.has("recipe")) return view.fail("recipe", "is missing; it defines how the network is built");
    const auto settings = resolve(network.call, context.catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!planned) return view.fail("recipe", "cannot be built: " + planned.error().text);
    const double devices =
        double(settings->servers) * (settings->gpusPerServer * 2 + settings->nicsPerServer) + double(planned->switches());
    if (devices > static_cast<double>(mostElements) / 2)
        view.fail("recipe", "creates more than 2,500,000 devices, which is the maximum; reduce its servers");
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

} // namespace

template <>
const RowDescription<PortGroup>& descriptionOf() {
    static const RowDescription<PortGroup> rows{{{"count",
                                                  [](const JsonView& view, PortGroup& group, const ReadContext&) {
                                                      group.count = static_cast<int>(view.integer("count", 1, 100'000));
                                                  },
                                                  [](Json& json, const PortGroup& group) { json["count"] = group.count; }},
                                                 speedField<PortGroup>(),
                                                 wholeField("lanes", &PortGroup::lanes, 1, 64, 1)}};
    return rows;
}

template <>
const RowDescription<DeviceRow>& descriptionOf() {
    static const RowDescription<DeviceRow> rows{
        {slugField<DeviceRow>(),
         requiredChoiceField<DeviceRow>("kind", &DeviceRow::kind, deviceKindFrom, "gpu, nic, hb-switch, switch, manager, host"),
         {"tier",
          [](const JsonView& view, DeviceRow& row, const ReadContext&) {
              if (!view.has("tier")) return;
              const auto tier = switchTierFrom(view.text("tier"));
              if (!tier) view.fail("tier", "must be one of leaf, spine, superspine, core", "choice");
              row.tier = tier.value_or(SwitchTier::Leaf);
          },
          [](Json& json, const DeviceRow& row) {
              if (row.tier != SwitchTier::None) json["tier"] = toText(row.tier);
          }},
         partField<DeviceRow>(),
         wholeField("first", &DeviceRow::first, 1, most, 1),
         wholeField("count", &DeviceRow::count, 0, most, 1, true),
         listField("ports", &DeviceRow::ports),
         wholeField("plane", &DeviceRow::plane, 1, mostPlanes, 0),
         wholeField("rail_number", &DeviceRow::railNumber, 1, mostPorts, 0),
         choiceField("rail", &DeviceRow::rail, {"none", "own", "scope"}),
         pointField("at", &DeviceRow::at)},
        [](const JsonView& view, DeviceRow& row, const ReadContext&) {
            if (!view.has("tier") && view.has("kind") && infoOf(row.kind).routes)
                view.fail("tier", "is missing; a switch must be a leaf, spine, superspine or core");
            if (row.ports.size() > mostPortGroups)
                view.fail("ports", "has " + std::to_string(row.ports.size()) + " groups; the maximum is " + std::to_string(mostPortGroups));
        },
        {"slug"},
        true};
    return rows;
}

template <>
const RowDescription<Instance>& descriptionOf() {
    static const RowDescription<Instance> rows{
        {slugField<Instance>(), textField("block", &Instance::block, true),
         choiceField("role", &Instance::role, {"plain", "su", "pod", "rail", "server", "hb-domain", "plane"}), partField<Instance>(),
         wholeField("first", &Instance::first, 1, most, 1), wholeField("count", &Instance::count, 0, most, 1, true),
         pointField("at", &Instance::at)},
        {},
        {"slug"},
        true};
    return rows;
}

template <>
const RowDescription<WiringRule>& descriptionOf() {
    static const RowDescription<WiringRule> rows{
        {textField("id", &WiringRule::id, true),
         requiredChoiceField<WiringRule>("pattern", &WiringRule::pattern, wiringPatternFrom,
                                         "hb-star, hb-mesh, hb-cube, pcie, rail, chassis, spread, manager"),
         textField("lower", &WiringRule::lower, true), textField("upper", &WiringRule::upper, true), speedField<WiringRule>(),
         wholeField("rails", &WiringRule::rails, 1, most, 1), flagField("rails_by_domain", &WiringRule::railsByDomain),
         wholeField("planes", &WiringRule::planes, 1, mostPlanes, 1),
         wholeField("servers_per_leaf", &WiringRule::serversPerLeaf, 0, most, 0), flagField("group_by_plane", &WiringRule::groupByPlane),
         flagField("group_by_rail", &WiringRule::groupByRail), flagField("group_by_index", &WiringRule::groupByIndex),
         wholeField("run", &WiringRule::run, 0, most, 0), wholeField("uppers_per_group", &WiringRule::uppersPerGroup, 0, most, 0),
         wholeField("uplinks", &WiringRule::uplinks, 0, mostPorts, 0), wholeField("down_ratio", &WiringRule::downRatio, 1, most, 1),
         wholeField("up_ratio", &WiringRule::upRatio, 0, most, 1), wholeField("down_ports", &WiringRule::downPorts, 0, most, 0),
         wholeField("manager_ports", &WiringRule::ports, 0, most, 0)},
        [](const JsonView& view, WiringRule& rule, const ReadContext&) {
            if (rule.pattern != WiringPattern::Chassis || rule.serversPerLeaf > 0) return;
            view.fail("servers_per_leaf", std::string(view.has("servers_per_leaf") ? "is 0" : "is missing") +
                                              "; the pattern chassis needs a whole number of 1 or more");
            rule.serversPerLeaf = 1;
        },
        {"id"}};
    return rows;
}

template <>
const RowDescription<FreeLink>& descriptionOf() {
    static const RowDescription<FreeLink> rows{{textField("a", &FreeLink::a, true), textField("b", &FreeLink::b, true)}, {}, {"a", "b"}};
    return rows;
}

template <>
const RowDescription<Block>& descriptionOf() {
    static const RowDescription<Block> rows{
        {listField("devices", &Block::devices), listField("instances", &Block::instances), listField("wiring", &Block::wiring),
         listField("links", &Block::links)},
        [](const JsonView& view, Block& block, const ReadContext&) {
            checkNumbering(view, "devices", block.devices);
            checkNumbering(view, "instances", block.instances);
            if (const std::string shared = sharedName(block); !shared.empty())
                view.fail("instances", "define " + shared + ", which is also a device of this block; rename it, or increase its \"first\"");
        }};
    return rows;
}

template <>
const RowDescription<Override>& descriptionOf() {
    static const RowDescription<Override> rows{
        {flagField("remove", &Override::remove), partField<Override>(), textField("label", &Override::label),
         pointField("at", &Override::at), textField("rack", &Override::rack), wholeField("u", &Override::unit, 1, mostUnits, 0),
         textField("block", &Override::block)},
        [](const JsonView& view, Override& change, const ReadContext& context) {
            if (change.isEmpty()) view.fail("", "has no effect; set remove, part, label, at, rack, u or block");
            if (!change.block.empty() && (change.block == "root" || !context.design.blocks.contains(change.block)))
                view.fail("block", "is \"" + change.block + "\"; must be the name of a block of this file other than root");
        }};
    return rows;
}

template <>
const RowDescription<FloorPlan>& descriptionOf() {
    static const RowDescription<FloorPlan> rows{
        {textField("rack", &FloorPlan::rack), wholeField("servers_per_rack", &FloorPlan::serversPerRack, 1, most, 0),
         wholeField("row_racks", &FloorPlan::rowRacks, 1, mostRacks, 0), numberField("aisle_m", &FloorPlan::aisle, 0, 20),
         numberField("tray_height_m", &FloorPlan::trayHeight, 1, 20), numberField("slack_m", &FloorPlan::slack, 0, 50),
         numberField("slack_fraction", &FloorPlan::slackFraction, 0, 1),
         choiceField("leaf_racks", &FloorPlan::leafRacks, {"middle", "end"}),
         choiceField("medium", &FloorPlan::medium, {"optical", "by-length"}),
         choiceField("power_feeds", &FloorPlan::feeds, {powerFeedsNames[0], powerFeedsNames[1], powerFeedsNames[2]}), movedField(),
         feedsField()},
        [](const JsonView& view, FloorPlan& floor, const ReadContext& context) {
            if (!floor.rack.empty() && !context.catalog.find<RackPart>(floor.rack))
                view.fail("rack", "is \"" + floor.rack + "\", which is not a rack in the parts of this file or in the catalogue");
        }};
    return rows;
}

template <>
const RowDescription<RecipeCall>& descriptionOf() {
    static const RowDescription<RecipeCall> rows{{textField("name", &RecipeCall::name, true), parametersField()}};
    return rows;
}

template <>
const RowDescription<AuxiliaryNetwork>& descriptionOf() {
    static const RowDescription<AuxiliaryNetwork> rows{
        {textField("name", &AuxiliaryNetwork::name, true),
         {"recipe",
          [](const JsonView& view, AuxiliaryNetwork& network, const ReadContext& context) {
              if (view.has("recipe")) network.call = readRow<RecipeCall>(view.at("recipe"), context);
          },
          [](Json& json, const AuxiliaryNetwork& network) { json["recipe"] = rowJson(network.call); }},
         wholeField("others", &AuxiliaryNetwork::others, 0, most, 0)},
        checkNetwork,
        {"name"}};
    return rows;
}

template <>
const RowDescription<Approval>& descriptionOf() {
    static const RowDescription<Approval> rows{
        {textField("code", &Approval::code, true), textField("subject", &Approval::subject), textField("reason", &Approval::reason, true)},
        [](const JsonView& view, Approval& approval, const ReadContext&) {
            if (view.has("reason") && approval.reason.empty()) view.fail("reason", "is empty; state why the finding is accepted");
        },
        {"code", "subject"}};
    return rows;
}

template <>
const RowDescription<SavedView>& descriptionOf() {
    static const RowDescription<SavedView> rows{
        {textField("name", &SavedView::name, true), requiredNumberField("x", &SavedView::x), requiredNumberField("y", &SavedView::y),
         requiredNumberField("width", &SavedView::width), requiredNumberField("height", &SavedView::height),
         flagField("unfolded", &SavedView::unfolded), flagField("elided", &SavedView::elided)},
        [](const JsonView& view, SavedView& saved, const ReadContext&) {
            if (saved.unfolded && saved.elided) view.fail("elided", "cannot be combined with unfolded; remove one of them");
            for (const auto& [key, value] : {std::pair("width", saved.width), std::pair("height", saved.height)})
                if (view.has(key) && !(value > 0)) view.fail(key, "must be greater than 0");
        },
        {"name"}};
    return rows;
}

template <>
const RowDescription<Target>& descriptionOf() {
    static const RowDescription<Target> rows{{figureField(), boundField()}, {}, {"figure"}};
    return rows;
}

template <>
const RowDescription<Callout>& descriptionOf() {
    static const RowDescription<Callout> rows{calloutFields(),
                                              [](const JsonView& view, Callout& callout, const ReadContext&) {
                                                  if (const auto tried = addCallout(Design(), callout); !tried)
                                                      view.fail("", tried.error().text);
                                              },
                                              {"kind", "text"}};
    return rows;
}

RowField<Design> trunkField() { return choiceField("trunk", &Design::trunk, {"per-link", "per-cage"}); }

UnknownKeys unknownIn(const JsonView& view, std::initializer_list<std::string_view> known) {
    const Json unknown = view.unknownKeys(known);
    return unknown.empty() ? UnknownKeys() : UnknownKeys(unknown.dump());
}

Json withUnknown(Json json, const UnknownKeys& unknown) {
    if (unknown.empty()) return json;
    const Json others = Json::parse(unknown.text());
    std::set<std::string> known;
    for (const auto& [key, value] : json.items()) known.insert(key);
    for (const auto& [key, value] : others.items())
        if (!known.contains(key)) addMember(json, key, value);
    return json;
}

} // namespace railyard
