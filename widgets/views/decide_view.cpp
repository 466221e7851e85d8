#include "widgets/views/decide_view.h"

#include "core/base/unit_text.h"
#include "widgets/document/busy_line.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/heat_maps.h"
#include "widgets/views/objective_cells.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

namespace railyard {
namespace {
QString counted(std::int64_t value) { return QString::fromStdString(formatCount(value)); }

RecipeCall callOf(const Design& design) { return design.recipe.value_or(RecipeCall{"superpod-h100", {}}); }
// Of the open design on the second axis, as the axis writes it; empty if it is none of its values.
std::string ownValue(MapAxis axis, const RecipeSettings* settings) {
    if (!settings) return {};
    if (axis == MapAxis::HbDomain) return std::to_string(settings->hbDomainGpus);
    if (axis == MapAxis::OpticPrice) return "1";
    const double own = askedOversubscription(*settings);
    for (const std::string& value : usualAxisValues(axis, {})) {
        const std::size_t colon = value.find(':');
        if (std::abs(std::stod(value.substr(0, colon)) / std::stod(value.substr(colon + 1)) - own) < 1e-9) return value;
    }
    return {};
}
} // namespace

DecideView::DecideView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_maps([this] { return work(); }, [this](Answer answer) { take(std::move(answer)); }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_map = new CellMap;
    auto* main = new QVBoxLayout;
    main->setContentsMargins(0, 0, 0, 8);
    main->addLayout(choices());
    main->addWidget(m_map, 1);
    main->addWidget(new BusyLine(m_maps, tr("Computing the best fabric of each kind…"), [this] { m_maps.ask(); }));
    layout->addLayout(main, 1);
    auto* side = new QWidget;
    side->setFixedWidth(340);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(14, 16, 14, 14);
    column->setSpacing(10);
    m_where = plainLabel();
    m_where->setFont(fontFor(TextRole::ObjectName));
    m_where->setWordWrap(true);
    m_verdict = plainLabel();
    m_verdict->setWordWrap(true);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setMargin(12);
    m_table = richLabel();
    m_table->setWordWrap(true);
    column->addWidget(m_where);
    column->addWidget(m_verdict);
    column->addWidget(m_table);
    column->addStretch();
    auto* compare = new QPushButton(tr("Compare with the twin"));
    compare->setProperty("primary", true);
    auto* save = new QPushButton(tr("Export map…"));
    column->addWidget(compare);
    column->addWidget(save);
    layout->addWidget(side);
    connect(save, &QPushButton::clicked, this, &DecideView::exportAsked);
    connect(compare, &QPushButton::clicked, this, &DecideView::compareAsked);
    connect(m_map, &CellMap::hovered, this, &DecideView::describeAt);
    connect(m_map, &CellMap::chosen, this, &DecideView::openAt);
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

void DecideView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_verdict->setStyleSheet(
        QStringLiteral("background: %1; border-radius: 6px; color: %2").arg(tokens.selectFill.name(), tokens.text.name()));
    if (m_isCurrent) showMap();
}

void DecideView::showEvent(QShowEvent*) {
    if (m_shown != m_document.snapshot()) refresh();
}

QLayout* DecideView::choices() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(18, 12, 18, 0);
    m_objective = new QComboBox;
    m_objective->setObjectName(QStringLiteral("decide-objective"));
    for (std::size_t each = 0; each < mapObjectives.size(); ++each) m_objective->addItem(objectiveName(static_cast<MapObjective>(each)));
    m_axis = new QComboBox;
    m_axis->setObjectName(QStringLiteral("decide-axis"));
    for (std::size_t each = 0; each < mapAxes.size(); ++each) m_axis->addItem(mapAxisName(static_cast<MapAxis>(each)));
    for (const auto& [words, choice] : {std::pair(tr("Compare"), m_objective), std::pair(tr("by cluster size and"), m_axis)}) {
        row->addWidget(plainLabel(words));
        row->addWidget(choice);
        connect(choice, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    }
    row->addStretch();
    return row;
}

LatestTask<DecideView::Answer>::Work DecideView::work() const {
    const auto objective = static_cast<MapObjective>(m_objective->currentIndex());
    const auto axis = static_cast<MapAxis>(m_axis->currentIndex());
    return [=, design = m_shown->design, isCoarse = m_isCoarse](const TaskContext& context) {
        const RecipeCall call = callOf(*design);
        DecisionAxes axes = usualDecisionAxes(call, *design->catalog);
        Answer answer;
        if (objective == MapObjective::Switches && axis == MapAxis::HbDomain) {
            answer.switches = decisionMap(call, *design->catalog, std::move(axes.gpus), std::move(axes.hbDomains), context);
            return answer;
        }
        ObjectiveMapRequest request{.gpus = {}, .axis = axis, .y = usualAxisValues(axis, axes.hbDomains), .objective = objective};
        constexpr std::size_t step = 3;
        for (std::size_t i = 0; i < axes.gpus.size(); ++i)
            if (!isCoarse || i % step == 0) request.gpus.push_back(axes.gpus[i]);
        if (design->training) request.training = design->training->options;
        auto map = objectiveMap(call, design->catalog, std::move(request), context);
        answer.isCoarse = isCoarse;
        if (map)
            answer.objective = std::move(*map);
        else
            answer.refusal = wordsOf(map.error());
        return answer;
    };
}

void DecideView::refresh() {
    m_shown = m_document.snapshot();
    m_isCurrent = false;
    m_isCoarse = true;
    m_map->setEnabled(false);
    m_where->setText(tr("Computing the best fabric of each kind…"));
    m_verdict->clear();
    m_table->clear();
    m_maps.ask();
}

void DecideView::take(Answer answer) {
    m_answer = std::move(answer);
    m_isCurrent = true;
    showMap();
    if (!m_answer.isCoarse) return;
    m_isCoarse = false; // the coarse map stays until the whole one is there
    m_maps.ask();
}

void DecideView::showMap() {
    const Design& design = *m_shown->design;
    const auto settings = resolve(callOf(design), *design.catalog);
    const std::int64_t gpus = design.recipe && settings ? settings->gpus() : 0,
                       domain = design.recipe && settings ? settings->hbDomainGpus : 0;
    m_map->setEnabled(true);
    m_where->setText(design.recipe ? tr("Point at a cell to see its values.")
                                   : tr("This design is hand-drawn. The map shows a SuperPOD H100."));
    m_verdict->setText(m_answer.refusal.isEmpty() ? tr("Point at a cell to see its values.") : m_answer.refusal);
    m_table->clear();
    if (m_answer.switches) {
        m_shownCells = decisionCells(*m_answer.switches, gpus, domain);
        m_map->show(m_shownCells, m_tokens);
        for (const DecisionCell& cell : m_answer.switches->cells)
            if (cell.gpus == gpus && cell.hbDomainGpus == domain) return describe(cell, true);
    } else if (m_answer.objective) {
        const MapAxis axis = m_answer.objective->request.axis;
        const std::string own = ownValue(axis, settings ? &*settings : nullptr);
        m_shownCells = objectiveCells(*m_answer.objective, gpus, own);
        m_map->show(m_shownCells, m_tokens);
        for (const ObjectiveCell& cell : m_answer.objective->cells)
            if (cell.gpus == gpus && cell.y == own) return describe(cell, true);
    }
}

void DecideView::describeAt(int x, int y) {
    if (!m_isCurrent) return;
    if (m_answer.switches) return describe(m_answer.switches->at(static_cast<std::size_t>(x), static_cast<std::size_t>(y)), false);
    if (!m_answer.objective) return;
    const ObjectiveMap& map = *m_answer.objective;
    describe(map.cells[static_cast<std::size_t>(y) * map.request.gpus.size() + static_cast<std::size_t>(x)], false);
}

void DecideView::openAt(int x, int y) {
    if (!m_isCurrent) return;
    if (m_answer.switches) {
        const DecisionCell& cell = m_answer.switches->at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
        if (cell.railOnly) emit openAsked(cell.railOnly->call, tr("Rail-only, %1 GPUs").arg(cell.gpus));
    } else if (m_answer.objective) {
        const ObjectiveMap& map = *m_answer.objective;
        const ObjectiveCell& cell = map.cells[static_cast<std::size_t>(y) * map.request.gpus.size() + static_cast<std::size_t>(x)];
        if (!cell.winner) return;
        const ObjectiveSide& best = cell.sides[*cell.winner];
        emit openAsked(best.choice.call,
                       (best.side == FabricSide::RailOnly ? tr("Rail-only, %1 GPUs") : tr("Rail-optimized, %1 GPUs")).arg(cell.gpus));
    }
}

void DecideView::describe(const ObjectiveCell& cell, bool own) {
    m_where->setText((own ? tr("This design: %1 GPUs") : tr("%1 GPUs")).arg(counted(cell.gpus)));
    m_verdict->setText(objectiveVerdict(m_answer.objective->request, cell));
    setRichText(*m_table, objectiveTable(m_answer.objective->request, cell));
}

void DecideView::describe(const DecisionCell& cell, bool own) {
    m_where->setText((own ? tr("This design: %1 GPUs, HB domains of %2 GPUs") : tr("%1 GPUs, HB domains of %2 GPUs"))
                         .arg(counted(cell.gpus), counted(cell.hbDomainGpus)));
    m_verdict->setText(verdictOf(cell));
    if (!cell.railOnly || !cell.railOptimized) return m_table->clear();
    RichText rows = RichText::filled(
        QStringLiteral(
            "<table width='100%' cellspacing='0' cellpadding='3'><tr><td></td><td align='right'>%1</td><td align='right'>%2</td></tr>"),
        tr("Rail-optimized"), tr("Rail-only"));
    const auto row = [&](const QString& name, const auto& one, const auto& other) {
        rows += RichText::filled(QStringLiteral("<tr><td>%1</td><td align='right'>%2</td><td align='right'><b>%3</b></td></tr>"), name, one,
                                 other);
    };
    const ClosPlan &one = cell.railOptimized->plan, &other = cell.railOnly->plan;
    const auto settings = [](const FabricChoice& side) {
        RichText lines;
        for (const QString& line : QString::fromStdString(side.words).split(QStringLiteral(", ")))
            lines += (lines.isEmpty() ? RichText() : RichText::markup(QStringLiteral(",<br>"))) + RichText::plain(line);
        return RichText::filled(QStringLiteral("<span style='font-weight:normal'>%1</span>"), lines);
    };
    row(tr("Settings"), settings(*cell.railOptimized), settings(*cell.railOnly));
    row(tr("Switches"), counted(one.switches()), counted(other.switches()));
    row(tr("Tiers"), QString::number(one.tiers), QString::number(other.tiers));
    row(tr("Links"), counted(one.links()), counted(other.links()));
    const auto money = [](const PlanCost& side) {
        return (side.leftOut.none() ? QString() : QStringLiteral("≥ ")) + QString::fromStdString(formatMoney(side.network));
    };
    row(tr("Switch and optics cost"), money(cell.railOptimized->cost), money(cell.railOnly->cost));
    if (cell.allToAllSlowdown) row(tr("All-to-all time"), tr("baseline"), QString::fromStdString(formatPercent(*cell.allToAllSlowdown)));
    setRichText(*m_table, rows + RichText::markup(QStringLiteral("</table>")));
}

} // namespace railyard
