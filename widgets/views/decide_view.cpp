#include "widgets/views/decide_view.h"

#include "core/base/unit_text.h"
#include "widgets/views/heat_maps.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {
namespace {
QString counted(std::int64_t value) { return QString::fromStdString(formatCount(value)); }
} // namespace

DecideView::DecideView(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_map = new CellMap;
    layout->addWidget(m_map, 1);
    auto* side = new QWidget;
    side->setFixedWidth(340);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(14, 16, 14, 14);
    column->setSpacing(10);
    m_where = new QLabel;
    m_where->setFont(fontFor(TextRole::ObjectName));
    m_where->setWordWrap(true);
    m_verdict = new QLabel;
    m_verdict->setWordWrap(true);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setMargin(12);
    m_table = new QLabel;
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
    connect(m_map, &CellMap::hovered, this,
            [this](int x, int y) { describe(m_cells.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y)), false); });
    connect(m_map, &CellMap::chosen, this, [this](int x, int y) {
        const DecisionCell& cell = m_cells.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
        if (!cell.railOnly) return;
        RecipeCall call{"rail-only", {{"gpus", std::to_string(cell.gpus)}, {"hb_domain_gpus", std::to_string(cell.hbDomainGpus)}}};
        if (const auto settings =
                resolve(m_document.now().design->recipe.value_or(RecipeCall{"superpod-h100", {}}), *m_document.now().design->catalog))
            call.parameters["server"] = settings->server->id, call.parameters["switch"] = settings->leafSwitch->id;
        emit openAsked(call, tr("rail-only %1").arg(cell.gpus));
    });
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

void DecideView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_verdict->setStyleSheet(
        QStringLiteral("background: %1; border-radius: 6px; color: %2").arg(tokens.selectFill.name(), tokens.text.name()));
    if (m_shown) refresh();
}

void DecideView::showEvent(QShowEvent*) {
    if (m_shown != m_document.snapshot()) refresh();
}

void DecideView::refresh() {
    m_shown = m_document.snapshot();
    const Design& design = *m_shown->design;
    const RecipeCall call = design.recipe.value_or(RecipeCall{"superpod-h100", {}});
    const auto settings = resolve(call, *design.catalog);
    m_cells = usualDecisionMap(call, *design.catalog);
    const std::int64_t gpus = design.recipe && settings ? settings->gpus() : 0,
                       domain = design.recipe && settings ? settings->hbDomainGpus : 0;
    m_map->show(decisionCells(m_cells, gpus, domain), m_tokens);
    for (const DecisionCell& cell : m_cells.cells)
        if (cell.gpus == gpus && cell.hbDomainGpus == domain) return describe(cell, true);
    m_where->setText(tr("Drawn by hand: the map shows a SuperPOD H100."));
    m_verdict->setText(tr("Hover over a cell to read its figures."));
    m_table->clear();
}

void DecideView::describe(const DecisionCell& cell, bool own) {
    m_where->setText((own ? tr("At the design: %1 GPUs, HB domains of %2") : tr("%1 GPUs, HB domains of %2"))
                         .arg(counted(cell.gpus), counted(cell.hbDomainGpus)));
    m_verdict->setText(verdictOf(cell));
    if (!cell.railOnly || !cell.railOptimized) return m_table->clear();
    QString rows =
        QStringLiteral(
            "<table width='100%' cellspacing='0' cellpadding='3'><tr><td></td><td align='right'>%1</td><td align='right'>%2</td></tr>")
            .arg(tr("rail-optimized"), tr("rail-only"));
    const auto row = [&](const QString& name, const QString& one, const QString& other) {
        rows += QStringLiteral("<tr><td>%1</td><td align='right'>%2</td><td align='right'><b>%3</b></td></tr>").arg(name, one, other);
    };
    const ClosPlan &one = cell.railOptimized->plan, &other = cell.railOnly->plan;
    row(tr("Switches"), counted(one.switches()), counted(other.switches()));
    row(tr("Tiers"), QString::number(one.tiers), tr("%1 per rail").arg(other.tiers));
    row(tr("Links"), counted(one.links()), counted(other.links()));
    const auto money = [](const DecisionSide& side) {
        return (side.isComplete ? QString() : QStringLiteral("≥ ")) + QString::fromStdString(formatMoney(side.network));
    };
    row(tr("Switches and modules"), money(*cell.railOptimized), money(*cell.railOnly));
    if (cell.allToAllSlowdown) row(tr("All-to-all"), tr("direct"), QString::fromStdString(formatPercent(*cell.allToAllSlowdown)));
    m_table->setText(rows + QStringLiteral("</table>"));
}

} // namespace railyard
