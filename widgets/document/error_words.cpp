#include "widgets/document/error_words.h"

#include "core/bill/site.h"
#include "core/design/recipes/recipe.h"
#include "core/training/job_parameters.h"

namespace railyard {
namespace {

QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

template <class Settings>
QString labelIn(std::span<const Parameter<Settings>> rows, const std::string& key) {
    const Parameter<Settings>* row = parameterNamed(rows, key);
    return row ? words(row->info.nameInErrors()) : QString();
}

} // namespace

QString labelOfParameter(const std::string& key) {
    for (const ParameterInfo& row : recipeParameters())
        if (row.key == key) return words(row.label);
    const QString ofJob = labelIn(jobParameters(), key);
    return ofJob.isEmpty() ? labelIn(siteParameters(), key) : ofJob;
}

QString wordsOf(const Error& error) {
    const QString label = labelOfParameter(error.field);
    return QString::fromStdString(label.isEmpty() || error.wrong.empty() ? error.text : error.parameterText(label.toStdString()));
}

} // namespace railyard
