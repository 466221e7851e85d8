#include "widgets/modes/load_bar.h"

#include "core/base/unit_text.h"
#include "core/io/imports/traffic_csv.h"
#include "core/routing/routing_parameters.h"
#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/document/document_folder.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <cmath>

namespace railyard {
namespace {

const ParameterInfo& rowOf(std::string_view key) { return parameterNamed(routingParameters(), key)->info; }

int fromFile() { return static_cast<int>(patternParameter().choices.size()); } // index of the last pattern

QString percent(double fraction) {
    if (fraction >= 10) return QStringLiteral("%1×").arg(text(formatCount(std::llround(fraction))));
    return QStringLiteral("%1 %").arg(fraction * 100, 0, 'f', fraction < 0.1 ? 1 : 0);
}

// "Busiest link: su[1]/leaf[1] → spine[3], 118 % utilised when every GPU sends at 400 Gb/s."
QString sentence(const Fabric& fabric, const LinkLoads& loads, const LoadSummary& summary) {
    const auto tr = [](const char* words) { return QCoreApplication::translate("railyard::LoadBar", words); };
    if (summary.busiest == none) return tr("The design has no network links.");
    const LinkTable& links = fabric.links;
    const std::string a = fabric.devicePath(links.a[summary.busiest]), b = fabric.devicePath(links.b[summary.busiest]);
    QString words = tr("Busiest link: %1 → %2, %3 utilised when every GPU sends at %4.")
                        .arg(text(summary.isAToB ? a : b), text(summary.isAToB ? b : a), percent(summary.utilisation),
                             text(formatBandwidth(loads.ofGpu)));
    if (summary.utilisation > 1 + 1e-9) words += tr(" The fabric sustains %1 of that rate.").arg(percent(1 / summary.utilisation));
    if (loads.unreachablePairs > 0)
        words += tr(" %1 GPU pairs have no path and are excluded (%2).")
                     .arg(text(formatCount(loads.unreachablePairs)), text(loads.unreachableExample));
    return words;
}

} // namespace

LoadBar::LoadBar(Document& document, QWidget* parent)
    : ModeBar(document, QStringLiteral("load-bar"), plainLabel(), parent),
      m_pattern(new QComboBox),
      m_routing(new QComboBox),
      m_connections(new QSpinBox),
      m_forwarded(new QCheckBox(text(rowOf("pxn").label))),
      m_scale(plainLabel()),
      m_answers([this] { return [wanted = request()] { return answerTo(wanted); }; }, [this](const Answer& answer) { take(answer); }) {
    m_text->setObjectName(QStringLiteral("load-text"));
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_head->addWidget(m_scale, 0, Qt::AlignTop);
    m_pattern->setObjectName(QStringLiteral("load-pattern"));
    m_pattern->setAccessibleName(text(patternParameter().label));
    for (const ParameterChoice& choice : patternParameter().choices) m_pattern->addItem(text(choice.label));
    m_pattern->addItem(tr("CSV file…"));
    m_routing->setObjectName(QStringLiteral("load-routing"));
    m_routing->setAccessibleName(tr("Load balancing"));
    for (const ParameterChoice& choice : rowOf("routing").choices) m_routing->addItem(text(choice.label));
    m_connections->setObjectName(QStringLiteral("load-connections"));
    m_connections->setRange(static_cast<int>(rowOf("flows_per_pair").low), static_cast<int>(rowOf("flows_per_pair").high));
    m_connections->setSuffix(tr(" per pair"));
    m_connections->setAccessibleName(text(rowOf("flows_per_pair").label));
    m_connections->setKeyboardTracking(false);
    m_forwarded->setObjectName(QStringLiteral("load-forwarded"));
    setToolTipOf(*m_forwarded, tr("Traffic leaves through the NIC on the destination's rail, as with NCCL's PXN."));
    for (QWidget* each : std::initializer_list<QWidget*>{m_pattern, m_routing, m_connections, m_forwarded}) m_row->addWidget(each);
    addLocate(tr("Show busiest"), tr("Shows the busiest link."));
    m_row->addStretch(1);
    addLeave({});
    connect(m_pattern, &QComboBox::activated, this, [this](int index) { index == fromFile() ? askForFile() : ask(); });
    connect(m_routing, &QComboBox::activated, this, [this] { ask(); });
    connect(m_connections, &QSpinBox::valueChanged, this, [this] { ask(); });
    connect(m_forwarded, &QCheckBox::toggled, this, [this] { ask(); });
}

void LoadBar::setTokens(const Tokens& tokens) {
    ModeBar::setTokens(tokens);
    QPixmap scale(loadScaleSize.toSize() * devicePixelRatioF());
    scale.setDevicePixelRatio(devicePixelRatioF());
    scale.fill(Qt::transparent);
    QPainter painter(&scale);
    paintLoadScale(painter, QPointF(), tokens);
    m_scale->setPixmap(scale);
    setToolTipOf(*m_scale, tr("A bundle has the colour of its busiest link, from idle to fully utilised."));
}

void LoadBar::stop() {
    m_answers.drop();
    emit loadsChanged({});
}

void LoadBar::askForFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open traffic matrix"), folderOf(m_document), tr("Comma-separated values (*.csv)"));
    path.isEmpty() ? m_pattern->setCurrentIndex(m_chosen) : useTraffic(path);
}

