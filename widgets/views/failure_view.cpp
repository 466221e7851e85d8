#include "widgets/views/failure_view.h"

#include "core/analysis/option_sections.h"
#include "core/base/unit_text.h"
#include "core/design/edits/edit_elements.h"
#include "core/failure/removal.h"
#include "widgets/document/busy_line.h"
#include "widgets/document/error_words.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/failure_cards.h"
#include "widgets/views/failure_table.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

QScrollArea* scrolled(QWidget* content, int width = 0) {
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    if (width > 0) scroll->setFixedWidth(width);
    return scroll;
}

QLabel* wrapped(const char* name) {
    QLabel* label = plainLabel();
    label->setWordWrap(true);
    label->setObjectName(QLatin1String(name));
    return label;
}

} // namespace

FailureView::FailureView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers([this] { return [wanted = m_asked](const TaskContext& context) { return failureAnswer(wanted, context); }; },
                [this](FailureAnswer answer) {
                    m_answer = std::move(answer);
                    showAnswer();
                }),
      m_curving([this] { return [wanted = m_asked](const TaskContext& context) { return failureCurves(wanted, context); }; },
                [this](FailureCurvesAnswer answer) {
                    m_curves = std::move(answer);
                    showCurves();
                }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 10);
    layout->setSpacing(14);
    m_form = new ParameterForm(infosOf(reliabilityParameters()), QStringLiteral("reliability"));
    layout->addWidget(settings());
    layout->addWidget(answers(), 1);
    m_side = singles();
    layout->addWidget(m_side);
    connect(m_form, &ParameterForm::edited, this, &FailureView::storeEdits);
    const auto follow = [this] {
        if (isVisible()) refresh();
    };
    connect(&document, &Document::changed, this, follow);
    connect(&document, &Document::failuresChanged, this, follow);
}

QWidget* FailureView::settings() {
    constexpr int width = 268;
    m_form->setFixedWidth(width - 16);
    auto* fail = new QPushButton(tr("Fail on the drawing"));
    fail->setObjectName(QStringLiteral("failure-drawing"));
    setToolTipOf(*fail, tr("Opens the failure mode of the drawing. The design and its bill are not affected."));
    connect(fail, &QPushButton::clicked, this, &FailureView::failAsked);
    m_form->rows().addRow(fail);
    return scrolled(m_form, width);
}

QWidget* FailureView::answers() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(10);
    m_headline = wrapped("failure-headline");
    m_headline->setFont(fontFor(TextRole::ChartTitle));
    m_note = wrapped("failure-note");
    m_note->setProperty("dim", true);
    m_table = new FailureTable;
    m_standbys = new BandPlot;
    m_bandwidth = new BandPlot;
    auto* plots = new QHBoxLayout;
    for (BandPlot* plot : {m_standbys, m_bandwidth}) {
        plot->setMinimumHeight(370); // with a title of two lines
        plot->setMinimumWidth(320);
        plots->addWidget(plot, 1);
        plot->hide(); // until there is something
    }
    m_verdict = wrapped("failure-verdict");
    m_keep = new QPushButton;
    m_keep->setObjectName(QStringLiteral("failure-keep"));
    m_keep->setProperty("primary", true);
    m_keep->hide();
    connect(m_keep, &QPushButton::clicked, this, [this] {
        if (m_curves.standbys.points.empty()) return;
        ReliabilityRequest request = m_asked.asked;
        request.jobGpus = 0; // the job is the rest
        request.standbys = m_curves.standbys.points[m_curves.standbys.best].standbys;
        store(request);
    });
    m_use = new UseBars;
    auto* verdict = new QVBoxLayout;
    verdict->addWidget(m_verdict);
    verdict->addWidget(m_keep, 0, Qt::AlignLeft);
    verdict->addStretch();
    auto* foot = new QHBoxLayout;
    foot->setSpacing(14);
    foot->addLayout(verdict, 2);
    foot->addWidget(m_use, 3, Qt::AlignTop);
    for (QWidget* each : std::initializer_list<QWidget*>{m_headline, m_note, m_table}) column->addWidget(each);
    auto* busy = new BusyLine(m_answers, tr("Computing the failures…"), [this] { m_answers.ask(); });
    auto* simulating = new BusyLine(m_curving, tr("Simulating operation…"), [this] { m_curving.ask(); });
    for (QWidget* each : {busy, simulating}) column->addWidget(each);
    column->addLayout(plots);
    column->addLayout(foot);
    column->addStretch();
    return scrolled(content);
}

QWidget* FailureView::singles() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    QLabel* title = plainLabel(tr("Worst single failures"));
    title->setFont(fontFor(TextRole::ObjectName));
    m_singles = new SingleFailureList;
    connect(m_singles, &SingleFailureList::located, this, [this](const QString& path) { emit locateAsked(placeOf(path)); });
    m_policyTitle = wrapped("policy-title");
    m_policyTitle->setFont(fontFor(TextRole::ObjectName));
    m_policies = new PolicyCards;
    m_policies->hide();
    m_policyVerdict = wrapped("policy-verdict");
    m_pair = wrapped("worst-pair");
    m_remedyTitle = wrapped("remedy-title");
    m_remedyTitle->setFont(fontFor(TextRole::ObjectName));
    m_remedyTitle->setText(tr("Spares and standbys"));
    m_remedies = wrapped("remedies");
    for (QWidget* each :
         std::initializer_list<QWidget*>{title, m_singles, m_pair, m_policyTitle, m_policies, m_policyVerdict, m_remedyTitle, m_remedies})
        column->addWidget(each);
    column->addStretch();
    return scrolled(content);
}

