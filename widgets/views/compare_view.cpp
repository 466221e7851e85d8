#include "widgets/views/compare_view.h"

#include "core/analysis/maps/decision.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>

namespace railyard {
namespace {
QString capitalised(std::string_view name) { return text(std::string(name)).replace(0, 1, QChar::fromLatin1(name.front()).toUpper()); }
} // namespace

// A read-only drawing of a design.
class SceneView : public QWidget {
public:
    explicit SceneView(QWidget* parent = nullptr) : QWidget(parent) { setMinimumHeight(180); }
    void clear() {
        m_fabric.reset();
        update();
    }
    void show(FabricPointer fabric, const Tokens& tokens) {
        m_fabric = std::move(fabric);
        m_tokens = tokens;
        m_scene = buildScene(*m_fabric, Detail::Folded);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!m_fabric) return;
        QPainter painter(this);
        ScenePainter(m_scene, *m_fabric, m_tokens, ViewState::fitting(m_scene.bounds, QRectF(rect()).adjusted(4, 4, -4, -4)),
                     QRectF(rect()))
            .paint(painter);
    }

private:
    FabricPointer m_fabric;
    Tokens m_tokens;
    Scene m_scene;
};

namespace {
// Whether all collective times include the latency constants of the GPUs' library.
bool isCalibratedWithLatency(const Metrics& metrics) {
    const auto& collectives = metrics.background.collectives;
    return std::all_of(collectives.begin(), collectives.end(), [](const NamedCollective& n) { return !n.result || n.result->library; });
}
} // namespace

std::vector<ComparedFigure> comparedFigures(const Metrics& a, const Metrics& b) {
    std::vector<ComparedFigure> rows;
    const auto add = [&](const QString& name, std::optional<double> x, std::optional<double> y, auto format, bool less = true) {
        ComparedFigure row{name, x ? format(*x) : QStringLiteral("–"), y ? format(*y) : QStringLiteral("–"), {}, {}, less};
        if (x && y) {
            const double delta = *y - *x;
            row.delta =
                delta == 0 ? QObject::tr("same") : (delta > 0 ? QStringLiteral("+") : QStringLiteral("−")) + format(std::abs(delta));
            if (*x != 0 && delta != 0) row.percent = delta / *x;
        }
        rows.push_back(row);
    };
    const auto count = [](double v) { return text(formatCount(std::llround(v))); };
    const auto money = [](double v) { return text(formatMoney(Money::dollars(v))); };
    const auto watts = [](double v) { return text(formatWatts(Watts(v))); };
    const auto seconds = [](double v) { return text(formatSeconds(Seconds(v))); };
    const auto ratio = [](double v) { return QString::number(v, 'f', 2); };
    const InstantMetrics &i = a.instant, &j = b.instant;
    const auto number = [](std::int64_t v) { return std::optional(static_cast<double>(v)); };
    add(QObject::tr("GPUs"), number(i.counts.gpus), number(j.counts.gpus), count, false);
    add(QObject::tr("Switches"), number(i.counts.switches), number(j.counts.switches), count);
    for (std::size_t t = 1; t < 5; ++t)
        if (i.counts.switchesByTier[t] + j.counts.switchesByTier[t] > 0)
            add(QStringLiteral("   ") + capitalised(toText(static_cast<SwitchTier>(t))), number(i.counts.switchesByTier[t]),
                number(j.counts.switchesByTier[t]), count);
    add(QObject::tr("Links"), number(i.counts.links), number(j.counts.links), count);
    const auto optional = [](const std::optional<std::int64_t>& v) { return v ? std::optional(static_cast<double>(*v)) : std::nullopt; };
    add(QObject::tr("Pluggable modules"), optional(i.cables.pluggables), optional(j.cables.pluggables), count);
    add(isLowerBound(i.bill, &Bill::network) || isLowerBound(j.bill, &Bill::network) ? QObject::tr("Network cost (lower bound)")
                                                                                     : QObject::tr("Network cost"),
        i.bill.network.inDollars(), j.bill.network.inDollars(), money);
    if (!differenceOf(i.bill, j.bill, &Bill::network)) rows.back().delta = QStringLiteral("–"), rows.back().percent.reset();
    const auto power = [](const Bill& bill) { return bill.networkPower ? std::optional(bill.networkPower->value()) : std::nullopt; };
    add(QObject::tr("Network power"), power(i.bill), power(j.bill), watts);
    for (const auto& [key, name] : {std::pair(BisectionKey::GpuNetworkOnly, QObject::tr("Bisection, NIC fabric only")),
                                    std::pair(BisectionKey::GpuWithHb, QObject::tr("Bisection, with HB forwarding"))})
        add(
            name, a.background.bisection[static_cast<std::size_t>(key)].fractionOfInjection,
            b.background.bisection[static_cast<std::size_t>(key)].fractionOfInjection,
            [&](double v) { return v == 0 ? QObject::tr("0, by design") : ratio(v); }, false);
    for (std::size_t c = 0; c < std::min(a.background.collectives.size(), b.background.collectives.size()); ++c) {
        const NamedCollective &x = a.background.collectives[c], &y = b.background.collectives[c];
        const auto time = [](const NamedCollective& n) { return n.result ? std::optional(n.result->best.time.value()) : std::nullopt; };
        const bool areBounds = (x.result && !x.result->library) || (y.result && !y.result->library);
        add((areBounds ? QObject::tr("%1 %2 (bandwidth only)") : QObject::tr("%1 %2"))
                .arg(capitalised(toText(x.op)), text(formatBytes(x.size))),
            time(x), time(y), seconds);
    }
    const auto interruptions = [](const Interrupts& f) {
        return f.meanTimeHours ? std::optional(f.horizonHours / *f.meanTimeHours) : std::nullopt;
    };
    const auto estimate = [](const Metrics& m) { return m.background.training ? m.background.training->estimate : std::nullopt; };
    if (const auto x = estimate(a), y = estimate(b); x || y) {
        const auto of = [](const auto& one, auto read) { return one ? std::optional<double>(read(*one)) : std::nullopt; };
        const auto time = [](const TrainingEstimate& e) { return e.iteration.value(); };
        const auto exposed = [](const TrainingEstimate& e) { return e.exposedOnNetwork() / e.iteration; };
        add(QObject::tr("Training iteration, %1").arg(text((x ? x : y)->job.model.name)), of(x, time), of(y, time), seconds);
        add(QObject::tr("Exposed network share"), of(x, exposed), of(y, exposed), [](double v) { return text(formatShare(v)); });
    }
    add(QObject::tr("Interrupts in 30 days"), interruptions(a.background.interrupts), interruptions(b.background.interrupts),
        [](double v) { return QString::number(v, 'f', 1); });
    return rows;
}

