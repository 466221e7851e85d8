#include "widgets/dialogs/candidate_table.h"

#include "core/base/unit_text.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace railyard {
namespace {

QString dash() { return QStringLiteral("–"); }
QString grouped(std::int64_t count) { return text(formatCount(count)); }

const NamedCollective* allToAllOf(const SizeCandidate& candidate) {
    if (!candidate.background) return nullptr;
    for (const NamedCollective& named : candidate.background->collectives)
        if (named.op == CollectiveOp::AllToAll && named.result) return &named;
    return nullptr;
}

std::optional<double> bisectionOf(const SizeCandidate& candidate, BisectionKey key) {
    return candidate.background ? candidate.background->bisection[static_cast<std::size_t>(key)].fractionOfInjection : std::nullopt;
}

std::optional<double> stepOf(const SizeCandidate& candidate) {
    const auto* background = candidate.background ? &*candidate.background : nullptr;
    return background && background->training && background->training->estimate && background->training->estimate->isFeasible()
               ? std::optional(background->training->estimate->iteration.value())
               : std::nullopt;
}

// The figures that can be better or worse, as numbers to compare; less is better but for GPUs and bisection. Rounded as they are shown, so
// that equal texts are equally good.
std::optional<double> valueOf(const SizeCandidate& candidate, int column) {
    if (!candidate.best) return {};
    const auto rounded = [](double value) { // to three digits
        if (value == 0) return 0.0;
        const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
        return std::round(value / unit) * unit;
    };
    switch (column) {
    case CandidateTable::Gpus: return -static_cast<double>(candidate.best->settings.gpus());
    case CandidateTable::Switches: return candidate.instant ? double(networksTotal(*candidate.instant).switches) : std::optional<double>();
    case CandidateTable::Cost:
        return candidate.instant ? std::optional(rounded(networksTotal(*candidate.instant).cost.inDollars())) : std::nullopt;
    case CandidateTable::Power: {
        const auto power = candidate.instant ? networksTotal(*candidate.instant).power : std::nullopt;
        return power ? std::optional(rounded(power->value())) : std::nullopt;
    }
    case CandidateTable::BisectionShare: {
        const auto own = bisectionOf(candidate, BisectionKey::GpuNetworkOnly), with = bisectionOf(candidate, BisectionKey::GpuWithHb);
        return own && with ? std::optional(-(std::round(*own * 100) + std::round(*with * 100))) : std::nullopt;
    }
    case CandidateTable::AllToAll:
        return allToAllOf(candidate) ? std::optional(rounded(allToAllOf(candidate)->result->best.time.value())) : std::nullopt;
    case CandidateTable::Step: return stepOf(candidate) ? std::optional(rounded(*stepOf(candidate))) : std::nullopt;
    default: return {};
    }
}

QIcon pictureIcon(const QImage& picture) {
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected}) icon.addPixmap(QPixmap::fromImage(picture), mode); // not tinted
    return icon;
}

QString reasonFor(int column) {
    switch (column) {
    case CandidateTable::Gpus: return CandidateTable::tr("most GPUs");
    case CandidateTable::Switches: return CandidateTable::tr("fewest switches");
    case CandidateTable::Cost: return CandidateTable::tr("lowest network cost");
    case CandidateTable::Power: return CandidateTable::tr("lowest power");
    case CandidateTable::BisectionShare: return CandidateTable::tr("highest bisection");
    case CandidateTable::AllToAll: return CandidateTable::tr("fastest all-to-all");
    default: return CandidateTable::tr("shortest training step");
    }
}

} // namespace

