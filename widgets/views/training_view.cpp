#include "widgets/views/training_view.h"

#include "core/analysis/maps/decision.h"
#include "core/base/unit_text.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/workload/models_json.h"
#include "widgets/document/error_words.h"
#include "widgets/plots/stacked_bars.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <cmath>

namespace railyard {
namespace {

QString words(const char* text) { return QCoreApplication::translate("TrainingView", text); }

QString said(double value, int digits) { return QString::number(value, 'f', digits); }

StackedBar timeBar(const QString& title, const TrainingEstimate& of, const Tokens& tokens) {
    const TrainingBreakdown& b = of.breakdown;
    StackedBar bar{title, text(formatSeconds(of.iteration)), {}, 0, 0};
    const auto add = [&](const QString& name, Seconds time, const QColor& color) {
        bar.parts.push_back({name, text(formatSeconds(time)), time.value(), color});
    };
    add(words("Forward"), b.forward, tokens.jobs[0]);
    add(words("Backward"), b.backward, tokens.jobs[1]);
    add(words("Recomputation"), b.recompute, tokens.jobs[2]);
    add(words("Tensor parallel"), b.tensor, tokens.jobs[3]);
    add(words("Pipeline parallel"), b.pipeline, tokens.jobs[4]);
    add(words("Data parallel"), b.data, tokens.jobs[5]);
    add(words("Context parallel"), b.context, tokens.jobs[6]);
    add(words("Expert parallel"), b.expert, tokens.jobs[7]);
    add(words("Bubble"), b.bubble, tokens.controlBorder);
    add(words("Optimizer"), b.optimizer + b.offload, tokens.neutral);
    return bar;
}

StackedBar memoryBar(const TrainingMemory& memory, const Tokens& tokens) {
    StackedBar stored{words("Memory of the fullest GPU"),
                      memory.capacity > 0 ? words("%1 of %2 GiB").arg(said(memory.total(), 1), said(memory.capacity, 0))
                                          : words("%1 GiB, capacity not known").arg(said(memory.total(), 1)),
                      {},
                      memory.capacity,
                      1};
    const auto keep = [&](const QString& name, double gib, const QColor& color) {
        stored.parts.push_back({name, words("%1 GiB").arg(said(gib, 1)), gib, color});
    };
    keep(words("Parameters"), memory.parameters, tokens.jobs[0]);
    keep(words("Gradients"), memory.gradients, tokens.jobs[1]);
    keep(words("Optimizer"), memory.optimizer, tokens.jobs[2]);
    keep(words("Activations"), memory.activations, tokens.jobs[3]);
    keep(words("Workspace"), memory.workspace, tokens.controlBorder);
    return stored;
}

// A table of two columns.
RichText factsOf(const TrainingEstimate& own, const QString& otherLayout) {
    RichText rows = RichText::markup(QStringLiteral("<table cellspacing='0' cellpadding='4'>"));
    const auto row = [&](const QString& name, const QString& value) {
        rows += RichText::filled(QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td><td align='right'><b>%2</b></td></tr>"), name, value);
    };
    row(words("Exposed network share"), words("%1 %").arg(said(own.breakdown.exposed() / own.iteration * 100, 1)));
    row(words("Model FLOP utilisation (MFU)"), words("%1 %").arg(said(own.modelShare() * 100, 1)));
    row(words("Hardware FLOP utilisation (HFU)"), words("%1 %").arg(said(own.hardwareShare() * 100, 1)));
    row(words("Tokens per second"), text(formatCount(std::llround(own.tokensPerSecond()))));
    row(words("Days for %1 billion tokens").arg(said(own.plan.tokens / 1e9, 0)), said(own.days(), own.days() < 10 ? 2 : 1));
    row(words("Longest sequence that fits"),
        own.longestSequence > 0 ? words("%1 tokens").arg(text(formatCount(own.longestSequence))) : words("none"));
    if (!otherLayout.isEmpty()) row(words("Other layout"), otherLayout);
    return rows + RichText::markup(QStringLiteral("</table>"));
}

} // namespace

TrainingView::Answer TrainingView::answerTo(const Request& request) {
    Answer answer;
    answer.to = request;
    const Fabric& fabric = *request.shown->fabric;
    PlacedJob placed = placedJob(request.job, fabric, RankOrder::Near);
    if (placed.gpus.empty()) {
        answer.refusal = tr("The design has no GPUs.");
        return answer;
    }
    if (request.isSearched) {
        const TrainingJob& job = placed.job;
        const SearchSpace space = usualSpace(fabric, job, placed.gpus);
        const auto found = searchTraining(fabric, job, placed.gpus, {}, space, 1);
        if (!found || found->best.empty()) {
            answer.refusal = !found           ? wordsOf(found.error())
                             : found->nearest ? tr("Nothing fits in memory. The nearest: %1.").arg(text(found->nearest->reasons.front()))
                                              : tr("No division of these GPUs suits the model and the global batch.");
            return answer;
        }
        placed.job = found->best.front().job;
    }
    auto own = estimateTraining(fabric, placed, {});
    if (!own) {
        answer.refusal = wordsOf(own.error());
        return answer;
    }
    answer.own = std::move(*own);
    const Design& design = *request.shown->design;
    const auto call =
        design.recipe ? twinOf(*design.recipe, *design.catalog) : Result<RecipeCall>(Error::usage("The design is hand-drawn."));
    const auto twin = call ? build(*call, "twin", design.catalog) : Result<Design>(call.errors());
    if (!twin) {
        answer.twinRefusal = wordsOf(twin.error());
        return answer;
    }
    const FabricPointer other = elaborate(std::make_shared<const Design>(*twin));
    auto there = estimateTraining(*other, placedJob(placed.job, *other, RankOrder::Near), {});
    if (there)
        answer.twin = std::move(*there);
    else
        answer.twinRefusal = wordsOf(there.error());
    return answer;
}

TrainingView::TrainingView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers([this] { return [wanted = m_asked] { return answerTo(wanted); }; }, [this](Answer answer) { take(std::move(answer)); }) {
    m_isFilling = true; // until all fields are there
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(24);
    auto* side = new QWidget;
    side->setFixedWidth(280);
    auto* form = new QFormLayout(side);
    form->setContentsMargins(0, 0, 0, 0);
    m_model = new QComboBox;
    m_model->setObjectName(QStringLiteral("training-model"));
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) m_model->addItem(text(model.name), text(model.id));
    m_model->setCurrentIndex(std::max(0, m_model->findData(QStringLiteral("llama3-70b"))));
    form->addRow(tr("Model"), m_model);
    m_tensor = number(*form, tr("Tensor parallel (TP)"), QStringLiteral("training-tp"), 1024);
    m_pipeline = number(*form, tr("Pipeline stages (PP)"), QStringLiteral("training-pp"), 1024);
    m_context = number(*form, tr("Context parallel (CP)"), QStringLiteral("training-cp"), 1024);
    m_expert = number(*form, tr("Expert parallel (EP)"), QStringLiteral("training-ep"), 1024);
    m_microBatch = number(*form, tr("Micro-batch, sequences"), QStringLiteral("training-micro-batch"), 1024);
    m_globalBatch = number(*form, tr("Global batch, sequences"), QStringLiteral("training-global-batch"), 1 << 24);
    m_interleave = number(*form, tr("Chunks per stage"), QStringLiteral("training-interleave"), 256);
    for (QSpinBox* chosen : {m_tensor, m_globalBatch}) {
        chosen->setMinimum(0);
        chosen->setSpecialValueText(tr("automatic"));
        chosen->setValue(0);
    }
    m_recompute = new QComboBox;
    for (const QString& name : {tr("none"), tr("selective"), tr("full"), tr("between products")}) m_recompute->addItem(name);
    form->addRow(tr("Recomputation"), m_recompute);
    m_zero = new QComboBox;
    for (int zero = 0; zero <= 3; ++zero) m_zero->addItem(tr("ZeRO %1").arg(zero));
    m_zero->setCurrentIndex(1);
    form->addRow(tr("Optimizer"), m_zero);
    m_best = new QPushButton(tr("Find the fastest"));
    m_best->setObjectName(QStringLiteral("training-best"));
    m_best->setProperty("primary", true);
    setToolTipOf(*m_best, tr("Tries every division of the GPUs that fits in memory, and sets the fields to the fastest."));
    form->addRow(QString(), m_best);
    layout->addWidget(side, 0, Qt::AlignTop);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 12, 0);
    column->setSpacing(12);
    m_headline = plainLabel();
    m_headline->setFont(fontFor(TextRole::ChartTitle));
    m_headline->setWordWrap(true);
    m_headline->setObjectName(QStringLiteral("training-headline"));
    m_note = plainLabel();
    m_note->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("training-note"));
    m_bars = new StackedBars;
    m_facts = richLabel();
    m_facts->setObjectName(QStringLiteral("training-facts"));
    for (QWidget* each : std::initializer_list<QWidget*>{m_headline, m_note, m_bars, m_facts}) column->addWidget(each);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    layout->addWidget(scroll, 1);
    for (QComboBox* each : {m_model, m_recompute, m_zero}) connect(each, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    connect(m_best, &QPushButton::clicked, this, [this] { refresh(true); });
    m_isFilling = false;
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

QSpinBox* TrainingView::number(QFormLayout& form, const QString& name, const QString& key, int most) {
    auto* box = new QSpinBox;
    box->setRange(1, most);
    box->setObjectName(key);
    box->setKeyboardTracking(false); // not at every digit
    connect(box, &QSpinBox::valueChanged, this, [this] { refresh(); });
    form.addRow(plainLabel(name), box);
    box->setAccessibleName(name);
    return box;
}

void TrainingView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    showAnswer();
}

