#include "widgets/modes/job_bar.h"

#include "core/collective/concurrent_jobs.h"
#include "core/routing/load_summary.h"
#include "widgets/modes/message_sizes.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace railyard {
namespace {

constexpr int mostJobs = 64;

QString tr(const char* words) { return QCoreApplication::translate("railyard::JobBar", words); }

// The job and its range of ranks for every server and HB domain. The ranks of a scope are consecutive.
Territories territoriesOf(const Fabric& fabric, const std::vector<CollectiveJob>& jobs) {
    Territories territories;
    territories.ofScope.assign(fabric.scopes.size(), -1);
    territories.notes.resize(fabric.scopes.size());
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> ranks; // first and last rank of each scope
        for (std::size_t rank = 0; rank < jobs[j].gpus.size(); ++rank) {
            const DeviceId gpu = jobs[j].gpus[rank];
            const ServerId server = fabric.devices.server[gpu];
            const DomainId domain = fabric.devices.hbDomain[gpu];
            for (const ScopeId scope :
                 {server == none ? ScopeId() : fabric.servers[server], domain == none ? ScopeId() : fabric.hbDomains[domain]})
                if (scope != none) ranks.try_emplace(scope, rank, rank).first->second.second = rank;
        }
        for (const auto& [scope, of] : ranks) {
            territories.ofScope[scope] = static_cast<int>(j);
            territories.notes[scope] = tr("Job %1, ranks %2 to %3").arg(j + 1).arg(of.first).arg(of.second);
        }
    }
    return territories;
}

const JobTime& slowestOf(const ConcurrentTimes& times) {
    return *std::max_element(times.jobs.begin(), times.jobs.end(),
                             [](const JobTime& a, const JobTime& b) { return a.slowdown < b.slowdown; });
}

QString sentence(const Fabric& fabric, const std::vector<CollectiveJob>& jobs, const ConcurrentTimes& times) {
    const JobTime* slowest = &slowestOf(times);
    const CollectiveJob& job = jobs[static_cast<std::size_t>(slowest - times.jobs.data())];
    QString words =
        tr("%1 concurrent jobs run %2 of %3. ").arg(jobs.size()).arg(QString::fromUtf8(toText(job.op).data()), text(formatBytes(job.size)));
    if (slowest->slowdown < 1.0005) return words + tr("They do not slow each other; each takes %1.").arg(text(timeText(slowest->alone)));
    words += tr("Job %1 slows most (×%2): %3 alone, %4 when sharing.")
                 .arg(slowest - times.jobs.data() + 1)
                 .arg(slowest->slowdown, 0, 'f', 2)
                 .arg(text(formatSeconds(slowest->alone.best.time)), text(formatSeconds(slowest->time())));
    if (slowest->bottleneck == none) return words;
    return words + tr(" Bottleneck: %1 → %2.")
                       .arg(text(fabric.devicePath(fabric.links.a[slowest->bottleneck])),
                            text(fabric.devicePath(fabric.links.b[slowest->bottleneck])));
}

} // namespace

JobBar::JobBar(Document& document, QWidget* parent)
    : ModeBar(document, QStringLiteral("job-bar"), plainLabel(), parent),
      m_jobs(new QSpinBox),
      m_placement(new QComboBox),
      m_op(new QComboBox),
      m_size(new QComboBox),
      m_answers([this] { return [wanted = request()] { return answerTo(wanted); }; }, [this](const Answer& answer) { take(answer); }) {
    m_text->setObjectName(QStringLiteral("job-text"));
    m_jobs->setObjectName(QStringLiteral("job-count"));
    m_jobs->setRange(1, mostJobs);
    m_jobs->setValue(4);
    m_jobs->setSuffix(tr(" jobs"));
    m_jobs->setKeyboardTracking(false);
    m_jobs->setAccessibleName(tr("Jobs"));
    m_placement->setObjectName(QStringLiteral("job-placement"));
    m_placement->setAccessibleName(tr("Placement"));
    m_placement->addItem(tr("Packed"));
    m_placement->addItem(tr("Spread"));
    setToolTipOf(*m_placement, tr("Packed: adjacent HB domains. Spread: HB domains assigned round-robin."));
    m_op->setObjectName(QStringLiteral("job-op"));
    m_op->setAccessibleName(tr("Operation"));
    for (const auto op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll, CollectiveOp::AllGather, CollectiveOp::ReduceScatter})
        m_op->addItem(QString::fromUtf8(toText(op).data()), static_cast<int>(op));
    m_size->setObjectName(QStringLiteral("job-size"));
    m_size->setAccessibleName(tr("Message size"));
    fillWithMessageSizes(*m_size);
    for (QWidget* each : std::initializer_list<QWidget*>{m_jobs, m_placement, m_op, m_size}) m_row->addWidget(each);
    addLocate(tr("Show bottleneck"), tr("Shows the bottleneck link of the slowest job."));
    m_row->addStretch(1);
    addLeave({});
    connect(m_jobs, &QSpinBox::valueChanged, this, [this] { ask(); });
    for (QComboBox* each : {m_placement, m_op, m_size}) connect(each, &QComboBox::currentIndexChanged, this, [this] { ask(); });
}

void JobBar::stop() {
    m_answers.drop();
    emit territoriesChanged({});
    emit loadsChanged({});
}

void JobBar::ask() {
    if (!isOn()) return;
    setPlace({});
    emit territoriesChanged({}); // the old ones are out of date
    emit loadsChanged({});
    m_text->setEnabled(false);
    m_answers.ask();
}

JobBar::Answer JobBar::answerTo(const Request& request) {
    Answer answer;
    const Fabric& degraded = *request.degraded;
    auto tiles = tilesOf(degraded, request.jobs, request.isSpread ? JobPlacement::Spread : JobPlacement::Packed);
    if (!tiles) return answer.refusal = text(tiles.error().text), answer;
    std::vector<CollectiveJob> all;
    for (auto& tile : *tiles) all.push_back({std::move(tile), request.op, request.size, 1});
    answer.territories = territoriesOf(degraded, all);
    const auto times = concurrentTimes(degraded, all);
    if (!times) return answer.refusal = text(times.error().text), answer;
    answer.words = sentence(degraded, all, *times);
    answer.ofLinks = std::make_shared<const std::vector<double>>(valuesBefore(request.failed, degraded, times->ofLinks));
    const JobTime& slowest = slowestOf(*times);
    if (slowest.bottleneck != none) answer.bottleneck = text(degraded.devicePath(degraded.links.b[slowest.bottleneck]));
    return answer;
}

JobBar::Request JobBar::request() const {
    return {m_document.now().fabric,
            m_document.degraded(),
            m_document.failed(),
            m_jobs->value(),
            m_placement->currentIndex() == 1,
            static_cast<CollectiveOp>(m_op->currentData().toInt()),
            messageSizeOf(*m_size)};
}

void JobBar::take(const Answer& answer) {
    m_text->setEnabled(true);
    m_text->setText(answer.refusal.isEmpty() ? answer.words : answer.refusal);
    setPlace(answer.bottleneck);
    emit territoriesChanged(answer.territories);
    emit loadsChanged(answer.ofLinks);
}

} // namespace railyard
