// Exceptions that nobody handled, such as lack of memory. They end as a message, and the program and its unsaved edits live on.
#pragma once

#include <QString>
#include <exception>

namespace railyard {

QString failureText(const std::exception_ptr& failure); // a sentence
void tellFailure(const QString& text);                  // from any thread; shown by the event loop, one message at a time

} // namespace railyard
