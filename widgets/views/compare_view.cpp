#include "widgets/views/compare_view.h"

#include "core/analysis/figures/shown_figures.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/io/presentation/verdict.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/document/busy_line.h"
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
    const FigureSource first{a.instant, &a.background}, second{b.instant, &b.background};
    for (const auto& [x, y] : shownFigures(FigureDisplay::Comparison, first, second)) {
        ComparedFigure row{text(x.title), text(x.text), text(y.text), {}, {}, x.row->display.lessIsBetter};
        const auto difference = differenceOf(x, y, a.instant.bill, b.instant.bill);
        if (x.compared && y.compared && !difference) row.delta = QStringLiteral("–"); // the totals cover different things
        if (difference) {
            row.delta = *difference == 0 ? QObject::tr("same")
                                         : (*difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) +
                                               text(figureText(*x.comparedRow, std::abs(*difference)));
            if (*x.compared != 0 && *difference != 0) row.percent = *difference / *x.compared;
        }
        rows.push_back(row);
    }
    return rows;
}

Comparison comparisonWith(SnapshotPointer shown, DesignPointer other, const TaskContext& context) {
    Comparison found;
    found.shown = std::move(shown);
    found.fabric = elaborate(other);
    auto a = metricsOf(*found.shown->fabric, context), b = metricsOf(*found.fabric, context);
    if (!a || !b) return found.why = QObject::tr("The comparison was stopped."), found;
    found.a = std::move(*a);
    found.b = std::move(*b);
    found.other = std::move(other);
    return found;
}

Comparison comparisonWithTwin(SnapshotPointer shown, const TaskContext& context) {
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
    return comparisonWith(shown, std::make_shared<const Design>(std::move(*built)), context);
}

CompareView::CompareView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers(
          [this] {
              return [shown = m_document.snapshot(), other = m_wanted](const TaskContext& context) {
                  return other ? comparisonWith(shown, other, context) : comparisonWithTwin(shown, context);
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
    layout->addWidget(new BusyLine(m_answers, tr("Computing the metrics of both designs…"), [this] { compareWith(m_wanted); }));
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
    m_verdict->setText(text(comparisonVerdict(m_now.a, m_now.b)));
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