QString comparisonVerdict(const Metrics& a, const Metrics& b) {
    const auto saved = differenceOf(b.instant.bill, a.instant.bill, &Bill::network);
    const std::int64_t switches = a.instant.counts.switches - b.instant.counts.switches;
    QString words;
    if (!saved)
        words = QObject::tr("%1 needs %2 switches instead of %3; the network costs leave out different kinds of parts without a price")
                    .arg(text(b.name), text(formatCount(b.instant.counts.switches)), text(formatCount(a.instant.counts.switches)));
    else if (switches == 0 && saved->inCents() == 0)
        words =
            QObject::tr("%1 saves nothing: both designs need %2 switches").arg(text(b.name), text(formatCount(a.instant.counts.switches)));
    else {
        const double share = a.instant.bill.network.inCents() > 0 ? saved->inDollars() / a.instant.bill.network.inDollars() : 0;
        words = QObject::tr("%1 %2 %3 of network cost (%4) and %5 switches")
                    .arg(text(b.name), saved->inCents() >= 0 ? QObject::tr("saves") : QObject::tr("adds"),
                         text(formatMoney(saved->inCents() >= 0 ? *saved : Money() - *saved)), text(formatPercent(-share)),
                         text(formatCount(std::abs(switches))));
    }
    const NamedCollective &x = a.background.collectives[1], &y = b.background.collectives[1];
    if (x.result && y.result && x.result->best.time.value() > 0) {
        const double slower = y.result->best.time / x.result->best.time - 1;
        words += std::abs(slower) < 5e-4 ? QObject::tr("; all-to-all takes the same time.")
                                         : QObject::tr("; all-to-all is %1 %2.")
                                               .arg(text(formatPercent(std::abs(slower))).remove(QLatin1Char('+')),
                                                    slower > 0 ? QObject::tr("slower") : QObject::tr("faster"));
    }
    return words;
}

Comparison comparisonWith(SnapshotPointer shown, DesignPointer other) {
    Comparison found;
    found.fabric = elaborate(other);
    found.a = metricsOf(*shown->fabric);
    found.b = metricsOf(*found.fabric);
    found.shown = std::move(shown);
    found.other = std::move(other);
    return found;
}

Comparison comparisonWithTwin(SnapshotPointer shown) {
    const Design& design = *shown->design;
    const auto without = [&](const QString& why) {
        Comparison nothing;
        nothing.shown = shown;
        nothing.why = why;
        return nothing;
    };
    if (!design.recipe)
        return without(QObject::tr("This design is hand-drawn, so it has no twin. Open a design that is built from a recipe."));
    auto built = twinOf(design);
    if (!built) return without(QObject::tr("The twin cannot be built: %1").arg(text(built.error().text)));
    return comparisonWith(shown, std::make_shared<const Design>(std::move(*built)));
}

