#include "widgets/views/traffic_view.h"

#include "widgets/views/heat_maps.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

TrafficView::TrafficView(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 10);
    m_map = new CellMap;
    layout->addWidget(m_map, 1);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(18, 0, 18, 0);
    auto* label = new QLabel(tr("Operation"));
    m_op = new QComboBox;
    m_op->setAccessibleName(tr("Operation"));
    for (const auto op :
         {CollectiveOp::AllReduce, CollectiveOp::AllToAll, CollectiveOp::AllGather, CollectiveOp::ReduceScatter, CollectiveOp::Broadcast})
        m_op->addItem(QString::fromUtf8(toText(op).data()), static_cast<int>(op));
    label->setBuddy(m_op);
    controls->addWidget(label);
    controls->addWidget(m_op);
    controls->addStretch();
    auto* save = new QPushButton(tr("Export map…"));
    controls->addWidget(save);
    layout->addLayout(controls);
    connect(save, &QPushButton::clicked, this, &TrafficView::exportAsked);
    connect(m_op, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

void TrafficView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    if (m_shown) refresh();
}

void TrafficView::showEvent(QShowEvent*) {
    if (m_shown != m_document.snapshot()) refresh();
}

CollectiveOp TrafficView::op() const { return static_cast<CollectiveOp>(m_op->currentData().toInt()); }

void TrafficView::refresh() {
    m_shown = m_document.snapshot();
    const CollectiveOp shown = op();
    const Fabric& fabric = *m_shown->fabric;
    std::vector<std::int64_t> servers;
    for (const std::int64_t count : usualServerCounts(fabric))
        if (count <= 2048 || count == countsOf(fabric).servers) servers.push_back(count);
    const auto grid = collectiveTimeGrid(fabric, shown, usualSizes(), servers);
    if (grid) m_map->show(collectiveTimeCells(*grid, shown, static_cast<double>(m_shown->instant.counts.servers)), m_tokens);
}

} // namespace railyard
