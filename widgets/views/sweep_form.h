// The form of the Sweep view: which parameters of the design take which values, and what is computed of each design.
#pragma once

#include "core/sweep/design_sweep.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace railyard {

class SweepForm : public QWidget {
    Q_OBJECT

public:
    explicit SweepForm(QWidget* parent = nullptr);
    std::vector<AskedAxis> axes() const; // those with values
    std::vector<std::string> evaluations() const;
    void addAxis(const QString& key, const QString& values);
    void say(const QString& words, bool isProblem); // below the form: how many points, or what is wrong

signals:
    void changed();
    void runAsked();
    void jobFilesAsked();
    void openAsked();

private:
    struct Row {
        QWidget* widget;
        QComboBox* key;
        QLineEdit* values;
    };
    QLayout* axisFields();
    QLayout* resultFields();
    QLayout* buttons();
    void removeAxis(QWidget* row);

    std::vector<Row> m_rows;
    QVBoxLayout* m_axes = nullptr;
    std::vector<std::pair<std::string, QCheckBox*>> m_results;
    QLineEdit* m_more = nullptr;
    QLabel* m_words = nullptr;
    QPushButton *m_add = nullptr, *m_run = nullptr, *m_files = nullptr;
};

} // namespace railyard
