#include "widgets/panels/tour.h"

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
     QT_TRANSLATE_NOOP(
         "Tour",
         "Four scalable units of 32 servers, eight rails, 16 spines. Each server's eight NICs go to the eight leaves above its unit; every "
         "rail rises into the same spines: that is rail-optimized. The wheel zooms to the pointer, Space and drag moves, F fits."),
     "superpod-h100-4su"},
    {QT_TRANSLATE_NOOP("Tour", "What is connected to what"),
     QT_TRANSLATE_NOOP("Tour", "Click a leaf: its cables are drawn one by one with the ports they end on. Click a rail to make the others "
                               "step back. Escape clears both."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Drag to build"),
     QT_TRANSLATE_NOOP(
         "Tour", "Drag Spine from the palette onto the drawing. Before you let go, the pointer says what would change. Then press Ctrl+Z."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Change a number"),
     QT_TRANSLATE_NOOP("Tour", "With nothing selected the inspector shows the parameters. Type *2 into Servers. Cost, power, cables and "
                               "bisection follow at once; the "
                               "blue handle beside the last unit does the same by dragging."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Change one, or all of its kind"),
     QT_TRANSLATE_NOOP("Tour", "Select a leaf and press 1, 2 or 3: frames show whom the next edit is meant for. Choose another switch in "
                               "the inspector; a diamond marks what "
                               "differs from the recipe, and Back to the recipe takes it away."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Why?"),
     QT_TRANSLATE_NOOP("Tour", "Click a figure in Metrics to see how it is worked out and from which sources; click Bisection and the two "
                               "halves are tinted on the drawing. Figures with ≥ are "
                               "incomplete and say why under Findings; a click on a "
                               "finding leads to the place, Fix mends it where one edit can."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Rail-optimized or rail-only?"),
     QT_TRANSLATE_NOOP("Tour", "Compare sets the design beside its rail-only twin, every figure with difference and percent. Decide shows "
                               "for every size what rail-only saves, and what it "
                               "costs an all-to-all. Double-click a cell to open that fabric."),
     "superpod-h100-16su"},
    {QT_TRANSLATE_NOOP("Tour", "Racks"),
     QT_TRANSLATE_NOOP("Tour", "Floor places the racks. Drag one: what it costs in cable is said before you let go. With cables by length, "
                               "copper is chosen where it reaches."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "What leaves the building"),
     QT_TRANSLATE_NOOP("Tour", "File › Export writes the bill as a workbook with live formulas, the cable list with both ends of every "
                               "cable, and pictures for slides."),
     ""},
    {QT_TRANSLATE_NOOP("Tour", "Find anything"),
     QT_TRANSLATE_NOOP("Tour", "Ctrl+Shift+P finds every action, element and part: type “su 3 leaf 4”, or “export”. View › History lists "
                               "what you did. Edits are kept against a crash as you make "
                               "them."),
     ""}};

} // namespace

int Tour::stepCount() { return static_cast<int>(std::size(steps)); }

Tour::Tour(QWidget* parent)
    : QDialog(parent),
      m_title(new QLabel),
      m_text(new QLabel),
      m_place(new QLabel),
      m_sample(new QPushButton(tr("Open the sample"))),
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
