// The application object of every mode of the desktop program.
//  * Numbers have a decimal point in any locale.
//  * Where Qt would abort, because there is no display or its platform plugin is broken, a sentence says what to do (exit code 2).
//  * Exceptions end as messages.
#pragma once

#include "core/base/result.h"

#include <QApplication>

namespace railyard {

// Replaces Qt's abort while the application object is created.
class FatalWords {
public:
    FatalWords();
    ~FatalWords();
    FatalWords(const FatalWords&) = delete;
    FatalWords& operator=(const FatalWords&) = delete;
};

class Application : private FatalWords, public QApplication {
public:
    Application(int& argc, char** argv);
    bool notify(QObject* receiver, QEvent* event) override;
};

// Without a font all text would be boxes.
Status fontsAreThere();

} // namespace railyard
