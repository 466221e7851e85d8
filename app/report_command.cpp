#include "app/report_command.h"

#include "app/command_errors.h"
#include "app/gui/application.h"
#include "app/row_options.h"
#include "core/base/file.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "core/io/presentation/slide_parameters.h"
#include "widgets/export/report.h"

namespace railyard {

int runReport(int argc, char** argv, const Status& prices) {
    protectFilesInUse();
    qputenv("QT_QPA_PLATFORM", "offscreen");
    CLI::App parser{"Writes the offer of a design as a PDF: answer, drawing, bill, power, floor, failures, training, assumptions.",
                    "railyard report"};
    std::string file, output, against;
    ParameterTexts given;
    bool isWithoutDesign = false;
    parser.add_option("FILE", file, "design file (*.railyard)")->required();
    parser.add_option("-o", output, "output file: .pdf")->required();
    parser.add_option("--against", against, "the design to compare with; default: the twin in the other layout");
    addRows(parser, slideParameters(), given);
    parser.add_flag("--no-design", isWithoutDesign, "do not put the design into the file, from which it can be opened otherwise");
    try {
        parser.parse(argc - 1, argv + 1);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return parser.exit(problem);
        std::fprintf(stderr, "railyard: error: %s; run `railyard report --help` for the options\n", problem.what());
        return 2;
    }
    const auto slide = readSlideOptions(given);
    if (!slide) return report(slide.errors());
    if (slide->showsPrices && !prices) return report(prices.errors());
    Application app(argc, argv);
    if (const Status fonts = fontsAreThere(); !fonts) return report(fonts.errors());
    const auto design = loadDesign(file);
    if (!design) return report(design.errors());
    PictureOptions options;
    options.tokens = printTokens();
    options.detail = Detail::Folded;
    options.carriesDesign = !isWithoutDesign;
    options.slide = *slide;
    if (!against.empty()) {
        const auto other = loadDesign(against);
        if (!other) return report(other.errors());
        options.other = elaborate(*other);
    }
    const auto written = drawReport(elaborate(*design), QString::fromStdString(output), options);
    return written ? 0 : report(written.errors());
}

} // namespace railyard
