#include "widgets/views/traffic_view.h"

#include "widgets/views/heat_maps.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QThreadPool>
#include <QVBoxLayout>
#include <utility>

namespace railyard {

TrafficView::TrafficView(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 10);
    m_map = new CellMap;
    m_curves = new CurvePlot;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_map);
    m_stack->addWidget(m_curves);
    layout->addWidget(m_stack, 1);
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
    m_kind->addItem(tr("Collisions of hashing"), QStringLiteral("heatmap:collisions"));
    auto* mapLabel = new QLabel(tr("Map"));
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
    const bool curves = picture() == QStringLiteral("heatmap:collisions");
    m_op->setEnabled(!curves);
    m_stack->setCurrentWidget(curves ? static_cast<QWidget*>(m_curves) : m_map);
    if (curves) return askForCurves();
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

// Connections are followed one by one, which takes a large design seconds: beside the window.
void TrafficView::askForCurves() {
    if (m_collisionsOf == m_shown) return m_curves->show(m_collisions, m_tokens);
    CurveData waiting;
    waiting.title = tr("Following every connection…");
    m_curves->show(waiting, m_tokens);
    if (std::exchange(m_working, true)) return;
    QThreadPool::globalInstance()->start([view = QPointer<TrafficView>(this), of = m_shown] {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [view, of, curves = collisionCurves(*of->fabric)] {
                if (view) view->takeCurves(curves, of);
            },
            Qt::QueuedConnection);
    });
}

void TrafficView::takeCurves(const CurveData& curves, const SnapshotPointer& of) {
    m_working = false;
    m_collisions = curves;
    m_collisionsOf = of;
    if (picture() == QStringLiteral("heatmap:collisions") && isVisible()) refresh(); // asks anew where the design has changed
}

} // namespace railyard
