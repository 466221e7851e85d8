#include "core/io/presentation/slide_parameters.h"

namespace railyard {
namespace {

using Info = ParameterInfo;

template <std::string SlideOptions::*Member>
Parameter<SlideOptions> words(std::string_view key, std::string_view label, std::string_view help) {
    return {Info{.key = key, .label = label, .help = help, .kind = Info::Kind::Text}, [](const SlideOptions& o) { return o.*Member; },
            [](SlideOptions& o, const std::string& text) {
                o.*Member = text;
                return Status(Done{});
            }};
}

} // namespace

std::span<const Parameter<SlideOptions>> slideParameters() {
    static const std::vector<Parameter<SlideOptions>> rows{
        words<&SlideOptions::project>("project", "Project", "project in the title block"),
        words<&SlideOptions::author>("author", "Author", "author in the title block"),
        words<&SlideOptions::date>("date", "Date", "date in the title block, as it is to read"),
        words<&SlideOptions::revision>("revision", "Revision", "revision in the title block"),
        {Info{.key = "copy",
              .label = "Copy",
              .help = "inside, or customer: no price in the file, and not the design",
              .kind = Info::Kind::Choice,
              .choices = {{"inside", "Inside, with prices"}, {"customer", "For the customer, without prices"}}},
         [](const SlideOptions& o) { return std::string(o.showsPrices ? "inside" : "customer"); },
         [](SlideOptions& o, const std::string& text) {
             o.showsPrices = text == "inside";
             return Status(Done{});
         }}};
    return rows;
}

Result<SlideOptions> readSlideOptions(const ParameterTexts& texts) {
    return withTexts(slideParameters(), SlideOptions(), texts, "a slide or an offer");
}

} // namespace railyard