CompareView::CompareView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers(
          [this] {
              return [shown = m_document.snapshot(), other = m_wanted] {
                  return other ? comparisonWith(shown, other) : comparisonWithTwin(shown);
              };
          },
          [this](Comparison found) {
              m_now = std::move(found);
              refresh();
          }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(8);
    m_verdict = plainLabel();
    m_verdict->setFont(fontFor(TextRole::Verdict));
    m_verdict->setWordWrap(true);
    m_verdict->setObjectName(QStringLiteral("compare-verdict"));
    m_subtitle = plainLabel();
    m_subtitle->setProperty("dim", true);
    m_subtitle->setWordWrap(true);
    layout->addWidget(m_verdict);
    layout->addWidget(m_subtitle);
    auto* drawings = new QHBoxLayout;
    drawings->setSpacing(10);
    const auto addSide = [&](QLabel*& name, SceneView*& view) {
        auto* frame = new QFrame;
        frame->setProperty("card", true);
        auto* column = new QVBoxLayout(frame);
        name = richLabel();
        view = new SceneView;
        column->addWidget(name);
        column->addWidget(view, 1);
        drawings->addWidget(frame, 1);
    };
    addSide(m_nameA, m_viewA);
    addSide(m_nameB, m_viewB);
    layout->addLayout(drawings, 3);
    m_table = new QTableWidget(0, 5);
    m_table->setObjectName(QStringLiteral("compare-table"));
    m_table->setAccessibleName(tr("Metrics of both designs"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    layout->addWidget(m_table, 3);
    auto* buttons = new QHBoxLayout;
    auto* open = new QPushButton(tr("Open twin"));
    auto* save = new QPushButton(tr("Export comparison…"));
    buttons->addStretch();
    buttons->addWidget(open);
    buttons->addWidget(save);
    layout->addLayout(buttons);
    connect(open, &QPushButton::clicked, this, &CompareView::openOtherAsked);
    connect(save, &QPushButton::clicked, this, &CompareView::exportAsked);
    connect(&document, &Document::changed, this, [this] {
        m_now = {};
        m_answers.drop();
        if (isVisible()) compareWithTwin();
    });
}

void CompareView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    if (hasOther()) refresh();
}

// Which fabric of its kind a design is.
static QString settingsOf(const Design& design) {
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    return planned ? text(settingsInWords(*settings, *planned)) : QString();
}

void CompareView::showEvent(QShowEvent*) {
    if (m_now.shown != m_document.snapshot()) compareWithTwin();
}

void CompareView::compareWithTwin() { compareWith({}); }

void CompareView::compareWith(DesignPointer other) {
    m_wanted = std::move(other);
    clear();
    m_verdict->setText(m_wanted ? tr("Comparing the designs…") : tr("Building the twin and comparing…"));
    m_answers.ask();
}

void CompareView::clear() {
    m_now = {};
    m_table->setRowCount(0);
    m_viewA->clear();
    m_viewB->clear();
    m_nameA->clear();
    m_nameB->clear();
    m_subtitle->clear();
}

void CompareView::refresh() {
    if (!hasOther()) return m_verdict->setText(m_now.why);
    m_verdict->setText(comparisonVerdict(m_now.a, m_now.b));
    const bool isCalibrated = isCalibratedWithLatency(m_now.a) && isCalibratedWithLatency(m_now.b);
    m_subtitle->setText((isCalibrated ? tr("Same GPU count and parts. Calibrated collective times. Catalogue list prices; totals exclude "
                                           "unpriced items.")
                                      : tr("Same GPU count and parts. Collective times from link bandwidth only: the vendor publishes no "
                                           "latency constants. Catalogue list prices; totals exclude unpriced items.")));
    const auto heading = [](const char* letter, const Metrics& m, const Design& design) {
        const QString settings = settingsOf(design);
        return RichText::filled(QStringLiteral("<b>%1</b> &nbsp; %2 &nbsp;·&nbsp; %3 GPUs &nbsp;·&nbsp; %4 tiers%5"), QLatin1String(letter),
                                text(m.name), text(formatCount(m.instant.counts.gpus)), QString::number(m.instant.counts.tiers),
                                settings.isEmpty() ? RichText() : RichText::filled(QStringLiteral(" &nbsp;·&nbsp; %1"), settings));
    };
    setRichText(*m_nameA, heading("A", m_now.a, *m_now.shown->design));
    setRichText(*m_nameB, heading("B", m_now.b, *m_now.other));
    m_viewA->show(m_now.shown->fabric, m_tokens);
    m_viewB->show(m_now.fabric, m_tokens);
    fillTable();
}

void CompareView::fillTable() {
    const std::vector<ComparedFigure> rows = comparedFigures(m_now.a, m_now.b);
    m_table->setRowCount(static_cast<int>(rows.size()));
    m_table->setHorizontalHeaderLabels({tr("Metric"), text(m_now.a.name), text(m_now.b.name), tr("Difference"), tr("Percent")});
    for (int r = 0; r < m_table->rowCount(); ++r) {
        const ComparedFigure& row = rows[static_cast<std::size_t>(r)];
        const QString percent = row.percent ? text(formatPercent(*row.percent)) : QString();
        const QStringList cells{row.name, row.a, row.b, row.delta, percent};
        for (int c = 0; c < 5; ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            item->setTextAlignment(c == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
            if (c == 4 && row.percent) item->setForeground((*row.percent < 0) == row.lessIsBetter ? m_tokens.ok : m_tokens.danger);
            m_table->setItem(r, c, item);
        }
    }
}

} // namespace railyard
