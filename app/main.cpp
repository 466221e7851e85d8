// railyard [FILE]: the desktop program. railyard render: pictures without a display.
#include "app/bench_command.h"
#include "app/files.h"
#include "app/keeping/keeper.h"
#include "app/main_window.h"
#include "app/render_command.h"
#include "core/base/freed_memory.h"
#include "core/catalog/price_book.h"

#include <QApplication>
#include <QHashFunctions>
#include <QMessageBox>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    railyard::keepFreedMemory();
    if (argc > 1 && std::strcmp(argv[1], "bench") == 0) return railyard::runBench(argc, argv);
    QHashSeed::setDeterministicGlobalSeed(); // the order of fonts in a PDF follows a hash: same design, same bytes
    auto book = railyard::userPriceBook();
    if (book) railyard::usePriceBook(*book);
    const bool headless = argc > 1 && (std::strcmp(argv[1], "render") == 0 || std::strcmp(argv[1], "main-job") == 0);
    if (headless && !book) return std::fprintf(stderr, "railyard: error: %s\n", toText(book.error()).c_str()), 3;
    if (headless) return std::strcmp(argv[1], "render") == 0 ? railyard::runRender(argc, argv) : railyard::runMainJob(argc, argv);
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) return std::printf("railyard %s\n", RAILYARD_VERSION), 0;
    if (argc > 1 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
        std::printf("railyard [FILE]            opens the desktop program\n"
                    "railyard render FILE -o X  draws a design; --help for options\n"
                    "railyard bench canvas      what frames and edits cost; --help for options\n"
                    "railyard main-job DIR      the main job on the sample, without a display\n");
        return 0;
    }
    if (argc > 1 && argv[1][0] == '-' && std::strcmp(argv[1], "-platform") != 0) {
        std::fprintf(stderr, "railyard: error: there is no option %s; `railyard --help` lists what there is\n", argv[1]);
        return 2;
    }
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("Railyard"));
    QApplication::setApplicationName(QStringLiteral("Railyard"));
    railyard::MainWindow window;
    if (QApplication::arguments().size() < 2) window.restore();
    window.show();
    if (!book)
        QMessageBox::warning(&window, QStringLiteral("Price book"),
                             QStringLiteral("Your price book cannot be read, so prices are those that came with Railyard.\n\n%1")
                                 .arg(QString::fromStdString(toText(book.error()))));
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() > 1) window.openFile(arguments[1]);
    window.keeper().offerRecovery();
    return QApplication::exec();
}
