#include "widgets/document/failure.h"

#include "widgets/theme/plain_text.h"

#include <QApplication>
#include <cstdio>
#include <new>

namespace railyard {

QString failureText(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return QCoreApplication::translate("Failure",
                                           "There is not enough memory for this. Close other programs, or use a smaller design.");
    } catch (const std::exception& problem) {
        return QCoreApplication::translate("Failure",
                                           "An internal error occurred: %1. Save your work under another name, and report the error.")
            .arg(QString::fromUtf8(problem.what()));
    } catch (...) {
        return QCoreApplication::translate("Failure",
                                           "An unknown internal error occurred. Save your work under another name, and report the error.");
    }
}

void tellFailure(const QString& text) {
    std::fprintf(stderr, "railyard: error: %s\n", qPrintable(text));
    if (!qobject_cast<QApplication*>(QCoreApplication::instance())) return;
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [text] {
            static bool isShown = false;
            if (std::exchange(isShown, true)) return;
            warn(QApplication::activeWindow(), QCoreApplication::translate("Failure", "Something went wrong"), text);
            isShown = false;
        },
        Qt::QueuedConnection);
}

} // namespace railyard
