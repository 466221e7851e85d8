// The ten-minute tour: one page per step, shown next to the drawing on which the user tries it.
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;

namespace railyard {

class Tour : public QDialog {
    Q_OBJECT

public:
    explicit Tour(QWidget* parent);
    int step() const { return m_step; }
    static int stepCount();

signals:
    void sampleAsked(const QString& name); // emitted by the button of a step that starts from a sample

private:
    void show(int step);

    int m_step = 0;
    QLabel *m_title, *m_text, *m_place;
    QPushButton *m_sample, *m_back, *m_next;
};

} // namespace railyard
