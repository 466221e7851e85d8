// One description of every struct of a document: what reads it, writes it, keeps the keys that it does not know and names its items in a
// merge follows the same list of fields. Internal to core/io/document.
#pragma once

#include "core/base/whole_number.h"
#include "core/design/model/design.h"
#include "core/json/json_view.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct ReadContext {
    Design& design;         // as far as it is read
    const Catalog& catalog; // with the parts of the document
};

template <class Row>
struct RowField {
    std::string_view key;
    std::function<void(const JsonView&, Row&, const ReadContext&)> read;
    std::function<void(Json&, const Row&)> write; // nothing where the value is the usual one
};

template <class Row>
struct RowDescription {
    std::vector<RowField<Row>> fields;                                         // in the order of the text
    std::function<void(const JsonView&, Row&, const ReadContext&)> check = {}; // what several fields must agree on
    std::vector<std::string_view> identity = {};                               // the fields that name an item of a list
    bool isNumbered = false;                                                   // so does "first", 1 where it is not stated
};

// Specialised for every struct in document_rows.cpp.
template <class Row>
const RowDescription<Row>& descriptionOf();

UnknownKeys unknownIn(const JsonView& view, std::initializer_list<std::string_view> known = {});
Json withUnknown(Json json, const UnknownKeys& unknown); // known keys first: one that this version has learnt to write is not overwritten

template <class Row>
Row readRow(const JsonView& view, const ReadContext& context, std::initializer_list<std::string_view> known = {}) {
    const RowDescription<Row>& description = descriptionOf<Row>();
    Row row;
    for (const RowField<Row>& field : description.fields) field.read(view, row, context);
    row.unknown = unknownIn(view, known);
    if (description.check) description.check(view, row, context);
    return row;
}

template <class Row>
Json rowJson(const Row& row, Json json = Json::object()) {
    for (const RowField<Row>& field : descriptionOf<Row>().fields) field.write(json, row);
    return withUnknown(std::move(json), row.unknown);
}

// Fields by the type of their value. Required ones are always written, the others where they differ from the usual value.
template <class Row>
RowField<Row> textField(std::string_view key, std::string Row::*member, bool isRequired = false) {
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext&) { row.*member = isRequired ? view.text(key) : view.text(key, ""); },
            [=](Json& json, const Row& row) {
                if (isRequired || !(row.*member).empty()) json[key] = row.*member;
            }};
}

// A whole number from `low` to `high`, where it is stated. `isWritten`: even if it is the usual one.
template <class Row>
RowField<Row> wholeField(std::string_view key, int Row::*member, int low, int high, int usual, bool isWritten = false) {
    return {
        key,
        [=](const JsonView& view, Row& row, const ReadContext&) { row.*member = static_cast<int>(view.integer(key, low, high, usual)); },
        [=](Json& json, const Row& row) {
            if (isWritten || row.*member != usual) json[key] = row.*member;
        }};
}

template <class Row>
RowField<Row> flagField(std::string_view key, bool Row::*member) {
    return {key, [=](const JsonView& view, Row& row, const ReadContext&) { row.*member = view.flag(key, false); },
            [=](Json& json, const Row& row) {
                if (row.*member) json[key] = true;
            }};
}

inline Json shortestNumber(double value) {
    const auto whole = wholeNumber(value);
    return whole ? Json(*whole) : Json(value);
}

// A number, or a quantity, from `low` to `high`; what a new row has is the usual value.
template <class Row, class Value>
RowField<Row> numberField(std::string_view key, Value Row::*member, double low, double high) {
    const auto numberOf = [](const Value& value) {
        if constexpr (std::is_same_v<Value, double>)
            return value;
        else
            return value.value();
    };
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext&) {
                const double usual = numberOf(row.*member), value = view.number(key, usual);
                if (!(value >= low && value <= high))
                    view.fail(key,
                              "must be from " + Json(low).dump() + " to " + Json(high).dump() + "; the default is " + Json(usual).dump());
                row.*member = Value(value);
            },
            [=](Json& json, const Row& row) {
                if (static const Row usual; row.*member != usual.*member) json[key] = shortestNumber(numberOf(row.*member));
            }};
}

// Any number, always written.
template <class Row>
RowField<Row> requiredNumberField(std::string_view key, double Row::*member) {
    return {key, [=](const JsonView& view, Row& row, const ReadContext&) { row.*member = view.number(key); },
            [=](Json& json, const Row& row) { json[key] = row.*member; }};
}

// The place of the text in `names`, whose first is the usual one.
template <class Row, class Enum>
RowField<Row> choiceField(std::string_view key, Enum Row::*member, std::vector<std::string_view> names) {
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext&) {
                const std::string text = view.text(key, std::string(names.front()));
                std::string allowed;
                for (std::size_t i = 0; i < names.size(); ++i) {
                    if (names[i] == text) return void(row.*member = static_cast<Enum>(i));
                    allowed += (allowed.empty() ? "" : ", ") + std::string(names[i]);
                }
                view.fail(key, "is \"" + text + "\"; must be one of " + allowed, "choice");
            },
            [=](Json& json, const Row& row) {
                if (row.*member != Enum{}) json[key] = names[static_cast<std::size_t>(row.*member)];
            }};
}

template <class Row>
RowField<Row> pointField(std::string_view key, std::optional<Point> Row::*member) {
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext&) {
                if (!view.has(key)) return;
                const Json& at = view.at(key).json();
                if (at.is_array() && at.size() == 2 && at[0].is_number() && at[1].is_number())
                    row.*member = Point{at[0].template get<double>(), at[1].template get<double>()};
                else
                    view.fail(key, "is not a position; write it as [x, y]");
            },
            [=](Json& json, const Row& row) {
                if (row.*member) json[key] = {shortestNumber((row.*member)->x), shortestNumber((row.*member)->y)};
            }};
}

// A list of rows that have a description of their own; left out where it is empty.
template <class Row, class Item>
RowField<Row> listField(std::string_view key, std::vector<Item> Row::*member) {
    return {key,
            [=](const JsonView& view, Row& row, const ReadContext& context) {
                view.eachItem(key, [&](const JsonView& item) { (row.*member).push_back(readRow<Item>(item, context)); });
            },
            [=](Json& json, const Row& row) {
                for (const Item& item : row.*member) json[key].push_back(rowJson(item));
            }};
}

} // namespace railyard
