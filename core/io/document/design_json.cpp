// Reading a document: every wrong key is reported with its place, and nothing is taken on trust.
#include "core/io/document/design_json.h"

#include "core/analysis/option_sections.h"
#include "core/base/file.h"
#include "core/catalog/catalog_json.h"
#include "core/catalog/price_book.h"
#include "core/design/model/limits.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/document_checks.h"
#include "core/io/document/document_rows.h"
#include "core/io/document/migrations.h"

namespace railyard {
namespace {

NamedOptions readOptions(const JsonView& view, const OptionSection& section) {
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

BlockPointer readBlock(const std::string& name, const JsonView& view, const ReadContext& context) {
    Block block;
    if (view.isObject())
        block = readRow<Block>(view, context);
    else
        view.fail("", "is not a block; write it as an object in curly braces");
    block.name = name;
    return std::make_shared<const Block>(std::move(block));
}

void readCallouts(const JsonView& root, const ReadContext& context) {
    std::vector<Callout>& callouts = context.design.callouts;
    root.eachItem("callouts", [&](const JsonView& view) {
        if (callouts.size() == mostCallouts)
            view.fail("", "exceeds the maximum of " + std::to_string(mostCallouts) + " callouts in a design");
        if (callouts.size() <= mostCallouts) callouts.push_back(readRow<Callout>(view, context));
    });
}

template <class Item>
void readList(const JsonView& root, std::string_view key, std::vector<Item>& items, const ReadContext& context) {
    root.eachItem(key, [&](const JsonView& view) { items.push_back(readRow<Item>(view, context)); });
}

DesignPointer readContent(const JsonSource& source, std::int64_t format, CatalogPointer catalog, std::set<std::string> ownParts) {
    const JsonView root = JsonView::root(source);
    auto design = std::make_shared<Design>();
    const ReadContext context{*design, *catalog};
    design->ownParts = std::move(ownParts);
    design->catalog = catalog;
    design->name = root.text("name", "untitled");
    if (root.has("recipe")) design->recipe = readRow<RecipeCall>(root.at("recipe"), context);
    if (format < 2) keepRailsOfFormat1(*design);
    trunkField().read(root, *design, context);
    if (root.has("floor")) {
        const JsonView floor = root.at("floor");
        if (floor.isObject())
            design->floor = readRow<FloorPlan>(floor, context);
        else
            floor.fail("", "is not a floor plan; write it as an object in curly braces");
    }
    readList(root, "networks", design->networks, context);
    root.eachMember("blocks",
                    [&](const std::string& name, const JsonView& view) { design->blocks[name] = readBlock(name, view, context); });
    if (root.has("free")) design->free = readBlock("free", root.at("free"), context);
    root.eachMember("overrides",
                    [&](const std::string& path, const JsonView& view) { design->overrides[path] = readRow<Override>(view, context); });
    readList(root, "approvals", design->approvals, context);
    readList(root, "targets", design->targets, context);
    readList(root, "views", design->views, context);
    readCallouts(root, context);
    for (const OptionSection& section : optionSections())
        if (root.has(section.key)) (*design).*section.options = readOptions(root.at(section.key), section);
    design->unknown = unknownIn(root, {"format", "parts"});
    checkReferences(source, *design);
    if (source.errors.empty()) replaceRackServers(*design);
    return design;
}

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
    const auto inUse = std::make_shared<const Catalog>(priceBookInUse().applyTo(std::move(catalog)));
    DesignPointer design = readContent(source, format, inUse, std::move(ownParts));
    if (!source.errors.empty()) return source.errors;
    return design;
}

Result<DesignFile> loadDesignFile(const std::string& path) {
    auto text = readFile(path, mostJsonBytes);
    if (!text) return text.errors();
    const auto carried = carriedText(CarriedText::Design, *text, path);
    if (!carried) return carried.errors();
    if (!*carried && canCarryDesign(*text))
        return Error::file(path, "carries no design; open the *.railyard file that it was made of").with("value");
    auto design = readDesign(*carried ? **carried : *text, path);
    return design ? Result<DesignFile>(DesignFile{std::move(*design), contentMark(*text), carried->has_value()})
                  : Result<DesignFile>(design.errors());
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
