// Ten minutes through the program: one page a step, beside the drawing on which it is tried.
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
    void sampleAsked(const QString& name); // "Show me" of a step that begins with a sample

private:
    void show(int step);

    int m_step = 0;
    QLabel *m_title, *m_text, *m_place;
    QPushButton *m_sample, *m_back, *m_next;
};

} // namespace railyard
