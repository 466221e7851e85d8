#include "widgets/dialogs/tour.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/tokens.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {
namespace {

struct Step {
    const char *title, *text, *sample;
};
const Step steps[] = {
    {QT_TRANSLATE_NOOP("Tour", "A fabric on the drawing"),
     QT_TRANSLATE_NOOP("Tour", "This sample has four scalable units (SUs) of 32 servers, eight rails and 16 spines. The eight NICs of "
                               "each server connect to the eight leaves of its SU, one per rail. All rails share the same spines, which "
                               "makes the fabric rail-optimized. Zoom with the wheel, pan with Space and drag, and press F to fit the "
                               "design."),
     "superpod-h100-4su"},
    {QT_TRANSLATE_NOOP("Tour", "Inspect connections"),
     QT_TRANSLATE_NOOP("Tour", "Click a leaf to see each of its cables with the port at either end. Click a rail to dim the other rails. "
                               "Press Escape to clear both."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Drag to build"),
     QT_TRANSLATE_NOOP("Tour", "Drag Spine from the palette onto the drawing. Before you release the button, a preview shows what would "
                               "change. Press Ctrl+Z to undo."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Change a parameter"),
     QT_TRANSLATE_NOOP("Tour", "With nothing selected, the inspector shows the parameters of the recipe. Type *2 into Servers: cost, "
                               "power, cables and bisection are updated at once. Dragging the blue handle next to the last SU has the "
                               "same effect."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Choose the edit scope"),
     QT_TRANSLATE_NOOP("Tour", "Select a leaf and press 1, 2, 3 or 4 to edit this leaf, the same position in its pod, the same position "
                               "in every SU, or all leaves. The affected elements are outlined. Choose another switch in the inspector: "
                               "a diamond marks every override, and Revert to recipe removes it."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Explain a metric"),
     QT_TRANSLATE_NOOP("Tour",
                       "Click a metric in the Metrics panel to see its formula, inputs and sources. Click Bisection to shade the "
                       "two halves of the cluster on the drawing. Values marked ≥ are lower bounds; Findings explains why. "
                       "Locate shows a finding on the drawing, and a button named after its edit resolves it if a single edit can."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Rail-optimized or rail-only?"),
     QT_TRANSLATE_NOOP("Tour", "The Compare view shows the design next to its rail-only twin, with the difference of every metric. The "
                               "Decide view shows for each cluster size how many switches rail-only saves and how much it slows "
                               "all-to-all. Double-click a cell to open that fabric."),
     "superpod-h100-16su"},
    {QT_TRANSLATE_NOOP("Tour", "Racks"),
     QT_TRANSLATE_NOOP("Tour", "The Floor view places the racks. Drag a rack to see how the move changes cable length and cost before "
                               "you release it. With copper allowed, each cable is copper if it is short enough."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Deliverables"),
     QT_TRANSLATE_NOOP("Tour", "File › Export writes the bill of materials as a workbook with live formulas, the cable schedule with both "
                               "ends of every cable, and pictures for slides."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Find anything"),
     QT_TRANSLATE_NOOP("Tour", "Ctrl+Shift+P finds every action, element and part; type “su 3 leaf 4” or “export”. View › History lists "
                               "your edits. Every edit is saved for recovery within a second, in case the program closes unexpectedly."),
     ""}};

} // namespace

int Tour::stepCount() { return static_cast<int>(std::size(steps)); }

Tour::Tour(QWidget* parent)
    : QDialog(parent),
      m_title(plainLabel()),
      m_text(plainLabel()),
      m_place(plainLabel()),
      m_sample(new QPushButton(tr("Open sample"))),
      m_back(new QPushButton(tr("Back"))),
      m_next(new QPushButton) {
    setObjectName(QStringLiteral("tour"));
    setWindowTitle(tr("Tour"));
    setFixedWidth(430);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(18, 16, 18, 14);
    column->setSpacing(10);
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_text->setWordWrap(true);
    m_text->setMinimumHeight(96);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_place->setProperty("dim", true);
    column->addWidget(m_title);
    column->addWidget(m_text);
    auto* row = new QHBoxLayout;
    row->addWidget(m_place);
    row->addStretch();
    for (QPushButton* button : {m_sample, m_back, m_next}) row->addWidget(button);
    column->addLayout(row);
    m_next->setDefault(true);
    connect(m_sample, &QPushButton::clicked, this, [this] { emit sampleAsked(QString::fromLatin1(steps[m_step].sample)); });
    connect(m_back, &QPushButton::clicked, this, [this] { show(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { m_step + 1 < stepCount() ? show(m_step + 1) : accept(); });
    show(0);
}

void Tour::show(int step) {
    m_step = step;
    m_title->setText(tr(steps[step].title));
    m_text->setText(tr(steps[step].text));
    m_place->setText(tr("%1 of %2").arg(step + 1).arg(stepCount()));
    m_sample->setVisible(*steps[step].sample != '\0');
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 < stepCount() ? tr("Next") : tr("Done"));
}

} // namespace railyard
