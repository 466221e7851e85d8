// Horizontal bars made of parts, with what each part is below its bar. Bars of one group have the same scale.
#pragma once

#include "widgets/theme/tokens.h"

#include <QString>
#include <QWidget>
#include <vector>

namespace railyard {

struct BarPart {
    QString name, value;
    double amount = 0;
    QColor color;
};

struct StackedBar {
    QString title, total;
    std::vector<BarPart> parts; // those of amount 0 are left out
    double limit = 0;           // a mark at this amount; 0: none
    int group = 0;              // bars of a group share their scale
};

class StackedBars : public QWidget {
    Q_OBJECT

public:
    explicit StackedBars(QWidget* parent = nullptr);
    void show(std::vector<StackedBar> bars, const Tokens& tokens);
    QSize sizeHint() const override;
    int heightForWidth(int width) const override { return paintOrMeasure(nullptr, width); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int paintOrMeasure(QPainter* painter, int width) const; // the height it takes
    double mostOf(int group) const;
    std::vector<StackedBar> m_bars;
    Tokens m_tokens;
};

} // namespace railyard
