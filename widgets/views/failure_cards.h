// The right side and the foot of the Failure view: single failures, the two policies for a dead leaf, and what the time of the GPUs is
// used for.
#pragma once

#include <QWidget> // first, because moc cannot parse <memory> before <concepts>

#include "core/analysis/curves/failure_curves.h"
#include "core/reliability/single_failures.h"
#include "widgets/theme/tokens.h"

namespace railyard {

// The worst first; a click asks for the element.
class SingleFailureList : public QWidget {
    Q_OBJECT

public:
    explicit SingleFailureList(QWidget* parent = nullptr);
    void show(const std::vector<SingleFailure>& failures, const Tokens& tokens);
    QSize sizeHint() const override;

signals:
    void located(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::vector<SingleFailure> m_failures;
    Tokens m_tokens;
};

// Both policies side by side, each with a drawing; the better one has a border.
class PolicyCards : public QWidget {
    Q_OBJECT

public:
    explicit PolicyCards(QWidget* parent = nullptr);
    void show(const LeafPolicies& policies, const Tokens& tokens);
    QSize sizeHint() const override { return {380, 250}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCard(QPainter& painter, const QRectF& room, bool isForwarding) const;
    void paintServer(QPainter& painter, const QRectF& room, bool isForwarding) const;

    std::optional<LeafPolicies> m_policies;
    Tokens m_tokens;
};

// One bar for each number of standbys: trains, checkpoints and restarts, waits, idle.
class UseBars : public QWidget {
    Q_OBJECT

public:
    explicit UseBars(QWidget* parent = nullptr);
    void show(const StandbyCurve& curve, const Tokens& tokens);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StandbyCurve m_curve;
    std::vector<std::size_t> m_rows; // points that are shown
    Tokens m_tokens;
};

} // namespace railyard
