#include "app/gui/view_table.h"

#include "widgets/canvas/canvas.h"
#include "widgets/floor/floor_view.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/failure_view.h"
#include "widgets/views/sweep_view.h"
#include "widgets/views/traffic_view.h"
#include "widgets/views/training_view.h"

#include <QCoreApplication>

namespace railyard {
namespace {

template <class Widget>
constexpr ViewInfo row(View view, const char* name, const char* help) {
    return {view, name, help, [](Document& document) -> QWidget* { return new Widget(document); },
            [](QWidget& widget, const Tokens& tokens) { qobject_cast<Widget*>(&widget)->setTokens(tokens); }};
}

constexpr ViewInfo rows[] = {
    row<Canvas>(View::Draw, QT_TRANSLATE_NOOP("ViewTable", "Draw"),
                QT_TRANSLATE_NOOP("ViewTable",
                                  "The fabric as it will be cabled. Drag to build, drag from a plus sign or with Alt to connect, use the "
                                  "wheel to zoom, Space to pan and F to fit. Blue handles change counts. Double-click to open a block.")),
    row<FloorView>(
        View::Floor, QT_TRANSLATE_NOOP("ViewTable", "Floor"),
        QT_TRANSLATE_NOOP("ViewTable", "Racks to scale. Drag a rack to move it; a preview shows the change in cable length and cost.")),
    row<TrafficView>(
        View::Traffic, QT_TRANSLATE_NOOP("ViewTable", "Traffic"),
        QT_TRANSLATE_NOOP("ViewTable",
                          "Collective times over message size and number of servers, and other maps of the traffic in this design.")),
    row<TrainingView>(
        View::Training, QT_TRANSLATE_NOOP("ViewTable", "Training"),
        QT_TRANSLATE_NOOP("ViewTable",
                          "Breakdown of a training iteration, compared with the same job on the other layout, and the memory of the "
                          "fullest GPU. The job is saved with the design. Find the fastest tries every division that fits.")),
    row<FailureView>(View::Failure, QT_TRANSLATE_NOOP("ViewTable", "Failure"),
                     QT_TRANSLATE_NOOP("ViewTable", "How often a job on this design is interrupted and by which parts, the benefit of warm "
                                                    "standbys, and the impact of single failures. "
                                                    "The failure model is saved with the design; failures themselves are not.")),
    row<SweepView>(
        View::Sweep, QT_TRANSLATE_NOOP("ViewTable", "Sweep"),
        QT_TRANSLATE_NOOP("ViewTable",
                          "Many designs around this one: parameters take several values, and every combination is computed here or by "
                          "other machines. Double-click a result to open its design.")),
    row<DecideView>(
        View::Decide, QT_TRANSLATE_NOOP("ViewTable", "Decide"),
        QT_TRANSLATE_NOOP(
            "ViewTable",
            "Rail-optimized or rail-only: switches, cost or training time of the best fabric of each kind, by cluster size and HB domain, "
            "oversubscription or transceiver prices. Double-click a cell to open that fabric.")),
    row<CompareView>(View::Compare, QT_TRANSLATE_NOOP("ViewTable", "Compare"),
                     QT_TRANSLATE_NOOP("ViewTable", "The design next to its twin, with the difference of every metric.")),
};

} // namespace

QString ViewInfo::title() const { return QCoreApplication::translate("ViewTable", name); }
QString ViewInfo::explanation() const { return QCoreApplication::translate("ViewTable", help); }

std::span<const ViewInfo> viewTable() { return rows; }

ViewStack::ViewStack(Document& document, QWidget* parent) : QStackedWidget(parent) {
    for (const ViewInfo& info : viewTable()) {
        QWidget* view = info.make(document);
        setHelpOf(*view, info.explanation());
        addWidget(view);
    }
}

void ViewStack::setTokens(const Tokens& tokens) {
    for (const ViewInfo& info : viewTable()) info.setTokens(*widget(static_cast<int>(info.view)), tokens);
}

} // namespace railyard
