#include "widgets/views/traffic_view.h"

#include "core/base/unit_text.h"
#include "widgets/document/busy_line.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

namespace railyard {

TrafficView::TrafficView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers([this] { return [wanted = m_asked](const TaskContext& context) { return answerTo(wanted, context); }; },
                [this](Answer answer) { take(std::move(answer)); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 10);
    m_map = new CellMap;
    m_curves = new CurvePlot;
    m_matrix = new MatrixMap;
    m_stack = new QStackedWidget;
    for (QWidget* plot : std::initializer_list<QWidget*>{m_map, m_curves, m_matrix}) m_stack->addWidget(plot);
    connect(m_matrix, &MatrixMap::pairChosen, this, [this](DeviceId from, DeviceId to) {
        if (m_answer.to.of == m_document.snapshot()) emit pairChosen(from, to);
    });
    layout->addWidget(m_stack, 1);
    layout->addWidget(new BusyLine(m_answers, tr("Computing the map…"), [this] { m_answers.ask(); }));
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(18, 0, 18, 0);
    m_kind = choice(*controls, tr("Map"), QStringLiteral("traffic-map"));
    for (const MapInfo& map : mapTable())
        if (!map.has(MapKind::ViewOfItsOwn)) m_kind->addItem(map.name(), map.picture());
    controls->addSpacing(12);
    m_opRow = new QWidget;
    auto* operation = new QHBoxLayout(m_opRow);
    operation->setContentsMargins(0, 0, 0, 0);
    m_op = choice(*operation, tr("Operation"), QStringLiteral("traffic-operation"));
    for (const auto op :
         {CollectiveOp::AllReduce, CollectiveOp::AllToAll, CollectiveOp::AllGather, CollectiveOp::ReduceScatter, CollectiveOp::Broadcast})
        m_op->addItem(QString::fromUtf8(toText(op).data()), static_cast<int>(op));
    controls->addWidget(m_opRow);
    controls->addStretch();
    m_scale = choice(*controls, tr("Palette"), QStringLiteral("traffic-scale"));
    m_scale->addItems({tr("Viridis"), tr("Cividis"), tr("Print")});
    setToolTipOf(*m_scale, tr("Viridis suits screens, Cividis suits projectors and colour-blind readers, Print suits paper."));
    auto* save = new QPushButton(tr("Export map…"));
    controls->addWidget(save);
    layout->addLayout(controls);
    layout->addWidget(jobRow());
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] { setTokens(m_tokens); });
    connect(save, &QPushButton::clicked, this, &TrafficView::exportAsked);
    for (QComboBox* each : {m_op, m_kind, m_color}) connect(each, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

QComboBox* TrafficView::choice(QHBoxLayout& row, const QString& name, const QString& object) {
    auto* label = plainLabel(name);
    auto* box = new QComboBox;
    box->setObjectName(object);
    box->setAccessibleName(name);
    label->setBuddy(box);
    row.addWidget(label);
    row.addWidget(box);
    return box;
}

// Maps of training traffic are of the job of the design, which the Training view edits.
QWidget* TrafficView::jobRow() {
    m_jobRow = new QWidget;
    auto* row = new QHBoxLayout(m_jobRow);
    row->setContentsMargins(18, 0, 18, 0);
    m_job = plainLabel();
    m_job->setObjectName(QStringLiteral("traffic-job"));
    row->addWidget(m_job);
    auto* edit = new QPushButton(tr("Edit training job"));
    edit->setObjectName(QStringLiteral("traffic-edit-job"));
    setToolTipOf(*edit, tr("Opens the Training view, whose fields define the training job of the design."));
    connect(edit, &QPushButton::clicked, this, &TrafficView::jobAsked);
    row->addWidget(edit);
    row->addSpacing(12);
    m_colorRow = new QWidget;
    auto* color = new QHBoxLayout(m_colorRow);
    color->setContentsMargins(0, 0, 0, 0);
    m_color = choice(*color, tr("Colour"), QStringLiteral("traffic-color"));
    m_color->addItems({tr("Volume"), tr("Parallelism")});
    setToolTipOf(*m_color, tr("Colour by the bytes per pair, or by the parallelism that sends the most bytes."));
    row->addWidget(m_colorRow);
    row->addStretch();
    return m_jobRow;
}

void TrafficView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_tokens.scale = scale();
    if (m_answer.to.of) draw();
}

void TrafficView::showEvent(QShowEvent*) { refresh(); }

CollectiveOp TrafficView::op() const { return static_cast<CollectiveOp>(m_op->currentData().toInt()); }

ColorScale TrafficView::scale() const { return static_cast<ColorScale>(m_scale->currentIndex()); }

bool TrafficView::isByKind() const { return m_color->currentIndex() == 1; }

const MapInfo& TrafficView::chosen() const {
    for (const MapInfo& map : mapTable())
        if (map.picture() == m_kind->currentData().toString()) return map;
    return mapTable().front();
}

QString TrafficView::picture() const { return chosen().picture(); }

TrafficView::Request TrafficView::request() const {
    return {m_document.snapshot(), &chosen(), op(), chosen().has(MapKind::Colour) && isByKind()};
}

// Maps of a large design take seconds, so they are computed in the background. Until then the previous map is shown and marked as
// out of date.
void TrafficView::refresh() {
    m_opRow->setVisible(chosen().has(MapKind::Operation));
    m_jobRow->setVisible(chosen().has(MapKind::Job));
    m_colorRow->setVisible(chosen().has(MapKind::Colour));
    if (const auto job = jobOf(*m_document.now().design)) m_job->setText(tr("Training job: %1").arg(text(job->planned.job.model.name)));
    Request wanted = request();
    if (m_answer.to == wanted) return draw();
    m_stack->setEnabled(false);
    if (m_asked == wanted) return; // already being computed
    m_asked = std::move(wanted);
    m_answers.ask();
}

void TrafficView::take(Answer answer) {
    m_answer = std::move(answer);
    draw();
    if (m_answer.to != request() && isVisible()) refresh(); // the design was edited while another view was shown
}

void TrafficView::draw() {
    m_stack->setEnabled(m_answer.to == request());
    if (const auto* curves = std::get_if<CurveData>(&m_answer.content)) {
        m_stack->setCurrentWidget(m_curves);
        m_curves->show(*curves, m_tokens);
    } else if (const auto* matrix = std::get_if<MatrixMapData>(&m_answer.content)) {
        m_stack->setCurrentWidget(m_matrix);
        m_matrix->show(*matrix, m_tokens);
    } else {
        m_stack->setCurrentWidget(m_map);
        m_map->show(std::get<CellMapData>(m_answer.content), m_tokens);
    }
}

TrafficView::Answer TrafficView::answerTo(const Request& request, const TaskContext& context) {
    constexpr std::int64_t mostServers = 2048; // of the rows other than that of the design, so that a map takes seconds
    const Fabric& fabric = *request.of->fabric;
    CellMapData refusal;
    const auto job = jobOf(*request.of->design);
    if (!job) return refusal.title = text(job.error().text), Answer{request, refusal};
    MapRequest wanted{fabric, request.op, *job, request.isByKind, {}, context};
    for (const std::int64_t count : usualServerCounts(fabric))
        if (count <= mostServers || count == request.of->instant.counts.servers) wanted.servers.push_back(count);
    auto content = request.map->content(wanted);
    if (content) {
        if (auto* matrix = std::get_if<MatrixMapData>(&*content)) matrix->fabric = request.of->fabric;
        return {request, std::move(*content)};
    }
    refusal.title = text(content.error().text);
    return {request, std::move(refusal)};
}

} // namespace railyard
