#include "core/sweep/spec.h"

#include "core/analysis/option_sections.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/design/edits/edit_elements.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/similar_path.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"
#include "core/json/json_view.h"
#include "core/workload/models_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace railyard {
namespace {

constexpr std::string_view recipeKey = "recipe";

std::string textOf(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    return value.is_number() ? parameterText(value.get<double>()) : value.dump();
}

// The section of "training.tp"; null for parameters of recipes.
const OptionSection* sectionOf(const std::string& key) {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? nullptr : optionSectionNamed(key.substr(0, dot));
}

bool isParameter(const std::string& key) {
    if (const OptionSection* section = sectionOf(key)) {
        const std::string option = key.substr(key.find('.') + 1);
        const std::vector<ParameterInfo> rows = section->rows();
        return std::any_of(rows.begin(), rows.end(), [&](const ParameterInfo& row) { return row.key == option; });
    }
    return key == recipeKey || recipeParameter(key);
}

// Of everything that an axis can be.
std::vector<std::string> parameterKeys() {
    std::vector<std::string> keys{std::string(recipeKey)};
    for (const ParameterInfo& row : recipeParameters()) keys.emplace_back(row.key);
    for (const OptionSection& section : optionSections())
        for (const ParameterInfo& row : section.rows()) keys.push_back(fmt::format("{}.{}", section.key, row.key));
    return keys;
}

std::string unknownKey(const std::string& key) {
    const std::string similar = similarWord(key, parameterKeys());
    return "is no parameter of a recipe (`railyard-cli recipes NAME` lists them) and no option of a document such as training.tp" +
           (similar.empty() ? std::string() : "; similar: " + similar);
}

constexpr const char* hasItsRecipe =
    "the base is a design, which keeps its recipe; state a recipe as base and its parameters under settings";

class SpecReader {
public:
    SpecReader(const JsonSource& source, SpecFiles files) : m_root(JsonView::root(source)), m_source(source), m_files(files) {}

