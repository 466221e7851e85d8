// SIGTERM, SIGINT and SIGHUP as a signal of Qt, so that a session that is ended from outside keeps unsaved edits and leaves no lock behind.
#pragma once

#include <QObject>

namespace railyard {

// One per process. The first signal is reported in the event loop. Further signals are ignored for 5 s, because `timeout` and impatient
// users send two; after that a signal ends the process at once, in case it hangs.
class EndSignals : public QObject {
    Q_OBJECT

public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void received(int signal);
};

} // namespace railyard
