// Cables, lengths and modules of the present design, worked out in the background when they are first asked for.
#pragma once

#include "core/bill/cabling.h"
#include "widgets/document/latest_task.h"

#include <QObject>

namespace railyard {

class Document;

class KnownCabling : public QObject {
    Q_OBJECT

public:
    explicit KnownCabling(Document& document);
    std::shared_ptr<const Cabling> get(); // null until it is found
    void wait() { m_task.wait(); }        // for tests

signals:
    void found();

private:
    std::shared_ptr<const Cabling> m_cabling;
    bool m_isAsked = false;
    LatestTask<std::shared_ptr<const Cabling>> m_task;
};

} // namespace railyard
