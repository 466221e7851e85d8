// Hands work from one thread to another through Qt's queues. Qt orders the two threads, but the thread sanitizer does not see that, because
// Qt is not built with it: both functions say so in words that it understands, and everything else that threads share stays visible to it.
#pragma once

#include <QObject>
#include <functional>

namespace railyard {

void runInPool(std::function<void()> work);                  // in a thread of the global pool
void runInGui(QObject* context, std::function<void()> work); // in the thread of `context`, later; not if it has gone by then

} // namespace railyard