void TrainingView::showEvent(QShowEvent*) {
    if (m_asked.shown != m_document.snapshot()) refresh();
}

TrainingView::Request TrainingView::request(bool isSearched) const {
    Request wanted{m_document.snapshot(), {}, isSearched};
    const std::string id = m_model->currentData().toString().toStdString();
    for (const TransformerModel& model : shippedModels())
        if (model.id == id) wanted.job = usualJob(model);
    wanted.job.degrees = {m_tensor->value(), m_context->value(), m_expert->value(), 0, m_pipeline->value()};
    wanted.job.microBatch = m_microBatch->value();
    wanted.job.globalBatch = m_globalBatch->value();
    wanted.job.interleave = m_interleave->value();
    wanted.job.recompute = static_cast<Recompute>(m_recompute->currentIndex());
    wanted.job.zero = m_zero->currentIndex();
    return wanted;
}

void TrainingView::refresh(bool isSearched) {
    if (m_isFilling) return;
    m_asked = request(isSearched);
    m_best->setEnabled(false);
    m_note->setText(isSearched ? tr("Trying every division of the GPUs…") : tr("Computing…"));
    m_answers.ask();
}

void TrainingView::take(Answer answer) {
    m_best->setEnabled(true);
    m_answer = std::move(answer);
    if (m_answer.to.isSearched && m_answer.own) showJob(m_answer.own->job);
    showAnswer();
}

