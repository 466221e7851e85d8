#include "widgets/panels/metrics_panel.h"

#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

class BisectionBar : public QWidget {
public:
    explicit BisectionBar(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(8); }
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

namespace {

QString howItWasTimed(const CollectiveResult& result) {
    if (!result.favourable || !result.adverse) return QObject::tr("Link bandwidth only: the vendor publishes no latency constants.");
    const std::string low = formatSeconds(result.favourable->time), high = formatSeconds(result.adverse->time);
    const QString algorithm = text(algorithmText(result));
    return low == high ? algorithm : QObject::tr("%1 (range %2)").arg(algorithm, text(formatInterval(low, high)));
}

QString signedCount(std::int64_t delta) {
    if (delta == 0) return {};
    return (delta > 0 ? QStringLiteral("+") : QString()) + text(formatCount(delta)); // formatCount writes the minus sign
}

// Empty if nothing changed; a percentage of 0 is undefined.
QString signedPercent(double now, double was) {
    if (now == was) return {};
    if (was == 0) return QObject::tr("was 0");
    const double percent = (now / was - 1) * 100;
    return (percent > 0 ? QStringLiteral("+%1 %") : QStringLiteral("−%1 %")).arg(std::abs(percent), 0, 'f', std::abs(percent) < 10 ? 1 : 0);
}

} // namespace

// The key of a row's metric, as in railyard-cli metrics.
static QString rowFigure(const QString& row) {
    static const std::map<QString, const char*> keys{{QStringLiteral("cost"), "cost.network_usd"},
                                                     {QStringLiteral("power"), "power.network_w"},
                                                     {QStringLiteral("oversubscription"), "ratios.oversubscription_by_tier.leaf"},
                                                     {QStringLiteral("modules"), "counts.pluggables"},
                                                     {QStringLiteral("floor"), "floor.cable_m"},
                                                     {QStringLiteral("all-reduce"), "collectives.all-reduce@1GiB.time_s"},
                                                     {QStringLiteral("all-to-all"), "collectives.all-to-all@256MiB.time_s"},
                                                     {QStringLiteral("interrupt"), "failure.mttf_h"},
                                                     {QStringLiteral("latency"), "latency.mean_s"},
                                                     {QStringLiteral("training"), "training.iteration_s"},
                                                     {QStringLiteral("exposed"), "training.exposed_network_fraction"},
                                                     {QStringLiteral("bisection"), "bisection.gpu_network_only.fraction_of_injection"},
                                                     {QStringLiteral("bisection-hb"), "bisection.gpu_with_hb.fraction_of_injection"}};
    return QLatin1String(keys.at(row));
}

MetricsPanel::MetricsPanel(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(5);
    m_baselines = new BaselineBar(document);
    layout->addWidget(m_baselines);
    connect(m_baselines, &BaselineBar::changed, this, [this] { refresh(); });
    auto* large = new QGridLayout;
    int column = 0;
    for (const auto& [key, name] :
         {std::pair(QStringLiteral("gpus"), tr("GPUs")), std::pair(QStringLiteral("servers"), tr("Servers")),
          std::pair(QStringLiteral("switches"), tr("Switches")), std::pair(QStringLiteral("links"), tr("Links"))}) {
        auto* value = plainLabel();
        value->setFont(fontFor(TextRole::ChartTitle));
        value->setObjectName(QStringLiteral("metric-") + key);
        auto* caption = plainLabel(name);
        caption->setProperty("dim", true);
        large->addWidget(value, 0, column);
        auto* delta = plainLabel();
        delta->setProperty("dim", true);
        delta->setObjectName(QStringLiteral("delta-") + key);
        delta->hide();
        large->addWidget(caption, 1, column);
        large->addWidget(delta, 2, column++);
        m_large[key] = value;
        m_largeDelta[key] = delta;
    }
    layout->addLayout(large);
    auto* bisection = new QGridLayout;
    addRow(*bisection, QStringLiteral("bisection"), tr("Bisection, NIC fabric only"));
    m_fabricBar = new BisectionBar;
    bisection->addWidget(m_fabricBar, bisection->rowCount(), 0, 1, 3);
    addRow(*bisection, QStringLiteral("bisection-hb"), tr("Bisection, with HB forwarding"));
    m_hbBar = new BisectionBar;
    bisection->addWidget(m_hbBar, bisection->rowCount(), 0, 1, 3);
    bisection->setColumnStretch(0, 1);
    layout->addLayout(bisection);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    for (const auto& [key, name] :
         {std::pair(QStringLiteral("cost"), tr("Network cost")), std::pair(QStringLiteral("power"), tr("Network power")),
          std::pair(QStringLiteral("oversubscription"), tr("Oversubscription")),
          std::pair(QStringLiteral("modules"), tr("Pluggable modules · cables")),
          std::pair(QStringLiteral("floor"), tr("Racks · cable length")), std::pair(QStringLiteral("all-reduce"), tr("All-reduce 1 GiB")),
          std::pair(QStringLiteral("all-to-all"), tr("All-to-all 256 MiB")),
          std::pair(QStringLiteral("training"), tr("Training iteration")),
          std::pair(QStringLiteral("exposed"), tr("Exposed network share · MFU")),
          std::pair(QStringLiteral("latency"), tr("Latency, mean · longest")),
          std::pair(QStringLiteral("interrupt"), tr("Mean time between interrupts"))})
        addRow(*grid, key, name);
    layout->addLayout(grid);
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

MetricsPanel::Row& MetricsPanel::addRow(QGridLayout& grid, const QString& key, const QString& name) {
    const int at = grid.rowCount();
    auto* label = new QPushButton(name);
    label->setProperty("figure", true);
    label->setObjectName(QStringLiteral("why-") + key);
    setToolTipOf(*label, tr("Shows formula, inputs and sources."));
    label->setAccessibleName(tr("Explain %1").arg(name));
    connect(label, &QPushButton::clicked, this, [this, key] { emit whyAsked(rowFigure(key)); });
    Row& row = m_rows[key];
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
    return row;
}

void MetricsPanel::set(const QString& key, const QString& value, const QString& delta, const QString& why, bool stale) {
    const Row& row = m_rows[key];
    row.value->setText(value);
    row.delta->setText(delta);
    setToolTipOf(*row.value, why);
    QPalette colors = row.value->palette();
    colors.setColor(QPalette::WindowText, stale ? m_tokens.textOff : m_tokens.text);
    row.value->setPalette(colors);
    const auto target = std::find_if(m_targets.begin(), m_targets.end(), [&](const TargetState& each) {
        return stableKey(each.target.figure) == rowFigure(key).toStdString();
    });
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
    m_fabricBar->set(0, tokens);
    m_hbBar->set(0, tokens);
    refresh();
}

void MetricsPanel::refresh() {
    refreshInstant();
    refreshBackground();
}

// Metrics that are recomputed synchronously with every edit.
void MetricsPanel::refreshInstant() {
    const InstantMetrics& now = m_document.now().instant;
    const InstantMetrics* was = m_baselines->chosen() ? &m_baselines->chosen()->instant : nullptr;
    const std::tuple<QString, std::int64_t, std::int64_t> counts[] = {
        {QStringLiteral("gpus"), now.counts.gpus, was ? was->counts.gpus : 0},
        {QStringLiteral("servers"), now.counts.servers, was ? was->counts.servers : 0},
        {QStringLiteral("switches"), now.counts.switches, was ? was->counts.switches : 0},
        {QStringLiteral("links"), now.counts.links, was ? was->counts.links : 0}};
    for (const auto& [key, count, before] : counts) {
        m_large[key]->setText(text(formatCount(count)));
        m_largeDelta[key]->setText(was ? signedCount(count - before) : QString());
        m_largeDelta[key]->setVisible(was);
    }
    m_targets = targetsOf(*m_document.now().design, now, m_document.background());
    const int unpriced = unpricedItems(now.bill.lines).networkLines();
    const QString least = unpriced > 0 ? QStringLiteral("≥ ") : QString();
    QString costDelta, powerDelta, moduleDelta;
    if (was) {
        const auto difference = differenceOf(was->bill, now.bill, &Bill::network);
        if (!difference)
            costDelta = QStringLiteral("–"); // the two totals leave out different kinds of parts
        else if (difference->inCents() != 0)
            costDelta = (difference->inCents() > 0 ? QStringLiteral("+") : QString()) + text(formatMoney(*difference));
        if (now.bill.networkPower && was->bill.networkPower && *now.bill.networkPower != *was->bill.networkPower)
            powerDelta = (*now.bill.networkPower > *was->bill.networkPower ? QStringLiteral("+") : QStringLiteral("−")) +
                         text(formatWatts(Watts(std::abs(now.bill.networkPower->value() - was->bill.networkPower->value()))));
        moduleDelta = signedCount(now.cables.cables - was->cables.cables);
    }
    set(QStringLiteral("cost"), least + text(formatMoney(now.bill.network)), costDelta,
        unpriced == 0 ? QString()
                      : counted(unpriced, tr("%1 line has no price; the total is a lower bound."),
                                tr("%1 lines have no price; the total is a lower bound.")));
    set(QStringLiteral("power"), now.bill.networkPower ? text(formatWatts(*now.bill.networkPower)) : QStringLiteral("–"), powerDelta,
        now.bill.networkPower
            ? tr("Typical power of the switches, plus the modules at both ends of each link")
            : tr("Power is not published for %1.").arg(now.bill.unknownPower.empty() ? QString() : text(now.bill.unknownPower.front())));
    const double leaf = now.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)];
    set(QStringLiteral("oversubscription"), now.counts.switches == 0 ? QStringLiteral("–")
                                            : leaf > 0               ? text(formatRatio(leaf))
                                                                     : tr("One tier"));
    set(QStringLiteral("modules"),
        QStringLiteral("%1 · %2").arg(now.cables.pluggables ? text(formatCount(*now.cables.pluggables)) : QStringLiteral("–"),
                                      text(formatCount(now.cables.cables))),
        moduleDelta);
    const auto kilometres = [](Metres length) { return tr("%1 km").arg(length.value() / 1000, 0, 'f', 1); };
    set(QStringLiteral("floor"),
        now.floor ? QStringLiteral("%1 · %2").arg(text(formatCount(now.floor->racks)), kilometres(now.floor->cable)) : tr("No racks"), {},
        now.floor ? tr("Total stock length of all cables") : tr("Cables are assumed to be 30 m long; place racks in the Floor view."));
}

