// railyard-cli: everything that is not a picture. The same engine as the desktop, no Qt.
#include "app/allocator.h"
#include "app/cli/options/say_progress.h"
#include "app/cli/progress_notice.h"
#include "app/cli/verb_table.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/catalog/price_book.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>

static int lostOutput() {
    std::fprintf(stderr, "railyard-cli: error: standard output cannot be written: %s; the output is incomplete\n", std::strerror(errno));
    return 3;
}

// Everything that is printed may come from an argument, so these keep to what the program reads from files too.
static bool argumentsAreText(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (const auto fault = railyard::firstFault(argv[i])) {
            std::fprintf(stderr,
                         "railyard-cli: error: argument %d contains %s; write it as UTF-8 without control characters, or rename the file\n",
                         i, fault->what.c_str());
            return false;
        }
    return true;
}

static int runVerb(const CLI::App& verb, const railyard::cli::VerbInfo& info, const railyard::cli::Run& run) {
    auto book = railyard::userPriceBook();
    if (!book && info.showsPrices(verb)) return railyard::cli::report(book.errors());
    if (book) railyard::usePriceBook(std::move(*book));
    const railyard::cli::ProgressNotice notice;
    const int code = run();
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : lostOutput();
}

int main(int argc, char** argv) {
    railyard::keepFreedMemory();
    railyard::protectFilesInUse();
    if (!argumentsAreText(argc, argv)) return 2;
    CLI::App app{"Railyard designs networks for GPU clusters.", "railyard-cli"};
    app.set_help_flag("-h,--help", "print this help");
    app.get_formatter()->label("SUBCOMMAND", "VERB");
    app.require_subcommand(1);
    std::function<int()> chosen;
    for (const railyard::cli::VerbInfo* info : railyard::cli::verbTable()) {
        CLI::App* verb = app.add_subcommand(std::string(info->name), std::string(info->summary))->group("Verbs");
        // The hundreds of options of the others would be a sixth of the time that a start takes.
        if (std::find(argv + 1, argv + argc, info->name) == argv + argc) continue;
        verb->add_flag_callback("--progress", railyard::cli::askForProgress, "tell the progress on standard error, as on a terminal");
        verb->callback([&chosen, info, verb, run = info->add(*verb)] { chosen = [=] { return runVerb(*verb, *info, run); }; });
    }
    app.set_version_flag("--version", "railyard-cli " RAILYARD_VERSION, "print the version");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return app.exit(problem);
        const std::string verb = argc > 1 ? argv[1] : "";
        bool known = false;
        for (const CLI::App* each : app.get_subcommands({})) known = known || each->get_name() == verb;
        if (verb.empty())
            std::fprintf(stderr, "railyard-cli: error: a verb is missing; `railyard-cli --help` lists all verbs\n");
        else if (!known)
            std::fprintf(stderr, "railyard-cli: error: there is no verb \"%s\"; `railyard-cli --help` lists all verbs\n", verb.c_str());
        else
            std::fprintf(stderr, "railyard-cli: error: %s; `railyard-cli %s --help` lists all options\n", problem.what(), verb.c_str());
        return 2;
    }
    try {
        return chosen();
    } catch (const std::system_error&) { // fmt: what is printed has nowhere to go
        return lostOutput();
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "railyard-cli: error: out of memory; the design is too large for this machine\n");
        return 3;
    } catch (const std::exception& failure) { // a defect of ours, but a message and an exit code nevertheless
        std::fprintf(stderr, "railyard-cli: error: internal error: %s; nothing was written. Please report this with the command\n",
                     failure.what());
        return 3;
    }
}
