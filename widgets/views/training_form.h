// The fields of the Training view: a model, the GPUs it gets, how it is divided over them and how it is run.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/training/job_request.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace railyard {

class TrainingForm : public QWidget {
    Q_OBJECT

public:
    explicit TrainingForm(QWidget* parent = nullptr);
    JobRequest asked() const;         // with what the fields do not show as it was
    void show(const JobRequest& job); // does not say that it was edited
    QFormLayout& rows() { return *m_rows; }

signals:
    void edited();

private:
    QSpinBox* number(const QString& name, const QString& key, int most);
    QComboBox* choice(const QString& name, const QString& key, const QStringList& of);
    void says(QWidget& field, const QString& name, const QString& key);

    QFormLayout* m_rows;
    JobRequest m_shown = usualRequest();
    QComboBox *m_model, *m_placement, *m_recompute, *m_zero, *m_overlapTensor, *m_offload, *m_precision;
    QSpinBox *m_gpus, *m_tensor, *m_pipeline, *m_data, *m_context, *m_expert, *m_microBatch, *m_globalBatch, *m_interleave;
    QCheckBox* m_overlapData;
    bool m_isFilling = false; // fields are being set, not edited
};

} // namespace railyard
