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

TrainingForm::TrainingForm(QWidget* parent) : QWidget(parent), m_rows(new QFormLayout(this)) {
    m_rows->setContentsMargins(0, 0, 12, 0);
    m_model = choice(tr("Model"), QStringLiteral("training-model"), {});
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) m_model->addItem(text(model.name), text(model.id));
    m_model->setCurrentIndex(std::max(0, m_model->findData(QStringLiteral("llama3-70b"))));
    m_tensor = number(tr("Tensor parallel (TP)"), QStringLiteral("training-tp"), 1024);
    m_pipeline = number(tr("Pipeline stages (PP)"), QStringLiteral("training-pp"), 1024);
    m_context = number(tr("Context parallel (CP)"), QStringLiteral("training-cp"), 1024);
    m_expert = number(tr("Expert parallel (EP)"), QStringLiteral("training-ep"), 1024);
    m_microBatch = number(tr("Micro-batch, sequences"), QStringLiteral("training-micro-batch"), 1024);
    m_globalBatch = number(tr("Global batch, sequences"), QStringLiteral("training-global-batch"), 1 << 24);
    m_interleave = number(tr("Chunks per stage"), QStringLiteral("training-interleave"), 256);
    for (QSpinBox* chosen : {m_tensor, m_globalBatch}) {
        chosen->setMinimum(0);
        chosen->setSpecialValueText(tr("automatic"));
        chosen->setValue(0);
    }
    m_recompute = choice(tr("Recomputation"), QStringLiteral("training-recompute"),
                         {tr("none"), tr("selective"), tr("full"), tr("between products")});
    m_zero = choice(tr("Optimizer"), QStringLiteral("training-zero"), {tr("ZeRO 0"), tr("ZeRO 1"), tr("ZeRO 2"), tr("ZeRO 3")});
    m_zero->setCurrentIndex(1);
    m_overlapTensor = choice(tr("Overlap of TP"), QStringLiteral("training-overlap-tp"), {tr("none"), tr("split products"), tr("bulk")});
    m_overlapData = new QCheckBox(tr("on"));
    m_overlapData->setChecked(true);
    says(*m_overlapData, tr("Overlap of DP"), QStringLiteral("training-overlap-dp"));
    m_offload = choice(tr("Offload to the host"), QStringLiteral("training-offload"), {tr("none"), tr("optimizer"), tr("activations")});
    m_precision = choice(tr("Precision"), QStringLiteral("training-precision"), {tr("bf16"), tr("fp8")});
    connect(m_overlapData, &QCheckBox::toggled, this, [this] {
        if (!m_isFilling) emit edited();
    });
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

PlannedJob TrainingForm::asked() const {
    PlannedJob asked;
    const std::string id = m_model->currentData().toString().toStdString();
    for (const TransformerModel& model : shippedModels())
        if (model.id == id) asked.job = usualJob(model);
    asked.job.degrees = {m_tensor->value(), m_context->value(), m_expert->value(), 0, m_pipeline->value()};
    asked.job.microBatch = m_microBatch->value();
    asked.job.globalBatch = m_globalBatch->value();
    asked.job.interleave = m_interleave->value();
    asked.job.recompute = static_cast<Recompute>(m_recompute->currentIndex());
    asked.job.zero = m_zero->currentIndex();
    asked.plan.overlapsData = m_overlapData->isChecked();
    asked.plan.overlapTensor = static_cast<TensorOverlap>(m_overlapTensor->currentIndex());
    asked.plan.offload = static_cast<Offload>(m_offload->currentIndex());
    asked.plan.precision = static_cast<Precision>(m_precision->currentIndex());
    return asked;
}

void TrainingForm::show(const PlannedJob& of) {
    m_isFilling = true;
    m_tensor->setValue(static_cast<int>(of.job.by(Parallel::Tensor)));
    m_pipeline->setValue(static_cast<int>(of.job.by(Parallel::Pipeline)));
    m_context->setValue(static_cast<int>(of.job.by(Parallel::Context)));
    m_expert->setValue(static_cast<int>(of.job.by(Parallel::Expert)));
    m_microBatch->setValue(static_cast<int>(of.job.microBatch));
    m_globalBatch->setValue(static_cast<int>(of.job.globalBatch));
    m_interleave->setValue(static_cast<int>(of.job.interleave));
    m_recompute->setCurrentIndex(static_cast<int>(of.job.recompute));
    m_zero->setCurrentIndex(of.job.zero);
    m_overlapData->setChecked(of.plan.overlapsData);
    m_overlapTensor->setCurrentIndex(static_cast<int>(of.plan.overlapTensor));
    m_offload->setCurrentIndex(static_cast<int>(of.plan.offload));
    m_isFilling = false;
}

} // namespace railyard
