#include "widgets/views/training_form.h"

#include "core/workload/models_json.h"
#include "core/workload/usual_job.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>

namespace railyard {
namespace {

// A document may hold more than a field can show; what was not touched stays.
int shownIn(const QSpinBox& field, std::int64_t value) { return static_cast<int>(std::min<std::int64_t>(value, field.maximum())); }
std::int64_t valueOf(const QSpinBox& field, std::int64_t before) {
    return field.value() == shownIn(field, before) ? before : field.value();
}

} // namespace

TrainingForm::TrainingForm(QWidget* parent) : QWidget(parent), m_rows(new QFormLayout(this)) {
    m_rows->setContentsMargins(0, 0, 12, 0);
    m_model = choice(tr("Model"), QStringLiteral("training-model"), {});
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) m_model->addItem(text(model.name), text(model.id));
    m_gpus = number(tr("GPUs"), QStringLiteral("training-gpus"), 1 << 20);
    m_placement = choice(tr("Placement"), QStringLiteral("training-placement"), {tr("packed"), tr("spread over SUs"), tr("random")});
    m_tensor = number(tr("Tensor parallel (TP)"), QStringLiteral("training-tp"), 1024);
    m_pipeline = number(tr("Pipeline stages (PP)"), QStringLiteral("training-pp"), 1024);
    m_data = number(tr("Data parallel (DP)"), QStringLiteral("training-dp"), 1 << 20);
    m_context = number(tr("Context parallel (CP)"), QStringLiteral("training-cp"), 1024);
    m_expert = number(tr("Expert parallel (EP)"), QStringLiteral("training-ep"), 1024);
    m_microBatch = number(tr("Micro-batch, sequences"), QStringLiteral("training-micro-batch"), 1024);
    m_globalBatch = number(tr("Global batch, sequences"), QStringLiteral("training-global-batch"), 1 << 24);
    m_interleave = number(tr("Chunks per stage"), QStringLiteral("training-interleave"), 256);
    for (QSpinBox* chosen : {m_gpus, m_tensor, m_data, m_globalBatch}) {
        chosen->setMinimum(0);
        chosen->setSpecialValueText(chosen == m_gpus ? tr("all") : tr("automatic"));
    }
    m_recompute = choice(tr("Recomputation"), QStringLiteral("training-recompute"),
                         {tr("none"), tr("selective"), tr("full"), tr("between products")});
    m_zero = choice(tr("Optimizer"), QStringLiteral("training-zero"), {tr("ZeRO 0"), tr("ZeRO 1"), tr("ZeRO 2"), tr("ZeRO 3")});
    m_overlapTensor = choice(tr("Overlap of TP"), QStringLiteral("training-overlap-tp"), {tr("none"), tr("split products"), tr("bulk")});
    m_overlapData = new QCheckBox(tr("on"));
    says(*m_overlapData, tr("Overlap of DP"), QStringLiteral("training-overlap-dp"));
    m_offload = choice(tr("Offload to the host"), QStringLiteral("training-offload"), {tr("none"), tr("optimizer"), tr("activations")});
    m_precision = choice(tr("Precision"), QStringLiteral("training-precision"), {tr("bf16"), tr("fp8")});
    connect(m_overlapData, &QCheckBox::toggled, this, [this] {
        if (!m_isFilling) emit edited();
    });
    show(m_shown);
}

void TrainingForm::says(QWidget& field, const QString& name, const QString& key) {
    field.setObjectName(key);
    field.setAccessibleName(name);
    m_rows->addRow(plainLabel(name), &field);
}

QSpinBox* TrainingForm::number(const QString& name, const QString& key, int most) {
    auto* box = new QSpinBox;
    box->setRange(1, most);
    box->setKeyboardTracking(false); // not at every digit
    connect(box, &QSpinBox::valueChanged, this, [this] {
        if (!m_isFilling) emit edited();
    });
    says(*box, name, key);
    return box;
}

QComboBox* TrainingForm::choice(const QString& name, const QString& key, const QStringList& of) {
    auto* box = new QComboBox;
    box->addItems(of);
    connect(box, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling) emit edited();
    });
    says(*box, name, key);
    return box;
}

JobRequest TrainingForm::asked() const {
    JobRequest asked = m_shown;
    asked.model = m_model->currentData().toString().toStdString();
    TrainingJob& job = asked.planned.job;
    if (asked.model != m_shown.model)
        if (auto model = modelOf(asked.model)) job.model = std::move(*model);
    asked.gpus = valueOf(*m_gpus, asked.gpus);
    asked.placement = static_cast<Placement>(m_placement->currentIndex());
    const auto degree = [&](Parallel parallel, const QSpinBox& field) {
        std::int64_t& own = job.degrees[static_cast<std::size_t>(parallel)];
        own = valueOf(field, own);
    };
    degree(Parallel::Tensor, *m_tensor);
    degree(Parallel::Pipeline, *m_pipeline);
    degree(Parallel::Data, *m_data);
    degree(Parallel::Context, *m_context);
    degree(Parallel::Expert, *m_expert);
    job.microBatch = valueOf(*m_microBatch, job.microBatch);
    job.globalBatch = valueOf(*m_globalBatch, job.globalBatch);
    job.interleave = valueOf(*m_interleave, job.interleave);
    job.recompute = static_cast<Recompute>(m_recompute->currentIndex());
    job.zero = m_zero->currentIndex();
    TrainingPlan& plan = asked.planned.plan;
    plan.overlapsData = m_overlapData->isChecked();
    plan.overlapTensor = static_cast<TensorOverlap>(m_overlapTensor->currentIndex());
    plan.offload = static_cast<Offload>(m_offload->currentIndex());
    plan.precision = static_cast<Precision>(m_precision->currentIndex());
    return asked;
}

void TrainingForm::show(const JobRequest& of) {
    m_isFilling = true;
    m_shown = of;
    const QString model = text(of.model);
    if (m_model->findData(model) < 0) m_model->addItem(text(of.planned.job.model.name), model); // of a file
    m_model->setCurrentIndex(m_model->findData(model));
    const TrainingJob& job = of.planned.job;
    const auto fill = [](QSpinBox& field, std::int64_t value) { field.setValue(shownIn(field, value)); };
    fill(*m_gpus, of.gpus);
    m_placement->setCurrentIndex(static_cast<int>(of.placement));
    fill(*m_tensor, job.by(Parallel::Tensor));
    fill(*m_pipeline, job.by(Parallel::Pipeline));
    fill(*m_data, job.by(Parallel::Data));
    fill(*m_context, job.by(Parallel::Context));
    fill(*m_expert, job.by(Parallel::Expert));
    fill(*m_microBatch, job.microBatch);
    fill(*m_globalBatch, job.globalBatch);
    fill(*m_interleave, job.interleave);
    m_recompute->setCurrentIndex(static_cast<int>(job.recompute));
    m_zero->setCurrentIndex(job.zero);
    const TrainingPlan& plan = of.planned.plan;
    m_overlapData->setChecked(plan.overlapsData);
    m_overlapTensor->setCurrentIndex(static_cast<int>(plan.overlapTensor));
    m_offload->setCurrentIndex(static_cast<int>(plan.offload));
    m_precision->setCurrentIndex(static_cast<int>(plan.precision));
    m_isFilling = false;
}

} // namespace railyard
