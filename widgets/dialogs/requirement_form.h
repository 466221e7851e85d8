// The form of New fabric: what a fabric has to be.
#pragma once

#include "core/analysis/sizing/requirements.h"

#include <QWidget>

class QBoxLayout;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace railyard {

class RequirementForm : public QWidget {
    Q_OBJECT

public:
    explicit RequirementForm(const Catalog& catalog, QWidget* parent = nullptr);
    // Errors: fields without a number.
    Result<Requirements> requirements() const;
    QString name() const;
    QString modelName() const;
    void setGpus(std::int64_t gpus);
    void setSizeNote(const QString& words); // behind the size

signals:
    void changed();

private:
    enum Basis { Gpus, Megawatts, Millions, Days };
    QBoxLayout* sizeFields();
    QBoxLayout* limitFields();
    QBoxLayout* partLimitFields(const Catalog& catalog);
    QBoxLayout* networkFields();
    void followFields();

    struct Extra {
        QCheckBox* box;
        std::string key, value; // the recipe parameter that is set while the box is checked
    };
    std::vector<Extra> m_extras;
    QLineEdit *m_name = nullptr, *m_size = nullptr, *m_tokens = nullptr, *m_bisection = nullptr, *m_oversubscription = nullptr,
              *m_power = nullptr, *m_domain = nullptr, *m_link = nullptr, *m_interval = nullptr;
    QComboBox *m_server = nullptr, *m_switch = nullptr, *m_vendor = nullptr, *m_model = nullptr;
    QButtonGroup* m_basis = nullptr;
    QLabel *m_tokensCaption = nullptr, *m_sizeNote = nullptr;
};

} // namespace railyard
