#include "app/gui/application.h"

#include "widgets/document/failure.h"

#include <QFontInfo>
#include <clocale>
#include <cstdio>
#include <unistd.h>

namespace railyard {
namespace {

QtMessageHandler before = nullptr;

// Qt aborts after a fatal message, which leaves a core dump.
void sayInsteadOfAborting(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (type != QtFatalMsg) {
        if (type == QtDebugMsg || type == QtInfoMsg) before(type, context, text);
        return; // the fatal message repeats what the warnings say
    }
    std::fprintf(stderr,
                 "railyard: error: no window can be opened: there is no display, or Qt's platform plugin cannot be used (DISPLAY=%s, "
                 "QT_QPA_PLATFORM=%s). Start Railyard in a graphical session, or work without a display: `railyard render FILE -o "
                 "picture.png` draws, and railyard-cli does everything else.\n",
                 qgetenv("DISPLAY").constData(), qgetenv("QT_QPA_PLATFORM").constData());
    std::fflush(nullptr);
    ::_exit(2);
}

} // namespace

FatalWords::FatalWords() { before = qInstallMessageHandler(sayInsteadOfAborting); }
FatalWords::~FatalWords() { qInstallMessageHandler(before); }

Application::Application(int& argc, char** argv) : QApplication(argc, argv) {
    qInstallMessageHandler(before);
    std::setlocale(LC_NUMERIC, "C"); // QApplication has set all of the locale from the environment
}

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        tellFailure(failureText(std::current_exception()));
    }
    return false;
}

Status fontsAreThere() {
    if (!QFontInfo(QFont()).family().isEmpty()) return Done{}; // the list of families always holds three aliases
    return Error::file({},
                       "no font is installed, so text cannot be drawn; install one, for example the package fonts-dejavu-core (`apt-get "
                       "install fonts-dejavu-core`)");
}

} // namespace railyard
