#include "widgets/document/error_words.h"

#include "core/analysis/option_sections.h"
#include "core/design/recipes/recipe.h"

namespace railyard {
namespace {

QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

QString labelOfParameter(const std::string& key) {
    for (const ParameterInfo& row : recipeParameters())
        if (row.key == key) return words(row.label);
    for (const OptionSection& section : optionSections())
        for (const ParameterInfo& row : section.rows())
            if (row.key == key) return words(row.nameInErrors());
    return {};
}

QString wordsOf(const Error& error) {
    const QString label = labelOfParameter(error.field);
    return QString::fromStdString(label.isEmpty() || error.wrong.empty() ? error.text : error.parameterText(label.toStdString()));
}

} // namespace railyard
