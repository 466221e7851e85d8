#include "widgets/views/traffic_view.h"

#include "core/workload/models_json.h"
#include "widgets/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

namespace railyard {

TrafficView::TrafficView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers([this] { return [wanted = m_asked] { return answerTo(wanted); }; }, [this](Answer answer) { take(std::move(answer)); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 10);
    m_map = new CellMap;
    m_curves = new CurvePlot;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_map);
    m_stack->addWidget(m_curves);
    m_matrix = new MatrixMap;
    m_stack->addWidget(m_matrix);
    connect(m_matrix, &MatrixMap::pairChosen, this, [this](DeviceId from, DeviceId to) {
        if (m_answer.to.of == m_document.snapshot()) emit pairChosen(from, to);
    });
    layout->addWidget(m_stack, 1);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(18, 0, 18, 0);
    m_kind = new QComboBox;
    m_kind->setObjectName(QStringLiteral("traffic-map"));
    m_kind->setAccessibleName(tr("Map"));
    m_kind->addItem(tr("Collective time by message size and servers"), QStringLiteral("heatmap:collective-time"));
    m_kind->addItem(tr("Collective time by NIC and HB bandwidth"), QStringLiteral("heatmap:hb-nic"));
    m_kind->addItem(tr("Traffic matrix of a training job"), QStringLiteral("heatmap:traffic"));
    m_kind->addItem(tr("ECMP hash collisions"), QStringLiteral("heatmap:collisions"));
    m_kind->addItem(tr("Concurrent jobs"), QStringLiteral("heatmap:jobs"));
    auto* mapLabel = plainLabel(tr("Map"));
    mapLabel->setBuddy(m_kind);
    controls->addWidget(mapLabel);
    controls->addWidget(m_kind);
    controls->addSpacing(12);
    controls->addWidget(opRow());
    controls->addStretch();
    controls->addWidget(scaleRow());
    auto* save = new QPushButton(tr("Export map…"));
    controls->addWidget(save);
    layout->addLayout(controls);
    layout->addWidget(jobRow());
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] { setTokens(m_tokens); });
    connect(save, &QPushButton::clicked, this, &TrafficView::exportAsked);
    for (QComboBox* each : {m_op, m_kind, m_model, m_against, m_color})
        connect(each, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    for (QSpinBox* each : {m_tensor, m_pipeline, m_expert}) connect(each, &QSpinBox::valueChanged, this, [this] { refresh(); });
    connect(&document, &Document::changed, this, [this] {
        if (isVisible()) refresh();
    });
}

QWidget* TrafficView::opRow() {
    m_opRow = new QWidget;
    auto* row = new QHBoxLayout(m_opRow);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = plainLabel(tr("Operation"));
    m_op = new QComboBox;
    m_op->setAccessibleName(tr("Operation"));
    for (const auto op :
         {CollectiveOp::AllReduce, CollectiveOp::AllToAll, CollectiveOp::AllGather, CollectiveOp::ReduceScatter, CollectiveOp::Broadcast})
        m_op->addItem(QString::fromUtf8(toText(op).data()), static_cast<int>(op));
    label->setBuddy(m_op);
    row->addWidget(label);
    row->addWidget(m_op);
    m_againstRow = new QWidget;
    auto* against = new QHBoxLayout(m_againstRow);
    against->setContentsMargins(0, 0, 0, 0);
    auto* againstLabel = plainLabel(tr("Compare with"));
    m_against = new QComboBox;
    m_against->setObjectName(QStringLiteral("traffic-against"));
    m_against->setAccessibleName(tr("Compare with"));
    m_against->addItem(tr("Nothing"));
    m_against->addItem(tr("Twin"));
    m_against->addItem(tr("TCP"));
    setToolTipOf(*m_against, tr("Twin: the rail-only counterpart of a rail-optimized design, or vice versa. TCP: the same design with TCP "
                                "sockets instead of RDMA."));
    againstLabel->setBuddy(m_against);
    against->addWidget(againstLabel);
    against->addWidget(m_against);
    row->addWidget(m_againstRow);
    return m_opRow;
}

QWidget* TrafficView::scaleRow() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_scale = new QComboBox;
    m_scale->setObjectName(QStringLiteral("traffic-scale"));
    m_scale->setAccessibleName(tr("Palette"));
    m_scale->addItem(tr("Viridis"));
    m_scale->addItem(tr("Cividis"));
    m_scale->addItem(tr("Print"));
    setToolTipOf(*m_scale, tr("Viridis suits screens, Cividis suits projectors and colour-blind readers, Print suits paper."));
    auto* label = plainLabel(tr("Palette"));
    label->setBuddy(m_scale);
    layout->addWidget(label);
    layout->addWidget(m_scale);
    return row;
}

