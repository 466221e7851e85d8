// The component table of the Failure view: rates, expected failures as bars on one scale, and whether they interrupt the job.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/reliability/reliability.h"
#include "widgets/theme/tokens.h"

namespace railyard {

class FailureTable : public QWidget {
    Q_OBJECT

public:
    explicit FailureTable(QWidget* parent = nullptr);
    void show(const Reliability& reliability, const Tokens& tokens);
    QSize sizeHint() const override;
    void paintOn(QPainter& painter, const QRectF& room) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Columns;
    void paintHeading(QPainter& painter, const Columns& at, double top) const;
    void paintRow(QPainter& painter, const Columns& at, double top, const FailureComponent& row) const;
    void paintSum(QPainter& painter, const Columns& at, double top) const;
    double most() const; // expected failures at the end of the scale

    Reliability m_reliability; // rows in the order in which they are shown
    Tokens m_tokens;
};

} // namespace railyard
