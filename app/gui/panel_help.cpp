#include "app/gui/panel_help.h"

#include "widgets/theme/plain_text.h"

#include <QCoreApplication>
#include <QWidget>

namespace railyard {

void explainPanels(const ExplainedParts& parts) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("railyard::PanelHelp", text); };
    setHelpOf(
        *parts.palette,
        tr("The building blocks of a fabric. Drag one onto the drawing; a preview shows what would change before you release it. Hold "
           "Shift or Alt to set any number of spines. Callouts add text, arrows, brackets, a legend or a logo to the drawing."));
    setHelpOf(
        *parts.inspector,
        tr("Properties of the selection, or of the recipe if nothing is selected. Fields accept expressions: 96 + 32, *1.1, 50%. Keys "
           "1 to 4 set the edit scope: this element, the same position in its pod, the same position in every SU, or all of its kind."));
    setHelpOf(*parts.metrics,
              tr("Metrics of the design, updated after every edit. Greyed values are still being computed. Click a name to see how the "
                 "metric is calculated. Pin saves the current metrics as a baseline to compare with."));
    setHelpOf(*parts.findings, tr("Findings of the design rules. Locate shows the element on the drawing. Approve accepts the finding with "
                                  "a reason. A third button, "
                                  "named after its edit, resolves the finding where a single edit can."));
    setHelpOf(
        *parts.tables,
        tr("Devices, links and the bill. Click a heading to sort. Names and switch parts can be edited in place. Ctrl+C copies cells for "
           "a spreadsheet. The selection is shared with the drawing."));
    setHelpOf(*parts.why, tr("Formula, inputs, sources and confidence of a metric, and its target."));
    setHelpOf(*parts.failing,
              tr("Metrics of the degraded fabric. Click elements or type a selector to fail them. The design itself is not affected."));
    setHelpOf(*parts.load,
              tr("Load of every link when all GPUs send. Choose a traffic pattern and the load balancing. Colours run from idle to fully "
                 "utilised; red links are oversubscribed."));
    setHelpOf(*parts.jobBar,
              tr("Concurrent jobs: the servers of each job, the link loads with all jobs running, and how much the jobs slow "
                 "each other."));
    setHelpOf(*parts.play, tr("A collective of all GPUs, step by step: senders and receivers, link loads and duration of each step."));
}

} // namespace railyard
