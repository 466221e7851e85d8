#include "widgets/panels/metrics_panel.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

class ShareBar : public QWidget {
public:
    explicit ShareBar(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(8); }
    void set(double fraction, const Tokens& tokens) {
        m_fraction = std::clamp(fraction, 0.0, 1.0);
        m_fill = tokens.accent;
        m_well = tokens.well;
        m_border = tokens.cardBorder;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(m_border);
        painter.setBrush(m_well);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.fillRect(QRectF(1, 1, (width() - 2) * m_fraction, height() - 2), m_fill);
    }

private:
    double m_fraction = 0;
    QColor m_fill, m_well, m_border;
};

MetricsPanel::MetricsPanel(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(5);
    m_baselines = new BaselineBar(document);
    layout->addWidget(m_baselines);
    connect(m_baselines, &BaselineBar::changed, this, [this] { refresh(); });
    auto* large = new QGridLayout;
    auto* bars = new QGridLayout;
    bars->setColumnStretch(0, 1);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    const FigureSource now{m_document.now().instant, m_document.background()};
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Headline, now)) addLarge(*large, figure);
    for (const ShownFigure& figure : shownFigures(FigureDisplay::Panel, now))
        addRow(figure.row->display.isBar ? *bars : *grid, *figure.row);
    for (QGridLayout* each : {large, bars, grid}) layout->addLayout(each);
    m_sentence = plainLabel();
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("dim", true);
    layout->addWidget(m_sentence);
    m_busy = new QProgressBar;
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setAccessibleName(tr("Computing"));
    layout->addWidget(m_busy);
    connect(&document, &Document::changed, this, [this] { refresh(); });
    connect(&document, &Document::backgroundChanged, this, [this] { refresh(); });
    setTokens(m_tokens);
}

void MetricsPanel::addLarge(QGridLayout& grid, const ShownFigure& figure) {
    const QString key = text(figure.key);
    const int column = grid.columnCount();
    Large& large = m_large[key];
    large.value = plainLabel();
    large.value->setFont(fontFor(TextRole::ChartTitle));
    large.value->setObjectName(QStringLiteral("metric-") + key);
    auto* caption = plainLabel(text(figure.title));
    caption->setProperty("dim", true);
    large.delta = plainLabel();
    large.delta->setProperty("dim", true);
    large.delta->setObjectName(QStringLiteral("delta-") + key);
    large.delta->hide();
    grid.addWidget(large.value, 0, column);
    grid.addWidget(caption, 1, column);
    grid.addWidget(large.delta, 2, column);
}

void MetricsPanel::addRow(QGridLayout& grid, const FigureInfo& figure) {
    const QString key = text(std::string(figure.key));
    const QString name = text(std::string(figure.display.line.empty() ? figure.display.title : figure.display.line));
    const int at = grid.rowCount();
    auto* label = new QPushButton(name);
    label->setProperty("figure", true);
    label->setObjectName(QStringLiteral("why-") + key);
    setToolTipOf(*label, tr("Shows formula, inputs and sources."));
    label->setAccessibleName(tr("Explain %1").arg(name));
    connect(label, &QPushButton::clicked, this, [this, key] { emit whyAsked(key); });
    Row& row = m_rows[key];
    row.label = label;
    row.value = plainLabel();
    row.value->setFont(fontFor(TextRole::BodyBold));
    row.value->setObjectName(QStringLiteral("metric-") + key);
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.delta = plainLabel();
    row.delta->setProperty("dim", true);
    row.delta->setObjectName(QStringLiteral("delta-") + key);
    row.delta->setMinimumWidth(64);
    row.delta->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid.addWidget(label, at, 0);
    grid.addWidget(row.value, at, 1);
    grid.addWidget(row.delta, at, 2);
    if (!figure.display.isBar) return;
    row.bar = new ShareBar;
    grid.addWidget(row.bar, at + 1, 0, 1, 3);
}

void MetricsPanel::set(const QString& key, const QString& value, const QString& delta, const QString& why, bool stale) {
    const Row& row = m_rows[key];
    row.value->setText(value);
    row.delta->setText(delta);
    setToolTipOf(*row.value, why);
    QPalette colors = row.value->palette();
    colors.setColor(QPalette::WindowText, stale ? m_tokens.textOff : m_tokens.text);
    row.value->setPalette(colors);
    const auto target = std::find_if(m_targets.begin(), m_targets.end(),
                                     [&](const TargetState& each) { return stableKey(each.target.figure) == key.toStdString(); });
    if (target != m_targets.end() && target->margin) return showTarget(row, *target, stale);
    row.value->setStyleSheet(stale ? QStringLiteral("color: %1").arg(m_tokens.textOff.name()) : QString());
}

