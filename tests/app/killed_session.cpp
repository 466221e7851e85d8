// A scripted session for tst_keeping: edits as fast as a hasty user, saves now and then, and says what it has done. It runs
// until it is killed. killed_session FILE ROOT
#include "app/keeping/journal.h"
#include "core/design/edit.h"
#include "core/io/design_json.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimer>
#include <cstdio>

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    const QString file = QString::fromLocal8Bit(argv[1]);
    railyard::Document document;
    railyard::Journal journal(document, QString::fromLocal8Bit(argv[2]));
    const auto design = railyard::loadDesign(file.toStdString());
    if (!design) return 1;
    document.open(*design, file);
    int number = QString::fromStdString((*design)->name).section(QLatin1Char(' '), -1).toInt();
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        railyard::Design next = *document.now().design;
        next.name = "edit " + std::to_string(++number);
        document.apply(railyard::Edit{std::make_shared<const railyard::Design>(std::move(next)), "rename"});
        std::printf("edit %d %lld\n", number, static_cast<long long>(QDateTime::currentMSecsSinceEpoch()));
        if (number % 17 == 0 && document.save(file)) std::printf("saved %d 0\n", number);
        std::fflush(stdout);
    });
    timer.start(10);
    return QCoreApplication::exec();
}
