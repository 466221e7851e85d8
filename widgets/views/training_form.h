// The fields of the Training view: a model, how it is divided over the GPUs and how it is run.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/training/training_plan.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace railyard {

class TrainingForm : public QWidget {
    Q_OBJECT

public:
    explicit TrainingForm(QWidget* parent = nullptr);
    PlannedJob asked() const;
    void show(const PlannedJob& job); // does not say that it was edited
    QFormLayout& rows() { return *m_rows; }

signals:
    void edited();

private:
    QSpinBox* number(const QString& name, const QString& key, int most);
    QComboBox* choice(const QString& name, const QString& key, const QStringList& of);
    void says(QWidget& field, const QString& name, const QString& key);

    QFormLayout* m_rows;
    QComboBox *m_model, *m_recompute, *m_zero, *m_overlapTensor, *m_offload, *m_precision;
    QSpinBox *m_tensor, *m_pipeline, *m_context, *m_expert, *m_microBatch, *m_globalBatch, *m_interleave;
    QCheckBox* m_overlapData;
    bool m_isFilling = false; // fields are being set, not edited
};

} // namespace railyard