// Shows whether the target is met and by what margin, in colour and in text.
void MetricsPanel::showTarget(const Row& row, const TargetState& state, bool stale) {
    const double margin = std::abs(*state.margin);
    const FigureInfo* figure = figureNamed(stableKey(state.target.figure));
    const QString amount = figure ? text(figureText(*figure, margin)) : QString::number(margin, 'g', 3);
    const QColor color = stale ? m_tokens.textOff : state.isMet() ? m_tokens.ok : m_tokens.danger;
    row.value->setStyleSheet(QStringLiteral("color: %1").arg(color.name()));
    const bool unsure = state.isMet() && state.mayBeWorse; // the metric is a bound, so the margin may be smaller
    row.delta->setText((unsure ? QStringLiteral("✓ ≤ ") : state.isMet() ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + amount);
    const QString bound = state.target.atMost ? tr("at most %1") : tr("at least %1");
    setToolTipOf(*row.delta, tr("Target: %1. %2")
                                 .arg(bound.arg(state.target.value, 0, 'g', 6),
                                      unsure          ? tr("Margin at most %1, because the metric is only a bound.").arg(amount)
                                      : state.isMet() ? tr("Met with a margin of %1.").arg(amount)
                                                      : tr("Missed by %1.").arg(amount)));
}

void MetricsPanel::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    refresh();
}

// The figures of an edit are known at once; those that are computed in the background are greyed until the new ones arrive.
void MetricsPanel::refresh() {
    const Snapshot& snapshot = m_document.now();
    const bool isStale = !m_document.background();
    m_busy->setVisible(isStale && !m_document.isBackgroundStopped() && snapshot.instant.counts.gpus > 0);
    m_targets = targetsOf(*snapshot.design, snapshot.instant, m_document.background());
    const BackgroundMetrics* background = isStale ? m_document.lastBackground() : m_document.background();
    const Baseline* baseline = m_baselines->chosen();
    const FigureSource now{snapshot.instant, background};
    const FigureSource was{baseline ? baseline->instant : snapshot.instant,
                           baseline && baseline->background ? &*baseline->background : nullptr};
    const auto deltaOf = [&](const ShownFigure& before, const ShownFigure& after) {
        return baseline ? text(differenceText(before, after, was.instant.bill, now.instant.bill)) : text(after.tag);
    };
    for (const auto& [before, after] : shownFigures(FigureDisplay::Headline, was, now)) {
        const Large& large = m_large[text(after.key)];
        large.value->setText(text(after.text));
        large.delta->setText(baseline ? deltaOf(before, after) : QString());
        large.delta->setVisible(baseline);
    }
    for (const auto& [before, after] : shownFigures(FigureDisplay::Panel, was, now)) showRow(now, after, deltaOf(before, after), isStale);
    showSentence(background);
}

void MetricsPanel::showRow(const FigureSource& now, const ShownFigure& figure, const QString& delta, bool isStale) {
    const Row& row = m_rows[text(figure.key)];
    const bool isDelayed = isOfBackground(*figure.row);
    if (row.bar) row.bar->set(figure.value.value_or(0), m_tokens);
    if (const auto* training = now.background && now.background->training ? &*now.background->training : nullptr;
        training && training->estimate && figure.key == "training.iteration_s")
        row.label->setText(tr("Iteration, %1").arg(text(training->estimate->job.model.name)));
    const bool isWaiting = !now.background || (figure.key.starts_with("training.") && !now.background->training);
    if (isDelayed && isWaiting) return set(text(figure.key), QStringLiteral("…"), {}, tr("Being computed"), true);
    set(text(figure.key), text(lineText(figure, now)), delta, text(figure.note), isDelayed && isStale);
}

void MetricsPanel::showSentence(const BackgroundMetrics* background) {
    QString sentence;
    if (background) {
        const Bisection& network = background->bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)];
        const Bisection& hb = background->bisection[static_cast<std::size_t>(BisectionKey::GpuWithHb)];
        if (m_document.now().instant.counts.gpus < 2)
            sentence = tr("Bisection needs at least two endpoints.");
        else if (network.isZeroByDesign() && hb.upperGbps > 0)
            sentence = tr("0 by design: the rails are separate networks. Cross-rail traffic is forwarded inside the HB domains.");
        else
            sentence =
                tr("Each half of the cluster can send %1 to the other.").arg(text(formatBandwidth(gigabitsPerSecond(network.upperGbps))));
        if (!m_document.failures().isEmpty()) sentence += tr(" Includes current failures; bars are relative to the intact design.");
    }
    m_sentence->setText(sentence);
}

} // namespace railyard
