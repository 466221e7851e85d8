// Work that takes a while runs beside the window, which shows progress and can cancel it.
#pragma once

#include <QDialog>
#include <atomic>
#include <functional>

namespace railyard {

class ProgressDialog : public QDialog {
    Q_OBJECT

public:
    ProgressDialog(const QString& text, QWidget* parent); // Cancel and Escape reject it
};

// Runs `work` in a worker thread. The window takes no input meanwhile; after a moment a dialog shows `text` and a button to cancel.
// False if cancelled: then the work is told so and ends by itself, and it must not use anything of the caller. Exceptions pass on.
bool runWithProgress(QWidget* parent, const QString& text, std::function<void(const std::atomic<bool>& isCancelled)> work);

} // namespace railyard
