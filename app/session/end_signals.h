// SIGTERM, SIGINT and SIGHUP as a signal of Qt, so that a session that is ended from outside keeps unsaved edits and leaves no lock behind.
#pragma once

#include <QObject>

namespace railyard {

// One per process. The first signal is reported in the event loop; a second one of its kind ends the process as usual.
class EndSignals : public QObject {
    Q_OBJECT

public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void received(int signal);
};

} // namespace railyard