void MetricsPanel::refreshTraining(const BackgroundMetrics& background, const BackgroundMetrics* was, bool stale) {
    const QString iteration = QStringLiteral("training"), exposed = QStringLiteral("exposed");
    const auto& training = background.training;
    if (!training || !training->estimate) {
        const QString value = training ? QStringLiteral("–") : QStringLiteral("…");
        const QString why = training ? tr("Not known: %1.").arg(text(training->why)) : tr("Being computed");
        set(iteration, value, {}, why, stale);
        return set(exposed, value, {}, why, stale);
    }
    const TrainingEstimate& now = *training->estimate;
    const bool isCompared = was && was->training && was->training->estimate;
    const QString job =
        tr("%1 on %2 GPUs; the job can be changed in the Training view").arg(text(now.job.model.name), text(formatCount(now.job.gpus())));
    findChild<QPushButton*>(QStringLiteral("why-training"))->setText(tr("Iteration, %1").arg(text(now.job.model.name)));
    set(iteration, text(formatSeconds(now.iteration)),
        isCompared         ? signedPercent(now.iteration.value(), was->training->estimate->iteration.value())
        : now.isFeasible() ? QString()
                           : tr("too large"),
        now.isFeasible() ? job : tr("%1. Does not fit: %2.").arg(job, text(now.reasons.front())), stale);
    set(exposed,
        QStringLiteral("%1 · %2").arg(text(formatShare(now.exposedOnNetwork() / now.iteration)), text(formatShare(now.modelShare()))), {},
        tr("Communication over NICs that no computing hides, and the share of the GPUs' peak that the model uses. Inside HB domains "
           "another %1 of the time is exposed.")
            .arg(text(formatShare(now.exposedInDomains() / now.iteration))),
        stale);
}