    Result<SweepSpec> read() {
        readBase();
        if (m_root.has("settings"))
            m_root.eachMember("settings", [&](const std::string& key, const JsonView& value) {
                if (!isParameter(key)) m_root.at("settings").fail(key, unknownKey(key), "unknown");
                if (key == recipeKey && m_spec.design) m_root.at("settings").fail(key, hasItsRecipe);
                if (value.json().is_structured() || value.json().is_null())
                    m_root.at("settings").fail(key, "must be a number or a text", "type");
                else
                    m_spec.settings[key] = contentOf("settings", key, textOf(value.json()));
            });
        m_root.eachMember("axes", [&](const std::string& key, const JsonView& values) { readAxis(key, values); });
        const auto isAxis = [&](std::string_view key) {
            return std::any_of(m_spec.axes.begin(), m_spec.axes.end(), [&](const SweepAxis& axis) { return axis.key == key; });
        };
        if (isAxis("gpus") && isAxis("servers")) m_root.fail("axes", "gpus and servers both set the size; use one of them");
        for (const auto& [axis, other] : {std::pair("gpus", "servers"), std::pair("servers", "gpus")})
            if (isAxis(axis) && !isAxis(other) && m_spec.settings.contains(other))
                m_root.at("settings").fail(other, fmt::format("the axis {} sets the size too; use one of them", axis));
        if (m_source.errors.empty() && m_spec.axes.empty())
            m_root.fail("axes", "needs at least one axis, for example \"gpus\": [512, 1024]");
        readEvaluate();
        if (const Json unknown = m_root.unknownKeys({"schema"}); !unknown.empty())
            m_root.fail(unknown.begin().key(), "is no key of a sweep; they are base, settings, axes and evaluate", "unknown");
        checkSize();
        if (!m_source.errors.empty()) return m_source.errors;
        auto evaluations = readEvaluations(m_spec.evaluate);
        if (!evaluations) return evaluations.errors(); // each of which was read before
        m_spec.evaluations = std::move(*evaluations);
        return std::move(m_spec);
    }

private:
    void readBase() {
        if (m_root.has("base") && m_root.at("base").json().is_object()) {
            auto design = readDesign(jsonText(m_root.at("base").json()), m_source.file);
            if (design)
                m_spec.design = std::move(*design);
            else
                for (const Error& error : design.errors()) m_root.fail("base", "is not a design: " + error.text);
            return;
        }
        if (m_root.has("base") && !m_root.at("base").json().is_string())
            return m_root.fail("base", "must be a recipe, the path of a design, or a document", "type");
        const std::string base = m_root.text("base");
        if (base.empty()) {
            if (m_root.has("base") && m_root.at("base").json().is_string())
                m_root.fail("base", "is empty; it must be a recipe or the path of a design");
            return;
        }
        if (findRecipe(base)) {
            m_spec.recipe = base;
            return;
        }
        if (m_files == SpecFiles::None) return m_root.fail("base", fmt::format("\"{}\" is neither a recipe nor a document", base));
        auto design = loadDesign(besideSpec(base));
        if (design) {
            m_spec.design = std::move(*design);
        } else if (design.error().where.line > 0) { // of the design, which is somewhere else
            for (const Error& error : design.errors()) m_source.errors.push_back(error);
        } else {
            std::vector<std::string> names;
            for (const RecipeInfo& each : recipes()) names.emplace_back(each.name);
            const std::string similar = similarWord(base, names);
            m_root.fail("base", fmt::format("\"{}\" is neither a recipe{} nor a design that can be read: {}", base,
                                            similar.empty() ? std::string() : fmt::format(" (similar: {})", similar), design.error().text));
        }
    }
    std::string besideSpec(const std::string& path) const {
        const std::size_t slash = m_source.file.rfind('/');
        const bool isInFolder = slash != std::string::npos && !m_source.file.starts_with("/dev/"); // which has no designs
        return path.starts_with('/') || !isInFolder ? path : m_source.file.substr(0, slash + 1) + path;
    }
    // Of a model in a file, what the file says now: a point is what is asked of it, wherever and whenever it is computed.
    std::string contentOf(const char* where, const std::string& key, const std::string& value) {
        if (key != "training.model" || !value.ends_with(".json")) return value;
        if (m_files == SpecFiles::None) return m_root.at(where).fail(key, "must be the name of a model or its content"), value;
        const auto text = readFile(besideSpec(value), mostJsonBytes);
        const auto model = text ? modelFrom(*text, value) : Result<TransformerModel>(text.errors());
        if (!model) return m_root.at(where).fail(key, toText(model.error())), value;
        return parseJson(*text, value)->dump();
    }
    void readAxis(const std::string& key, const JsonView& values) {
        SweepAxis axis{key, {}, {}};
        const JsonView axes = m_root.at("axes");
        if (!isParameter(key)) axes.fail(key, unknownKey(key), "unknown");
        if (key == recipeKey && m_spec.design) axes.fail(key, hasItsRecipe);
        if (!values.json().is_array()) return axes.fail(key, "must be a list of values, for example [512, 1024]", "type");
        if (values.json().empty()) return axes.fail(key, "needs at least one value");
        const JsonView list = axes.at(key);
        std::set<std::string> known;
        for (std::size_t i = 0; i < values.json().size(); ++i) {
            const Json& value = values.json()[i];
            const auto wrong = [&](const std::string& what, std::string_view code) { list.fail(std::to_string(i), what, code); };
            if (value.is_structured() || value.is_null()) {
                wrong("must be a number or a text", "type");
                continue;
            }
            const std::string text = textOf(value), content = contentOf("axes", key, text);
            if (!known.insert(content).second) wrong(fmt::format("{} is listed twice", text), "duplicate");
            axis.values.push_back(content);
            axis.shown.push_back(content == text ? value : Json(content));
        }
        m_spec.axes.push_back(std::move(axis));
    }
    void readEvaluate() {
        m_root.eachText("evaluate", [&](const std::string& text) { m_spec.evaluate.push_back(text); });
        if (!m_root.has("evaluate") || !m_root.at("evaluate").json().is_array()) return;
        const JsonView list = m_root.at("evaluate");
        if (list.json().empty()) m_root.fail("evaluate", "needs at least one text, for example \"counts\"");
        for (std::size_t i = 0; i < list.json().size(); ++i) {
            if (!list.json()[i].is_string()) continue;
            const auto read = readEvaluation(list.json()[i].get<std::string>());
            if (read) continue;
            for (const Error& error : read.errors()) {
                constexpr std::string_view named = "evaluate "; // as the key is already
                list.fail(std::to_string(i), error.text.starts_with(named) ? error.text.substr(named.size()) : error.text);
            }
        }
    }
    void checkSize() {
        constexpr double mostCounted = 1e15;
        double points = 1;
        for (const SweepAxis& axis : m_spec.axes) points *= static_cast<double>(axis.values.size());
        if (points > static_cast<double>(mostSweepPoints))
            m_root.fail("axes",
                        fmt::format("{}{} points; the maximum is {}", points > mostCounted ? "more than " : "",
                                    formatCount(static_cast<std::int64_t>(std::min(points, mostCounted))), formatCount(mostSweepPoints)),
                        "limit");
    }