// The model and its parallelism; the data-parallel size follows from the remaining GPUs.
QWidget* TrafficView::jobRow() {
    m_jobRow = new QWidget;
    auto* row = new QHBoxLayout(m_jobRow);
    row->setContentsMargins(18, 0, 18, 0);
    const auto add = [&](const QString& name, QWidget* widget) {
        auto* label = plainLabel(name);
        label->setBuddy(widget);
        widget->setAccessibleName(name);
        row->addWidget(label);
        row->addWidget(widget);
    };
    m_model = new QComboBox;
    m_model->setObjectName(QStringLiteral("traffic-model"));
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) m_model->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    m_model->setCurrentIndex(m_model->findData(QStringLiteral("llama3-70b")));
    add(tr("Model"), m_model);
    const auto spin = [&](const QString& name, const QString& object, int least, const QString& words) {
        auto* box = new QSpinBox;
        box->setObjectName(object);
        box->setRange(least, 65536);
        box->setValue(least);
        box->setKeyboardTracking(false);
        if (least == 0) box->setSpecialValueText(tr("Auto"));
        setToolTipOf(*box, words);
        add(name, box);
        return box;
    };
    m_tensor = spin(tr("TP"), QStringLiteral("traffic-tp"), 0, tr("Tensor-parallel size. Auto: the GPUs of an HB domain, at most 8."));
    m_pipeline = spin(tr("PP"), QStringLiteral("traffic-pp"), 1, tr("Pipeline-parallel size"));
    m_expert = spin(tr("EP"), QStringLiteral("traffic-ep"), 1, tr("Expert-parallel size"));
    m_color = new QComboBox;
    m_color->setObjectName(QStringLiteral("traffic-color"));
    m_color->addItem(tr("Volume"));
    m_color->addItem(tr("Parallelism"));
    setToolTipOf(*m_color, tr("Colour by the bytes per pair, or by the parallelism that sends the most bytes."));
    m_colorRow = new QWidget;
    auto* color = new QHBoxLayout(m_colorRow);
    color->setContentsMargins(0, 0, 0, 0);
    auto* colorLabel = plainLabel(tr("Colour"));
    colorLabel->setBuddy(m_color);
    m_color->setAccessibleName(colorLabel->text());
    color->addWidget(colorLabel);
    color->addWidget(m_color);
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

JobChoice TrafficView::job() const {
    return {m_model->currentData().toString().toStdString(),
            m_tensor->value(),
            m_pipeline->value(),
            m_expert->value(),
            1,
            m_color->currentIndex() == 1};
}

QString TrafficView::picture() const {
    const QString kind = m_kind->currentData().toString();
    if (kind != QStringLiteral("heatmap:collective-time") || m_against->currentIndex() == 0) return kind;
    return m_against->currentIndex() == 1 ? QStringLiteral("heatmap:difference") : QStringLiteral("heatmap:tcp");
}

TrafficView::Request TrafficView::request() const {
    Request request{m_document.snapshot(), picture(), op(), {}};
    if (!m_jobRow->isHidden()) request.job = job();
    return request;
}

// Maps of a large design take seconds, so they are computed in the background. Until then the previous map is shown and marked as
// out of date.
void TrafficView::refresh() {
    const QString kind = m_kind->currentData().toString();
    m_againstRow->setVisible(kind == QStringLiteral("heatmap:collective-time"));
    m_opRow->setVisible(kind == QStringLiteral("heatmap:collective-time") || kind == QStringLiteral("heatmap:hb-nic") ||
                        kind == QStringLiteral("heatmap:jobs"));
    m_jobRow->setVisible(kind == QStringLiteral("heatmap:traffic") || kind == QStringLiteral("heatmap:collective-time"));
    m_colorRow->setVisible(kind == QStringLiteral("heatmap:traffic"));
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
    if (m_answer.to.picture == QStringLiteral("heatmap:collisions") || m_answer.to.picture == QStringLiteral("heatmap:jobs")) {
        m_stack->setCurrentWidget(m_curves);
        m_curves->show(m_answer.curves, m_tokens);
    } else if (m_answer.to.picture == QStringLiteral("heatmap:traffic")) {
        m_stack->setCurrentWidget(m_matrix);
        m_matrix->show(m_answer.matrix, m_tokens);
    } else {
        m_stack->setCurrentWidget(m_map);
        m_map->show(m_answer.cells, m_tokens);
    }
}

TrafficView::Answer TrafficView::answerTo(const Request& request) {
    Answer answer{request, {}, {}, {}};
    const Fabric& fabric = *request.of->fabric;
    const auto refused = [&](const std::vector<Error>& errors) { answer.cells.title = QString::fromStdString(errors.front().text); };
    if (request.picture == QStringLiteral("heatmap:collisions")) {
        answer.curves = collisionCurves(fabric);
    } else if (request.picture == QStringLiteral("heatmap:jobs")) {
        answer.curves = jobCurves(fabric, request.op, Bytes(std::int64_t{256} << 20));
    } else if (request.picture == QStringLiteral("heatmap:traffic")) {
        answer.matrix = jobTrafficMap(fabric, request.job);
        answer.matrix.fabric = request.of->fabric;
    } else if (request.picture == QStringLiteral("heatmap:hb-nic")) {
        const Bytes size(std::int64_t{256} << 20);
        const auto grid = hbNicGrid(fabric, request.op, size, {});
        grid ? void(answer.cells = hbNicCells(*grid, request.op, size, ownBandwidths(fabric))) : refused(grid.errors());
    } else {
        answerTimes(answer);
    }
    return answer;
}

void TrafficView::answerTimes(Answer& answer) {
    const Request& request = answer.to;
    const Fabric& fabric = *request.of->fabric;
    const auto own = static_cast<double>(request.of->instant.counts.servers);
    std::vector<std::int64_t> servers;
    for (const std::int64_t count : usualServerCounts(fabric))
        if (count <= 2048 || count == countsOf(fabric).servers) servers.push_back(count);
    const QString kind = request.picture.mid(8);
    Result<CellMapData> cells = CellMapData();
    if (kind == QStringLiteral("collective-time")) {
        const auto grid = collectiveTimeGrid(fabric, request.op, usualSizes(), servers);
        cells = grid ? Result<CellMapData>(collectiveTimeCells(*grid, request.op, own)) : Result<CellMapData>(grid.errors());
    } else {
        cells = differenceCells(fabric, kind, request.op, servers);
    }
    if (!cells) return void(answer.cells.title = QString::fromStdString(cells.error().text));
    answer.cells = std::move(*cells);
    addMessageDots(fabric, request.job, request.op, usualSizes(), servers, answer.cells);
}

} // namespace railyard
