#include "widgets/views/decide_view.h"

#include "core/base/unit_text.h"
#include "widgets/document/busy_line.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/heat_maps.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {
namespace {
QString counted(std::int64_t value) { return QString::fromStdString(formatCount(value)); }

RecipeCall callOf(const Design& design) { return design.recipe.value_or(RecipeCall{"superpod-h100", {}}); }
} // namespace

DecideView::DecideView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_maps(
          [this] {
              return [design = m_shown->design](const TaskContext& context) {
                  DecisionAxes axes = usualDecisionAxes(callOf(*design), *design->catalog);
                  return decisionMap(callOf(*design), *design->catalog, std::move(axes.gpus), std::move(axes.hbDomains), context);
              };
          },
          [this](DecisionMap map) {
              m_cells = std::move(map);
              m_isCurrent = true;
              showMap();
          }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_map = new CellMap;
    auto* main = new QVBoxLayout;
    main->setContentsMargins(0, 0, 0, 8);
    main->addWidget(m_map, 1);
    auto* busy = new BusyLine(m_maps, tr("Computing the best fabric of each kind…"));
    connect(busy, &BusyLine::againAsked, this, [this] { m_maps.ask(); });
    main->addWidget(busy);
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
    connect(m_map, &CellMap::hovered, this, [this](int x, int y) {
        if (m_isCurrent) describe(m_cells.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y)), false);
    });
    connect(m_map, &CellMap::chosen, this, [this](int x, int y) {
        if (!m_isCurrent) return;
        const DecisionCell& cell = m_cells.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
        if (!cell.railOnly) return;
        emit openAsked(cell.railOnly->call, tr("Rail-only, %1 GPUs").arg(cell.gpus));
    });
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

void DecideView::refresh() {
    m_shown = m_document.snapshot();
    m_isCurrent = false;
    m_map->setEnabled(false);
    m_where->setText(tr("Computing the best fabric of each kind…"));
    m_verdict->clear();
    m_table->clear();
    m_maps.ask();
}

void DecideView::showMap() {
    const Design& design = *m_shown->design;
    const auto settings = resolve(callOf(design), *design.catalog);
    const std::int64_t gpus = design.recipe && settings ? settings->gpus() : 0,
                       domain = design.recipe && settings ? settings->hbDomainGpus : 0;
    m_map->setEnabled(true);
    m_map->show(decisionCells(m_cells, gpus, domain), m_tokens);
    for (const DecisionCell& cell : m_cells.cells)
        if (cell.gpus == gpus && cell.hbDomainGpus == domain) return describe(cell, true);
    m_where->setText(tr("This design is hand-drawn. The map shows a SuperPOD H100."));
    m_verdict->setText(tr("Point at a cell to see its values."));
    m_table->clear();
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
