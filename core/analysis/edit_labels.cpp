#include "core/analysis/edit_labels.h"

#include "core/base/unit_text.h"
#include "core/bill/cabling.h"
#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"

#include <array>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 6> fields{"{pod}", "{su}", "{position}", "{rail}", "{rack}", "{u}"};

bool holds(const std::string& text, std::string_view field) { return text.find(field) != std::string::npos; }

std::optional<Error> unknownField(const std::string& text) {
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find('}', at);
        const std::string field = text.substr(at, end == std::string::npos ? end : end - at + 1);
        if (std::find(fields.begin(), fields.end(), field) == fields.end())
            return Error::usage(fmt::format("label = {}: unknown field {}; available fields are {}", text, field, fmt::join(fields, " ")));
    }
    return {};
}

// The values of the fields for the elements of one fabric.
class FieldValues {
public:
    FieldValues(const Fabric& fabric, const std::string& text) : m_fabric(fabric), m_finder(fabric) {
        if (holds(text, "{rack}") || holds(text, "{u}")) m_floor = cablingOf(fabric).floor;
        if (holds(text, "{pod}")) findPods();
    }

    // Empty where the element has none.
    std::string valueOf(const std::string& path, std::string_view field) const {
        const auto device = m_finder.device(path);
        const auto scope = device ? std::optional(m_fabric.devices.scope[*device]) : m_finder.scope(path);
        if (!scope) return {};
        const auto number = [](std::uint32_t value) { return value == 0 ? std::string() : std::to_string(value); };
        if (field == "{position}") return number(device ? m_fabric.devices.index[*device] : m_fabric.scopes[*scope].index);
        if (field == "{su}")
            return number(device && m_fabric.devices.su[*device] > 0 ? m_fabric.devices.su[*device]
                                                                     : around(*scope, Instance::Role::ScalableUnit));
        if (field == "{rail}")
            return number(device && m_fabric.devices.rail[*device] > 0 ? m_fabric.devices.rail[*device]
                                                                       : around(*scope, Instance::Role::Rail));
        const DeviceId inside = device ? *device : firstOf(*scope);
        if (inside == none) return {};
        if (field == "{pod}") return number(m_pods[inside]);
        const Chassis* chassis = m_floor.chassisAt(inside);
        const bool isIt = chassis && chassis->rack != none && (device || m_fabric.scopes[*scope].role == Instance::Role::Server);
        if (!isIt) return {};
        return field == "{rack}" ? m_floor.racks[chassis->rack].label : std::to_string(chassis->unit);
    }

private:
    std::uint32_t around(ScopeId scope, Instance::Role role) const {
        for (; scope != none; scope = m_fabric.scopes[scope].parent)
            if (m_fabric.scopes[scope].role == role) return m_fabric.scopes[scope].index;
        return 0;
    }
    DeviceId firstOf(ScopeId scope) const {
        const auto [first, last] = m_finder.devicesOf(scope);
        if (first < last) return first;
        for (ScopeId s(scope + 1); s < m_fabric.scopes.size(); ++s) // a unit holds servers and no devices of its own
            if (m_fabric.scopes[s].parent == scope)
                if (const DeviceId found = firstOf(s); found != none) return found;
        return none;
    }
    // Leaves and servers stand in no pod; they belong to that of the switches above them.
    void findPods() {
        m_pods = By<DeviceId, std::uint32_t>(m_fabric.devices.size(), 0);
        for (const DeviceId d : m_fabric.devices.ids()) m_pods[d] = around(m_fabric.devices.scope[d], Instance::Role::Pod);
        const LinkTable& links = m_fabric.links;
        for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::HostLeaf, LinkTier::Pcie})
            for (const LinkId l : links.ids())
                if (links.tier[l] == tier && m_pods[links.a[l]] == 0) m_pods[links.a[l]] = m_pods[links.b[l]];
    }

    const Fabric& m_fabric;
    PathFinder m_finder;
    Floor m_floor;
    By<DeviceId, std::uint32_t> m_pods;
};

std::string_view whyWithout(std::string_view field) {
    if (field == "{pod}") return "it is in no pod";
    if (field == "{su}") return "it is in no scalable unit";
    if (field == "{rail}") return "it is on no single rail";
    return "it stands in no rack";
}

} // namespace

Result<Edit> labelByTemplate(const DesignPointer& design, const std::vector<std::string>& paths, const std::string& text) {
    if (const auto unknown = unknownField(text)) return *unknown;
    for (const std::string_view field : {"{rack}", "{u}"})
        if (holds(text, field) && !design->floor)
            return Error::usage(fmt::format("label = {}: {} has no value, because no racks are placed; set racks=auto first", text, field));
    const FabricPointer fabric = elaborate(design);
    const FieldValues values(*fabric, text);
    std::map<std::string, std::string> labels;
    std::set<std::string> different;
    for (const std::string& path : paths) {
        std::string label = text;
        for (const std::string_view field : fields) {
            if (!holds(label, field)) continue;
            const std::string value = values.valueOf(path, field);
            if (value.empty())
                return Error::usage(fmt::format("label = {}: {} has no value for {}: {}", text, field, path, whyWithout(field)));
            for (std::size_t at = label.find(field); at != std::string::npos; at = label.find(field, at + value.size()))
                label.replace(at, field.size(), value);
        }
        different.insert(label);
        labels[path] = std::move(label);
    }
    auto edit = labelElements(*design, labels);
    if (edit && !text.empty() && different.size() < labels.size())
        edit->warnings.push_back(fmt::format("label = {}: only {} of {} labels differ; add a field that tells the elements apart", text,
                                             formatCount(static_cast<std::int64_t>(different.size())),
                                             formatCount(static_cast<std::int64_t>(labels.size()))));
    return edit;
}

} // namespace railyard
