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
#include <string>
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

// What is wrong with the arguments, and which page of help has what would be right.
static std::string wordsOf(const CLI::ParseError& problem, const CLI::App& app, int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "";
    if (verb.empty()) return "a verb is missing; `railyard-cli --help` lists all verbs";
    const auto named = [](const CLI::App& of, const std::string& name) {
        const auto all = of.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
        return all.empty() ? nullptr : all.front();
    };
    const CLI::App* known = named(app, verb);
    if (!known) return "there is no verb \"" + verb + "\"; `railyard-cli --help` lists all verbs";
    const bool isPart = named(*known, second) != nullptr;
    std::string parts; // of the verb: plan, run, merge
    for (const CLI::App* each : known->get_subcommands([](const CLI::App*) { return true; }))
        parts += (parts.empty() ? "" : ", ") + verb + " " + each->get_name();
    if (!parts.empty() && !isPart && !second.starts_with('-'))
        return (second.empty() ? "\"" + verb + "\" needs a second word" : "there is no \"" + verb + " " + second + "\"") + "; there are " +
               parts;
    return problem.what() + ("; `railyard-cli " + (isPart ? verb + " " + second : verb) + " --help` lists all options");
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
        std::fprintf(stderr, "railyard-cli: error: %s\n", wordsOf(problem, app, argc, argv).c_str());
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