    JsonView m_root;
    const JsonSource& m_source;
    SpecFiles m_files;
    SweepSpec m_spec;
};

// The settings of a point in the order in which they are set: those of all points, then its own.
ParameterTexts settingsAt(const SweepSpec& spec, std::int64_t point) {
    ParameterTexts settings = spec.settings;
    const std::vector<std::size_t> values = spec.valuesAt(point);
    for (std::size_t a = 0; a < spec.axes.size(); ++a) settings[spec.axes[a].key] = spec.axes[a].values[values[a]];
    return settings;
}

} // namespace

std::int64_t SweepSpec::points() const {
    std::int64_t count = 1;
    for (const SweepAxis& axis : axes) count *= static_cast<std::int64_t>(axis.values.size());
    return count;
}

std::vector<std::size_t> SweepSpec::valuesAt(std::int64_t point) const {
    std::vector<std::size_t> values(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
        const auto count = static_cast<std::int64_t>(axes[a].values.size());
        values[a] = static_cast<std::size_t>(point % count);
        point /= count;
    }
    return values;
}

Result<SweepSpec> readSweepSpec(const std::string& text, const std::string& file, SpecFiles files) {
    auto root = parseJson(text, file);
    if (!root) return root.errors();
    if (!root->is_object()) return Error::file(file, "must be an object with base, axes and evaluate").with("type");
    const JsonSource source{file, text, std::move(*root), {}};
    return SpecReader(source, files).read();
}

Json toJson(const SweepSpec& spec) {
    Json json = Json::object();
    if (!spec.recipe.empty()) json["base"] = spec.recipe;
    if (!spec.settings.empty()) json["settings"] = spec.settings;
    Json axes = Json::object();
    for (const SweepAxis& axis : spec.axes) axes[axis.key] = axis.shown;
    json["axes"] = std::move(axes);
    json["evaluate"] = spec.evaluate;
    return json;
}

Json wholeSpecOf(const SweepSpec& spec) {
    Json json = Json::object();
    if (spec.design)
        if (auto design = parseJson(designText(*spec.design), "base")) json["base"] = std::move(*design);
    json.update(toJson(spec));
    return json;
}

Result<DesignPointer> designAt(const SweepSpec& spec, std::int64_t point) {
    RecipeCall call{spec.recipe, {}};
    std::map<std::string, std::string> changes;
    ParameterTexts options; // of sections
    for (const auto& [key, value] : settingsAt(spec, point)) {
        if (key == recipeKey)
            call.name = value;
        else if (sectionOf(key))
            options[key] = value;
        else
            call.parameters[key] = changes[key] = value;
    }
    DesignPointer design = spec.design;
    if (design) {
        // Either of them states the size; that of the axis replaces that of the design.
        for (const auto& [key, other] : {std::pair("gpus", "servers"), std::pair("servers", "gpus")})
            if (changes.contains(key)) changes.try_emplace(other);
        if (!changes.empty()) {
            auto edit = setParameters(*design, changes);
            if (!edit) return edit.errors();
            design = edit->design;
        }
    } else {
        auto built = build(call, call.name, pricedCatalog());
        if (!built) return built.errors();
        design = std::make_shared<const Design>(std::move(*built));
    }
    if (options.empty()) return design;
    auto with = withOptions(*design, options);
    if (!with) return with.errors();
    return std::make_shared<const Design>(std::move(*with));
}

} // namespace railyard
