// A scripted session for tst_session: edits like a hasty user, saves now and then, and says what it has done. It runs until it is
// killed. killed_session FILE ROOT SAVE_EVERY MUTANT; SAVE_EVERY 0: never. The mutants journal another document, which follows the
// edited one badly: "only-first" has its first edit, "stops" its edits of the first second.
#include "app/session/journal.h"
#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimer>
#include <cstdio>

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    const QString file = QString::fromLocal8Bit(argv[1]);
    const int saveEvery = argc > 3 ? QByteArray(argv[3]).toInt() : 0;
    const QByteArray mutant(argc > 4 ? argv[4] : "");
    railyard::Document document, follower;
    railyard::Journal journal(mutant.isEmpty() ? document : follower, QString::fromLocal8Bit(argv[2]));
    const auto design = railyard::loadDesign(file.toStdString());
    if (!design) return 1;
    document.open(*design, file);
    follower.open(*design, file);
    int number = QString::fromStdString((*design)->name).section(QLatin1Char(' '), -1).toInt();
    QTimer timer;
    const qint64 start = QDateTime::currentMSecsSinceEpoch();
    QObject::connect(&timer, &QTimer::timeout, [&] {
        railyard::Design next = *document.now().design;
        next.name = "edit " + std::to_string(++number);
        const railyard::Edit edit{std::make_shared<const railyard::Design>(std::move(next)), "rename"};
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        document.apply(edit);
        if (mutant == "only-first" ? number == 1 : mutant == "stops" && now < start + 1000) follower.apply(edit);
        std::printf("edit %d %lld\n", number, static_cast<long long>(QDateTime::currentMSecsSinceEpoch()));
        if (saveEvery > 0 && number % saveEvery == 0 && document.save(file)) std::printf("saved %d 0\n", number);
        std::fflush(stdout);
    });
    timer.start(25);
    return QCoreApplication::exec();
}