void LoadBar::useTraffic(const QString& csvPath) {
    m_file = csvPath;
    m_pattern->setCurrentIndex(fromFile());
    ask();
}

void LoadBar::ask() {
    m_connections->setVisible(m_routing->currentIndex() == 2);
    if (!isOn()) return;
    m_chosen = m_pattern->currentIndex();
    m_text->setEnabled(false); // the old text is out of date
    m_answers.ask();
}

// The old loads do not apply to the changed fabric.
void LoadBar::designChanged() {
    setPlace({});
    emit loadsChanged({});
    ask();
}

LoadBar::Request LoadBar::request() const {
    Request request{m_document.now().fabric, m_document.degraded(), m_document.failed(), m_pattern->currentIndex(), {}, {}};
    request.options.routing = static_cast<Routing>(m_routing->currentIndex());
    request.options.connectionsPerPair = m_connections->value();
    request.options.isForwarded = m_forwarded->isChecked();
    if (request.pattern == fromFile()) request.file = m_file.toStdString();
    return request;
}

LoadBar::Answer LoadBar::answerTo(const Request& request) {
    Answer answer;
    const Fabric& degraded = *request.degraded;
    const auto traffic = request.file.empty()
                             ? Result<GpuTraffic>(trafficOf(degraded, static_cast<Pattern>(request.pattern), request.options.seed))
                             : readTraffic(degraded, request.file);
    const auto loads = traffic ? linkLoads(degraded, *traffic, request.options) : Result<LinkLoads>(traffic.errors());
    if (!loads) return answer.refusal = text(toText(loads.error())), answer;
    answer.summary = summaryOf(degraded, *loads);
    answer.ofLinks = std::make_shared<const std::vector<double>>(utilisationBefore(request.failed, degraded, *loads));
    answer.words = sentence(degraded, *loads, answer.summary);
    if (answer.summary.busiest != none) answer.busiestPath = text(degraded.devicePath(degraded.links.b[answer.summary.busiest]));
    return answer;
}

void LoadBar::take(const Answer& answer) {
    m_text->setEnabled(true);
    m_text->setText(answer.refusal.isEmpty() ? answer.words : answer.refusal);
    m_summary = answer.summary;
    setPlace(answer.busiestPath);
    if (!answer.refusal.isEmpty()) emit refused(answer.refusal);
    emit loadsChanged(answer.ofLinks);
}

} // namespace railyard
