// Entry point: the desktop program (`railyard [FILE]`) and the verbs that need no display (`render`, `report`, `bench`, `main-job`).
#include "app/allocator.h"
#include "app/bench_command.h"
#include "app/gui/application.h"
#include "app/gui/files.h"
#include "app/gui/main_window.h"
#include "app/render_command.h"
#include "app/report_command.h"
#include "app/session/autosave.h"
#include "app/session/end_signals.h"
#include "core/catalog/price_book.h"
#include "widgets/document/failure.h"
#include "widgets/theme/plain_text.h"

#include <QApplication>
#include <QHashFunctions>
#include <QIcon>
#include <QSessionManager>
#include <cstdio>
#include <cstring>

static int run(int argc, char** argv) {
    railyard::keepFreedMemory();
    if (argc > 1 && std::strcmp(argv[1], "bench") == 0) return railyard::runBench(argc, argv);
    QHashSeed::setDeterministicGlobalSeed(); // Qt orders the fonts of a PDF by hash, so a fixed seed makes the output reproducible
    auto book = railyard::userPriceBook();
    if (book) railyard::usePriceBook(*book);
    const railyard::Status prices = book ? railyard::Status(railyard::Done{}) : railyard::Status(book.errors());
    using Verb = int (*)(int, char**, const railyard::Status&);
    for (const auto& [verb, runVerb] :
         {std::pair<const char*, Verb>("render", railyard::runRender), {"report", railyard::runReport}, {"main-job", railyard::runMainJob}})
        if (argc > 1 && std::strcmp(argv[1], verb) == 0) return runVerb(argc, argv, prices);
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) return std::printf("railyard %s\n", RAILYARD_VERSION), 0;
    if (argc > 1 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
        std::printf("railyard [FILE]            opens the desktop program\n"
                    "railyard render FILE -o X  writes a picture of a design; see --help\n"
                    "railyard report FILE -o X  writes the offer of a design as a PDF; see --help\n"
                    "railyard bench canvas      measures drawing and editing times; see --help\n"
                    "railyard main-job DIR      compares the sample with its rail-only twin and writes all outputs\n");
        return 0;
    }
    if (argc > 1 && argv[1][0] == '-' && std::strcmp(argv[1], "-platform") != 0) {
        std::fprintf(stderr, "railyard: error: unknown option %s; run `railyard --help` for a list\n", argv[1]);
        return 2;
    }
    QApplication::setStyle(QStringLiteral("Fusion"));
    railyard::Application app(argc, argv);
    if (const auto fonts = railyard::fontsAreThere(); !fonts)
        return std::fprintf(stderr, "railyard: error: %s\n", toText(fonts.error()).c_str()), 3;
    QApplication::setOrganizationName(QStringLiteral("Railyard"));
    QApplication::setApplicationName(QStringLiteral("Railyard"));
    QGuiApplication::setDesktopFileName(QStringLiteral("railyard")); // by which desktops find name and icon
    QApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("railyard")));
    const railyard::EndSignals endSignals; // outlives the window, so that no signal interrupts its end
    railyard::MainWindow window;
    int ended = 0; // the exit code, as shells report it
    QObject::connect(&endSignals, &railyard::EndSignals::received, &window, [&window, &ended](int signal) {
        window.autosave().endNow();
        QApplication::exit(ended = 128 + signal);
    });
    window.restore(QApplication::arguments().size() < 2);
    window.show();
    if (!book)
        warn(&window, QStringLiteral("Price book"),
             QStringLiteral("Your price book cannot be read. Railyard uses its built-in prices instead.\n\n%1")
                 .arg(QString::fromStdString(toText(book.error()))));
    const QStringList arguments = QApplication::arguments();
    QObject::connect(&app, &QGuiApplication::commitDataRequest, &window, [&window](QSessionManager& session) {
        const bool mayAsk = session.allowsInteraction();
        const bool mayEnd = window.endSession(mayAsk);
        if (mayAsk) session.release();
        if (!mayEnd) session.cancel();
    });
    if (arguments.size() > 1) window.openFile(arguments[1]);
    if (ended == 0) window.autosave().offerRecovery();
    return ended != 0 ? ended : QApplication::exec(); // it may have ended while the file was opened
}

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (...) {
        std::fprintf(stderr, "railyard: error: %s\n", qPrintable(railyard::failureText(std::current_exception())));
        return 3;
    }
}