CandidateTable::CandidateTable(const Tokens& tokens, QWidget* parent) : QTableWidget(3, columns, parent), m_tokens(tokens) {
    setObjectName(QStringLiteral("candidates"));
    setHorizontalHeaderLabels({tr("Layout"), tr("GPUs"), tr("Tiers"), tr("Switches"), tr("Network cost\nlist prices"),
                               tr("Power\nnetworks"), tr("Bisection\nNIC / NVLink"), tr("All-to-all\n256 MiB"), tr("Step\nusual job"),
                               tr("Reason")});
    verticalHeader()->hide();
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setAccessibleName(tr("Candidate fabrics"));
    setIconSize(thumbnail);
    constexpr int rowHeight = 102, headHeight = 46;
    verticalHeader()->setDefaultSectionSize(rowHeight);
    horizontalHeader()->setMinimumHeight(headHeight);
    setFixedHeight(3 * rowHeight + headHeight + 4);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Reason, QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(Layout, QHeaderView::Fixed);
    setColumnWidth(Layout, thumbnail.width() + 200);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void CandidateTable::show(const QStringList& names, const std::vector<DrawnCandidate>& candidates) {
    for (int row = 0; row < names.size(); ++row) showRow(row, names[row], candidates[static_cast<std::size_t>(row)]);
    markBest(candidates);
}

void CandidateTable::showRow(int row, const QString& name, const DrawnCandidate& candidate) {
    const SizeCandidate& found = candidate.found;
    QStringList cells;
    for (int column = 0; column < columns; ++column) cells << QString();
    cells[Layout] = name;
    if (found.best) {
        const ClosPlan& plan = found.best->plan;
        cells[Layout] += QLatin1Char('\n') + text(found.best->words).replace(QStringLiteral(", "), QStringLiteral(",\n"));
        cells[Gpus] = grouped(found.best->settings.gpus());
        cells[Tiers] = QString::number(plan.tiers);
        cells[Switches] = grouped(plan.switches());
        for (const int column : {Cost, Power, BisectionShare, AllToAll, Step}) cells[column] = dash();
    }
    if (found.instant) {
        const NetworksTotal total = networksTotal(*found.instant);
        cells[Switches] = grouped(total.switches);
        cells[Cost] = (total.isComplete ? QString() : QStringLiteral("≥ ")) + text(formatMoney(total.cost));
        cells[Power] = total.power ? text(formatWatts(*total.power)) : dash();
    }
    const auto own = bisectionOf(found, BisectionKey::GpuNetworkOnly), with = bisectionOf(found, BisectionKey::GpuWithHb);
    const auto share = [&](double value, BisectionKey key) {
        const bool isBound = !found.background->bisection[static_cast<std::size_t>(key)].certified;
        return value == 0 ? QStringLiteral("0") : (isBound ? QStringLiteral("≤ ") : QString()) + QString::number(value, 'f', 2);
    };
    if (own && with)
        cells[BisectionShare] =
            QStringLiteral("%1 / %2").arg(share(*own, BisectionKey::GpuNetworkOnly), share(*with, BisectionKey::GpuWithHb));
    if (const NamedCollective* named = allToAllOf(found))
        cells[AllToAll] = (named->result->library ? QString() : QStringLiteral("≥ ")) + text(formatSeconds(named->result->best.time));
    if (const auto step = stepOf(found)) cells[Step] = text(formatSeconds(Seconds(*step)));
    if (found.problem) cells[Reason] = wordsOf(*found.problem);
    if (own && *own == 0) cells[Reason] = tr("rails are not joined: 0 by design");
    for (int column = 0; column < columns; ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        const bool isText = column == Layout || column == Reason;
        item->setTextAlignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (column == Layout && !candidate.picture.isNull()) item->setIcon(pictureIcon(candidate.picture));
        if (column == Reason && found.problem) item->setForeground(m_tokens.danger);
        setItem(row, column, item);
    }
}

void CandidateTable::markBest(const std::vector<DrawnCandidate>& candidates) {
    // Of fabrics of several sizes only GPUs and bisection can be compared, and costs only where they leave out the same kinds of parts.
    std::set<std::int64_t> sizes;
    std::set<unsigned long> leftOut;
    for (const DrawnCandidate& candidate : candidates) {
        if (candidate.found.best) sizes.insert(candidate.found.best->settings.gpus());
        if (candidate.found.instant) leftOut.insert(networksTotal(*candidate.found.instant).leftOut.to_ulong());
    }
    const bool isOneSize = sizes.size() < 2;
    for (const int column : {Gpus, Cost, Switches, Power, BisectionShare, AllToAll, Step}) {
        if ((column != Gpus && column != BisectionShare && !isOneSize) || (column == Cost && leftOut.size() > 1)) continue;
        std::vector<std::optional<double>> values;
        for (const DrawnCandidate& candidate : candidates) values.push_back(valueOf(candidate.found, column));
        std::optional<double> best, worst;
        for (const auto& value : values) {
            if (!value) continue;
            best = std::min(best.value_or(*value), *value);
            worst = std::max(worst.value_or(*value), *value);
        }
        if (!best || *best == *worst) continue; // nothing to choose by
        for (std::size_t row = 0; row < values.size(); ++row) {
            if (values[row] != best) continue;
            QTableWidgetItem* cell = item(static_cast<int>(row), column);
            QFont bold = font();
            bold.setBold(true);
            cell->setFont(bold);
            cell->setForeground(m_tokens.ok);
            QTableWidgetItem* reason = item(static_cast<int>(row), Reason);
            reason->setText(reason->text() + (reason->text().isEmpty() ? QString() : QStringLiteral("\n")) + reasonFor(column));
        }
    }
}

} // namespace railyard
