// A window under a real pointer: xdotool moves it, and X11 delivers what it does.
#pragma once

#include "app/gui/main_window.h"
#include "widgets/canvas/canvas.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QUndoStack>

namespace railyard::test {

// Calls of xdotool one after the other, each when a condition holds. A timer drives it, because a drag from the palette has an event loop
// of its own.
class Pointer : public QObject {
public:
    using Condition = std::function<bool()>;
    void then(const QString& calls, Condition when = {}) {
        m_steps.push_back({[calls] { return calls; }, std::move(when)});
    }
    void then(std::function<QString()> calls, Condition when) { m_steps.push_back({std::move(calls), std::move(when)}); }
    // Into the dialog that is open by then; without a window manager nobody else gives it the keyboard.
    void inDialog(const QString& calls) {
        then([calls] { return QStringLiteral("windowfocus --sync %1 ").arg(QApplication::activeModalWidget()->winId()) + calls; },
             [] { return QApplication::activeModalWidget() != nullptr; });
    }
    static QString clickOn(QPoint global) { return QStringLiteral("mousemove %1 %2 click 1").arg(global.x()).arg(global.y()); }
    void acceptDialog() {
        const auto okOf = [] {
            const QWidget* dialog = QApplication::activeModalWidget();
            const auto* buttons = dialog ? dialog->findChild<QDialogButtonBox*>() : nullptr;
            return buttons ? buttons->button(QDialogButtonBox::Ok) : nullptr;
        };
        then([okOf] { return clickOn(okOf()->mapToGlobal(okOf()->rect().center())); }, [okOf] { return okOf() != nullptr; });
    }
    bool run() {
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [this] { tick(); });
        timer.start(10);
        QTimer::singleShot(patience, this, [] { // a dialog that nobody closes would hold the test for good
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
        });
        return QTest::qWaitFor([this] { return m_steps.empty() && !m_isRunning; }, patience);
    }
    QByteArray waiting() const { return m_steps.empty() ? QByteArray() : QByteArray::number(m_steps.size()) + " steps left"; }

private:
    static constexpr int patience = 20'000; // ms
    struct Step {
        std::function<QString()> calls;
        Condition when;
    };
    void tick() {
        if (m_isRunning || m_steps.empty() || (m_steps.front().when && !m_steps.front().when())) return;
        m_isRunning = true;
        const QString calls = m_steps.front().calls();
        auto* process = new QProcess(this);
        connect(process, &QProcess::finished, this, [this, process] {
            process->deleteLater();
            m_isRunning = false;
        });
        process->start(QStringLiteral("xdotool"), calls.split(QLatin1Char(' ')));
        m_steps.erase(m_steps.begin());
    }

    std::vector<Step> m_steps;
    bool m_isRunning = false;
};

class RealWindow : public QObject {
protected:
    std::unique_ptr<MainWindow> m_window;
    Announcement m_last; // the last one that was not empty
    bool m_isAnnounced = false;

    void open(const DesignPointer& design) {
        m_window = std::make_unique<MainWindow>();
        m_window->setGeometry(0, 0, 1600, 1000);
        m_window->openDesign(design);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QProcess::execute(QStringLiteral("xdotool"), {QStringLiteral("windowfocus"), QString::number(m_window->winId())});
        document().waitForBackground();
        QPointF last;
        int still = 0; // the drawing moves until the panels have their sizes
        QVERIFY(QTest::qWaitFor(
            [&] { return (still = std::exchange(last, canvas().view().offset) == canvas().view().offset ? still + 1 : 0) > 10; }));
        m_last = {};
        m_isAnnounced = false;
        connect(&canvas(), &Canvas::announced, this, [this](const Announcement& announced) {
            m_isAnnounced = !announced.words.isEmpty();
            if (m_isAnnounced) m_last = announced;
        });
    }
    Document& document() { return m_window->document(); }
    Canvas& canvas() { return m_window->canvas(); }
    QPoint global(QPointF onCanvas) { return canvas().mapToGlobal(onCanvas.toPoint()); }
    QPointF screen(QPointF world) { return canvas().view().toScreen(world); }
    static QString move(QPoint at) { return QStringLiteral("mousemove %1 %2").arg(at.x()).arg(at.y()); }
    // From one place to another, the button still down: Qt starts a drag after a few pixels, and the window answers a move at the end.
    static void dragTo(Pointer& pointer, QPoint from, QPoint to) {
        pointer.then(move(from) + QStringLiteral(" mousedown 1"));
        for (const QPoint at : {from + QPoint(20, 4), (from + to) / 2, to, to + QPoint(1, 0)}) pointer.then(move(at));
    }
    Pointer::Condition announced() {
        return [this] { return m_isAnnounced && !m_last.isComputing; };
    }
    QString shown(const char* metric) {
        auto* label = m_window->findChild<QLabel*>(QLatin1String(metric));
        return label ? label->text() : QStringLiteral("no label");
    }
    // A failed test leaves nothing pressed behind.
    void release() {
        QProcess::execute(QStringLiteral("xdotool"), {QStringLiteral("mouseup"), QStringLiteral("1"), QStringLiteral("keyup"),
                                                      QStringLiteral("alt"), QStringLiteral("keyup"), QStringLiteral("shift")});
        document().undoStack().setClean();
        m_window.reset();
    }
};

} // namespace railyard::test
