// railyard-cli: everything that is not a picture. The same engine as the desktop, no Qt.
#include "app/cli/commands.h"

#include "core/base/freed_memory.h"
#include "core/catalog/price_book.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

static int lostOutput() {
    std::fprintf(stderr, "railyard-cli: error: standard output cannot be written: %s; nothing of the answer is complete\n",
                 std::strerror(errno));
    return 3;
}

int main(int argc, char** argv) {
    railyard::keepFreedMemory();
    CLI::App app{"Railyard designs the networks of GPU clusters.", "railyard-cli"};
    app.require_subcommand(1);
    railyard::cli::Run run;
    railyard::cli::addDesignCommands(app, run);
    railyard::cli::addEditCommand(app, run);
    railyard::cli::addAnalysisCommands(app, run);
    railyard::cli::addExplainCommand(app, run);
    railyard::cli::addOutputCommands(app, run);
    app.set_version_flag("--version", "railyard-cli " RAILYARD_VERSION);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return app.exit(problem);
        const std::string verb = argc > 1 ? argv[1] : "";
        bool known = false;
        for (const CLI::App* each : app.get_subcommands({})) known = known || each->get_name() == verb;
        if (verb.empty())
            std::fprintf(stderr, "railyard-cli: error: a verb is missing; `railyard-cli --help` lists them\n");
        else if (!known)
            std::fprintf(stderr, "railyard-cli: error: there is no verb \"%s\"; `railyard-cli --help` lists them\n", verb.c_str());
        else
            std::fprintf(stderr, "railyard-cli: error: %s; `railyard-cli %s --help` shows what is right\n", problem.what(), verb.c_str());
        return 2;
    }
    try {
        auto book = railyard::userPriceBook();
        if (!book) return railyard::cli::report(book.errors());
        railyard::usePriceBook(std::move(*book));
        const int code = run();
        return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : lostOutput();
    } catch (const std::system_error&) { // fmt: what is printed has nowhere to go
        return lostOutput();
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "railyard-cli: error: out of memory; the design is too large for this machine\n");
        return 3;
    }
}
