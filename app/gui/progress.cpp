#include "app/gui/progress.h"

#include "widgets/document/latest_task.h"
#include "widgets/theme/plain_text.h"

#include <QEventLoop>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace railyard {

ProgressDialog::ProgressDialog(const QString& text, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("progress"));
    setWindowTitle(tr("Please wait"));
    setModal(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(plainLabel(text));
    auto* bar = new QProgressBar;
    bar->setRange(0, 0); // how long it takes is not known
    bar->setAccessibleName(text);
    bar->setMinimumWidth(360);
    column->addWidget(bar);
    auto* row = new QHBoxLayout;
    row->addStretch();
    auto* cancel = new QPushButton(tr("Cancel"));
    row->addWidget(cancel);
    column->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

bool runWithProgress(QWidget* parent, const QString& text, std::function<void(const std::atomic<bool>&)> work) {
    constexpr int moment = 300; // ms; a dialog that only flashes would disturb
    const auto isCancelled = std::make_shared<std::atomic<bool>>(false);
    QEventLoop loop;
    std::exception_ptr failure;
    bool isDone = false;
    LatestTask<std::exception_ptr> beside(
        [work = std::move(work), isCancelled] {
            return [work, isCancelled]() -> std::exception_ptr {
                try {
                    work(*isCancelled);
                } catch (...) {
                    return std::current_exception();
                }
                return {};
            };
        },
        [&](const std::exception_ptr& thrown) {
            isDone = true;
            failure = thrown;
            loop.quit();
        });
    beside.ask();
    QTimer::singleShot(moment, &loop, &QEventLoop::quit);
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    if (!isDone) {
        ProgressDialog dialog(text, parent);
        QObject::connect(&dialog, &QDialog::rejected, &loop, &QEventLoop::quit);
        dialog.show();
        loop.exec();
    }
    if (!isDone) *isCancelled = true;
    if (failure) std::rethrow_exception(failure);
    return isDone;
}

} // namespace railyard
