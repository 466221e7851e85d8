#include "app/cli/verbs/verb.h"
#include "core/catalog/shipped.h"
#include "core/io/document/design_json.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

Run addVersion(CLI::App& verb) {
    auto answer = std::make_shared<AnswerOptions>();
    answer->addTo(verb);
    return [=] {
        if (!answer->wantsText())
            return answer->give(Json{{"schema", "railyard.version/1"},
                                     {"version", RAILYARD_VERSION},
                                     {"build", RAILYARD_BUILD},
                                     {"format", documentFormat},
                                     {"catalogue", shippedCatalog()->asOf()}});
        fmt::print("railyard {} ({}), document format {}, catalogue date {}\n", RAILYARD_VERSION, RAILYARD_BUILD, documentFormat,
                   shippedCatalog()->asOf());
        return 0;
    };
}

} // namespace

const VerbInfo versionVerb{"version", "show the version, the build and the document format", neverShowsPrices, addVersion};

} // namespace railyard::cli
