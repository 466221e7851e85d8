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
    m_kind = new QComboBox;
    m_kind->setObjectName(QStringLiteral("traffic-map"));
    m_kind->setAccessibleName(tr("Map"));
    m_kind->addItem(tr("Message size and servers"), QStringLiteral("heatmap:collective-time"));
    m_kind->addItem(tr("NIC and HB bandwidth"), QStringLiteral("heatmap:hb-nic"));
    auto* mapLabel = new QLabel(tr("Time over"));
    mapLabel->setBuddy(m_kind);
    controls->addWidget(mapLabel);
    controls->addWidget(m_kind);
    controls->addWidget(label);
    controls->addWidget(m_op);
    controls->addStretch();
    auto* save = new QPushButton(tr("Export map…"));
    controls->addWidget(save);
    layout->addLayout(controls);
    connect(save, &QPushButton::clicked, this, &TrafficView::exportAsked);
    for (QComboBox* each : {m_op, m_kind}) connect(each, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
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

QString TrafficView::picture() const { return m_kind->currentData().toString(); }

void TrafficView::refresh() {
    m_shown = m_document.snapshot();
    const CollectiveOp shown = op();
    const Fabric& fabric = *m_shown->fabric;
    if (m_kind->currentIndex() == 1) {
        const Bytes size(std::int64_t{256} << 20);
        const auto grid = hbNicGrid(fabric, shown, size, {});
        if (grid) m_map->show(hbNicCells(*grid, shown, size, ownBandwidths(fabric)), m_tokens);
        return;
    }
    std::vector<std::int64_t> servers;
    for (const std::int64_t count : usualServerCounts(fabric))
        if (count <= 2048 || count == countsOf(fabric).servers) servers.push_back(count);
    const auto grid = collectiveTimeGrid(fabric, shown, usualSizes(), servers);
    if (grid) m_map->show(collectiveTimeCells(*grid, shown, static_cast<double>(m_shown->instant.counts.servers)), m_tokens);
}

} // namespace railyard