void TrainingView::showJob(const TrainingJob& job) {
    m_isFilling = true;
    m_tensor->setValue(static_cast<int>(job.by(Parallel::Tensor)));
    m_pipeline->setValue(static_cast<int>(job.by(Parallel::Pipeline)));
    m_context->setValue(static_cast<int>(job.by(Parallel::Context)));
    m_expert->setValue(static_cast<int>(job.by(Parallel::Expert)));
    m_microBatch->setValue(static_cast<int>(job.microBatch));
    m_globalBatch->setValue(static_cast<int>(job.globalBatch));
    m_interleave->setValue(static_cast<int>(job.interleave));
    m_recompute->setCurrentIndex(static_cast<int>(job.recompute));
    m_zero->setCurrentIndex(job.zero);
    m_isFilling = false;
}

void TrainingView::showAnswer() {
    if (!m_answer.own) {
        m_headline->setText(m_answer.refusal.isEmpty() ? QString() : tr("This job cannot run like this"));
        m_note->setText(m_answer.refusal);
        m_bars->show({}, m_tokens);
        return setRichText(*m_facts, RichText());
    }
    const TrainingEstimate& own = *m_answer.own;
    const TrainingJob& job = own.job;
    m_headline->setText(
        tr("%1 on %2 GPUs: %3 per iteration").arg(text(job.model.name), text(formatCount(job.gpus())), text(formatSeconds(own.iteration))));
    QStringList notes{tr("TP %1 · PP %2 · DP %3 · CP %4 · EP %5 · global batch %6")
                          .arg(job.by(Parallel::Tensor))
                          .arg(job.by(Parallel::Pipeline))
                          .arg(job.by(Parallel::Data))
                          .arg(job.by(Parallel::Context))
                          .arg(job.by(Parallel::Expert))
                          .arg(text(formatCount(job.globalBatch)))};
    notes << (own.isCalibrated ? tr("Interval %1 to %2; constants fitted to runs on A100 (%3).")
                               : tr("Interval %1 to %2; constants not calibrated for these GPUs (%3)."))
                 .arg(text(formatSeconds(own.low)), text(formatSeconds(own.high)), text(own.calibration));
    if (!own.isFeasible()) notes << tr("Does not fit: %1.").arg(text(own.reasons.front()));
    m_note->setText(notes.join(QLatin1Char('\n')));
    std::vector<StackedBar> bars{timeBar(tr("Iteration, this design"), own, m_tokens)};
    if (m_answer.twin) {
        const double more = m_answer.twin->iteration / own.iteration - 1;
        const Design& design = *m_answer.to.shown->design; // it has a twin, so it has a recipe
        const auto settings = resolve(*design.recipe, *design.catalog);
        const bool isRailOnly = settings && settings->family == RecipeFamily::RailOnly;
        bars.push_back(timeBar(isRailOnly ? tr("The same job, rail-optimized (%1)").arg(text(formatPercent(more)))
                                          : tr("The same job, rail-only (%1)").arg(text(formatPercent(more))),
                               *m_answer.twin, m_tokens));
    }
    bars.push_back(memoryBar(own.memory, m_tokens));
    m_bars->show(std::move(bars), m_tokens);
    setRichText(*m_facts, factsOf(own, m_answer.twin ? QString() : m_answer.twinRefusal));
}

} // namespace railyard