// Metrics that are computed in the background. Until they arrive, the previous values are shown greyed.
void MetricsPanel::refreshBackground() {
    const InstantMetrics& now = m_document.now().instant;
    const bool stale = !m_document.background();
    m_busy->setVisible(stale && !m_document.isBackgroundStopped() && now.counts.gpus > 0);
    const BackgroundMetrics* background = stale ? m_document.lastBackground() : m_document.background();
    if (!background) {
        for (const char* key : {"all-reduce", "all-to-all", "latency", "interrupt", "training", "exposed", "bisection", "bisection-hb"})
            set(QLatin1String(key), QStringLiteral("…"), {}, tr("Being computed"), true);
        return;
    }
    const Baseline* baseline = m_baselines->chosen();
    const BackgroundMetrics* was = baseline && baseline->background ? &*baseline->background : nullptr;
    const auto collective = [&](const QString& key, std::size_t index) {
        const NamedCollective& c = background->collectives[index];
        QString beside = c.result ? text(std::string(toText(c.result->best.algorithm))) : QString();
        if (was && c.result && was->collectives[index].result)
            beside = signedPercent(c.result->best.time.value(), was->collectives[index].result->best.time.value());
        set(key, c.result ? text(timeText(*c.result)) : QStringLiteral("–"), beside, c.result ? howItWasTimed(*c.result) : text(c.why),
            stale);
    };
    collective(QStringLiteral("all-reduce"), 0);
    collective(QStringLiteral("all-to-all"), 1);
    const NetworkLatency& latency = background->latency;
    const auto seconds = [](const std::optional<PathLatency>& path) {
        return path ? text(formatSeconds(path->total())) : QStringLiteral("–");
    };
    set(QStringLiteral("latency"),
        latency.mean ? QStringLiteral("%1 · %2").arg(seconds(latency.mean), seconds(latency.longest)) : QStringLiteral("–"),
        was && was->latency.mean && latency.mean ? signedPercent(latency.mean->total().value(), was->latency.mean->total().value())
                                                 : QString(),
        latency.why.empty() ? tr("One way between NIC ports of different HB domains: switches, cables, and 64 bytes at each link")
                            : tr("Not known: %1.").arg(text(latency.why)),
        stale);
    const auto hours = background->interrupts.meanTimeHours;
    set(QStringLiteral("interrupt"), hours ? QStringLiteral("%1 h").arg(*hours, 0, 'f', 1) : QStringLiteral("–"), {},
        tr("For a job on all GPUs, with the default failure rates of the parts"), stale);
    refreshTraining(*background, was, stale);
    const auto bar = [&](const QString& key, BisectionBar& widget, BisectionKey which) {
        const Bisection& b = background->bisection[static_cast<std::size_t>(which)];
        const double fraction = b.fractionOfInjection.value_or(0);
        widget.set(fraction, m_tokens);
        set(key,
            b.fractionOfInjection ? QStringLiteral("%1%2 · %3")
                                        .arg(b.certified ? QString() : QStringLiteral("≤ "))
                                        .arg(fraction, 0, 'f', 2)
                                        .arg(text(formatBandwidth(gigabitsPerSecond(b.upperGbps))))
                                  : QStringLiteral("–"),
            !b.fractionOfInjection ? QString()
            : was                  ? signedPercent(b.upperGbps, was->bisection[static_cast<std::size_t>(which)].upperGbps)
            : b.certified          ? tr("certified")
                                   : tr("upper bound"),
            text(b.method), stale);
    };
    bar(QStringLiteral("bisection"), *m_fabricBar, BisectionKey::GpuNetworkOnly);
    bar(QStringLiteral("bisection-hb"), *m_hbBar, BisectionKey::GpuWithHb);
    const Bisection& network = background->bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)];
    const Bisection& hb = background->bisection[static_cast<std::size_t>(BisectionKey::GpuWithHb)];
    QString sentence;
    if (now.counts.gpus < 2)
        sentence = tr("Bisection needs at least two endpoints.");
    else if (network.upperGbps == 0 && hb.upperGbps > 0)
        sentence = tr("0 by design: the rails are separate networks. Cross-rail traffic is forwarded inside the HB domains.");
    else
        sentence =
            tr("Each half of the cluster can send %1 to the other.").arg(text(formatBandwidth(gigabitsPerSecond(network.upperGbps))));
    if (!m_document.failures().isEmpty()) sentence += tr(" Includes current failures; bars are relative to the intact design.");
    m_sentence->setText(sentence);
}

} // namespace railyard