// Of a feed or an optical circuit switch, the first of what it takes.
QString FailureView::placeOf(const QString& path) const {
    if (!path.contains(QLatin1Char('='))) return path;
    const Fabric& fabric = *m_document.now().fabric;
    const auto taken = select(fabric, path.toStdString());
    if (!taken) return path;
    const auto device = std::find(taken->devices.begin(), taken->devices.end(), true);
    if (device != taken->devices.end()) return text(fabric.devicePath(DeviceId(static_cast<std::size_t>(device - taken->devices.begin()))));
    const auto link = std::find(taken->links.begin(), taken->links.end(), true);
    return link == taken->links.end() ? path
                                      : text(fabric.devicePath(fabric.links.a[static_cast<std::size_t>(link - taken->links.begin())]));
}

void FailureView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_side->setFixedWidth(std::clamp(width() / 4, 326, 400));
}

void FailureView::store(const ReliabilityRequest& request) {
    const Design& design = *m_document.now().design;
    NamedOptions options = design.reliability.value_or(NamedOptions());
    options.options = textsOf(reliabilityParameters(), request, ReliabilityRequest());
    const auto wanted = options == NamedOptions() ? std::nullopt : std::optional(options);
    if (wanted != design.reliability) m_document.apply(setOptions(design, &Design::reliability, wanted, "Set the failure model"));
}

void FailureView::storeEdits() {
    ParameterTexts edits = m_form->edits();
    auto request = withTexts(reliabilityParameters(), m_asked.asked, edits, "the failure model");
    if (request) return store(*request);
    const std::vector<Error> errors = request.errors();
    m_form->showProblem(wordsOf(errors.front()), errors.front().field);
}

void FailureView::wait() {
    m_answers.wait();
    m_curving.wait();
}

void FailureView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    showAnswer();
    showCurves();
}

void FailureView::showEvent(QShowEvent*) {
    if (m_asked.shown != m_document.snapshot() || m_asked.degraded != m_document.degraded()) refresh();
}

void FailureView::refresh() {
    const ReliabilityRequest asked = reliabilityOfDesign(*m_document.now().design);
    m_form->follow(allTextsOf(reliabilityParameters(), asked));
    m_asked = {m_document.snapshot(), m_document.degraded(), asked};
    m_answers.ask();
    m_curving.ask();
}

void FailureView::showAnswer() {
    if (!m_answer.to.shown) return;
    const bool isRefused = !m_answer.refusal.isEmpty();
    m_headline->setText(isRefused ? tr("The failures of this job cannot be computed") : failureHeadline(m_answer.reliability));
    m_note->setText(isRefused ? m_answer.refusal : failureSubtitle(m_answer.reliability));
    m_table->setVisible(!isRefused);
    m_table->show(m_answer.reliability, m_tokens);
    m_singles->show(m_answer.failures, m_tokens);
    m_pair->setText(m_answer.pair ? pairSentence(*m_answer.pair) : QString());
    m_remedyTitle->setVisible(!m_answer.remedies.empty());
    m_remedies->setText(remedyLines(m_answer.remedies));
    m_policies->setVisible(m_answer.policies.has_value());
    if (m_answer.policies) {
        m_policies->show(*m_answer.policies, m_tokens);
        m_policyTitle->setText(tr("A leaf fails: two policies, %1").arg(text(m_answer.policies->model)));
        m_policyVerdict->setText(policyVerdict(*m_answer.policies));
    } else {
        m_policyTitle->setText(m_answer.policyRefusal.isEmpty() ? QString() : tr("A leaf fails"));
        m_policyVerdict->setText(m_answer.policyRefusal);
    }
}

void FailureView::showCurves() {
    if (!m_curves.to.shown) return;
    const BandData standbys = standbyChart(m_curves), bandwidth = bandwidthChart(m_curves);
    m_standbys->setVisible(!standbys.lines.empty());
    m_bandwidth->setVisible(!bandwidth.lines.empty());
    if (!standbys.lines.empty()) m_standbys->show(standbys, m_tokens);
    if (!bandwidth.lines.empty()) m_bandwidth->show(bandwidth, m_tokens);
    m_use->show(m_curves.standbys, m_tokens);
    m_use->setVisible(!m_curves.standbys.points.empty());
    m_verdict->setText(standbyVerdict(m_curves.standbys));
    const bool canKeep = !m_curves.standbys.points.empty() && m_curves.standbys.points[m_curves.standbys.best].standbys > 0;
    m_keep->setVisible(canKeep);
    if (canKeep)
        m_keep->setText(counted(m_curves.standbys.points[m_curves.standbys.best].standbys, tr("Keep %1 standby"), tr("Keep %1 standbys")));
}

} // namespace railyard
