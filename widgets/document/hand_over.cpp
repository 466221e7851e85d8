#include "widgets/document/hand_over.h"

#include <QThreadPool>
#include <atomic>

namespace railyard {
namespace {

std::atomic<unsigned> handedOver{0};
void meet() { handedOver.fetch_add(1, std::memory_order_acq_rel); } // who comes later sees what was done before

} // namespace

// Not inlined: tests/tsan.supp names them, for the copy that Qt makes of what is queued.
[[gnu::noinline]] void runInPool(std::function<void()> work) {
    meet();
    QThreadPool::globalInstance()->start([work = std::move(work)] {
        meet();
        work();
    });
}

[[gnu::noinline]] void runInGui(QObject* context, std::function<void()> work) {
    meet();
    QMetaObject::invokeMethod(
        context,
        [work = std::move(work)] {
            meet();
            work();
        },
        Qt::QueuedConnection);
}

} // namespace railyard
