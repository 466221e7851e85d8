#include "core/io/document/named_values.h"

#include "core/io/document/document_rows.h"

namespace railyard {
namespace {

struct NamedList {
    std::string_view key;
    std::vector<std::string_view> names; // the members that make the name of an item
    bool isNumbered = false;             // and the number of its first element, 1 where it is not stated
};

template <class Row>
NamedList listOf(std::string_view key) {
    return {key, descriptionOf<Row>().identity, descriptionOf<Row>().isNumbered};
}

const NamedList* listNamed(std::string_view key) {
    static const std::vector<NamedList> lists{
        listOf<DeviceRow>("devices"),         listOf<Instance>("instances"), listOf<WiringRule>("wiring"), listOf<FreeLink>("links"),
        listOf<AuxiliaryNetwork>("networks"), listOf<Approval>("approvals"), listOf<SavedView>("views"),   listOf<Target>("targets"),
        listOf<Callout>("callouts")};
    for (const NamedList& list : lists)
        if (list.key == key) return &list;
    return nullptr;
}

std::optional<std::string> nameOf(const NamedList& list, const Json& item) {
    if (!item.is_object()) return {};
    std::string name;
    for (const std::string_view member : list.names)
        if (const auto found = item.find(member); found != item.end() && found->is_string())
            name += (name.empty() ? "" : " – ") + found->get<std::string>();
    if (!list.isNumbered) return name;
    const auto first = item.find("first");
    return name + "[" + (first != item.end() && first->is_number_integer() ? first->dump() : "1") + "]";
}

} // namespace

bool NamedValues::add(std::string name, const Json& value) {
    if (!m_index.try_emplace(name, m_all.size()).second) return false;
    m_all.emplace_back(std::move(name), &value);
    return true;
}

std::optional<NamedValues> NamedValues::read(std::string_view key, const Json* value) {
    NamedValues values;
    const NamedList* list = listNamed(key);
    values.m_isList = list != nullptr;
    if (!value) return values;
    if (value->is_object() && !list) {
        for (const auto& [name, member] : value->items()) values.add(name, member);
        return values;
    }
    if (!value->is_array() || !list) return {};
    for (const Json& item : *value) {
        auto name = nameOf(*list, item);
        if (!name || !values.add(std::move(*name), item)) return {};
    }
    return values;
}

const Json* NamedValues::find(const std::string& name) const {
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : m_all[found->second].second;
}

} // namespace railyard
