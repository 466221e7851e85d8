#include "widgets/models/device_model.h"

#include "core/analysis/edit_text.h"
#include "core/base/natural_order.h"
#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <algorithm>

namespace railyard {

DeviceModel::DeviceModel(Document& document, QObject* parent) : QAbstractTableModel(parent), m_document(document), m_tokens(lightTokens()) {
    connect(&document, &Document::changed, this, [this] { rebuild(); });
    rebuild();
}

void DeviceModel::rebuild() {
    beginResetModel();
    m_snapshot = m_document.snapshot();
    m_rows.clear();
    m_rank.clear();
    const Fabric& fabric = *m_snapshot->fabric;
    addSwitches(fabric, nullptr);
    std::vector<bool> server(fabric.servers.size());
    for (const ServerId own : fabric.devices.server)
        if (own != none) server[own] = true;
    for (std::size_t s = 0; s < server.size(); ++s)
        if (server[s]) m_rows.push_back({none, fabric.servers[s], fabric.serverParts[s], 0, 0, 0, 0, nullptr});
    if (m_snapshot->cabling->auxiliary)
        for (const AuxiliaryFabric& side : m_snapshot->cabling->auxiliary->fabrics) addSwitches(*side.fabric, &side);
    endResetModel();
}

void DeviceModel::addSwitches(const Fabric& fabric, const AuxiliaryFabric* side) {
    By<DeviceId, std::size_t> rowOf(fabric.devices.size(), none);
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.routes(d)) continue;
        rowOf[d] = m_rows.size();
        m_rows.push_back({d, none, fabric.devices.part[d], 0, fabric.portCount(d), 0, 0, side});
    }
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        if (const std::size_t row = rowOf[fabric.links.a[l]]; row < m_rows.size()) ++m_rows[row].up, ++m_rows[row].used;
        if (const std::size_t row = rowOf[fabric.links.b[l]]; row < m_rows.size()) ++m_rows[row].down, ++m_rows[row].used;
    }
}

int DeviceModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int DeviceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 10; }

QVariant DeviceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int(section >= 4 && section < 9 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString names[] = {tr("Path"),    tr("Kind"),       tr("Rail"),
                             tr("Part"),    tr("Ports used"), tr("Downlinks"),
                             tr("Uplinks"), tr("Power (W)"),  tr("List price (USD)"),
                             tr("Name")};
    return names[section];
}

QString DeviceModel::pathOf(int row) const {
    const Row& r = m_rows[static_cast<std::size_t>(row)];
    if (r.side) return text(r.side->name + "/" + r.side->fabric->devicePath(r.device));
    return text(r.device != none ? m_snapshot->fabric->devicePath(r.device) : m_snapshot->fabric->scopePath(r.scope));
}

int DeviceModel::rowOf(const std::string& path) const {
    for (int row = 0; row < rowCount(); ++row)
        if (pathOf(row).toStdString() == path) return row;
    return -1;
}

QVariant DeviceModel::data(const QModelIndex& index, int role) const {
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const Fabric& fabric = fabricOf(row);
    const bool device = row.device != none;
    if (role == Qt::TextAlignmentRole)
        return int(index.column() >= 4 && index.column() < 9 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    const std::uint32_t rail = device && !row.side ? fabric.devices.rail[row.device] : 0; // networks beside the fabric have no rails
    if (role == Qt::DecorationRole && index.column() == 2 && rail > 0)
        return m_tokens.rail(static_cast<int>(rail), static_cast<int>(m_snapshot->instant.counts.rails));
    if (role == Qt::UserRole) return sortKey(index);
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    const Part* part = partOf(row);
    switch (index.column()) {
    case 0: return pathOf(index.row());
    case 1:
        if (row.side) return text(row.side->name + " " + std::string(toText(fabric.devices.tier[row.device])));
        return device ? text(toText(fabric.devices.tier[row.device])) : tr("server");
    case 2:
        if (device && !row.side && m_snapshot->instant.counts.planes > 1) {
            const QString plane = tr("plane %1").arg(fabric.devices.plane[row.device]);
            return rail > 0 ? tr("%1, %2").arg(rail).arg(plane) : plane;
        }
        return rail > 0 ? QVariant(rail) : QVariant();
    case 3: return !part ? QString() : role == Qt::EditRole ? text(part->id) : tr("%1 (%2)").arg(text(part->name), text(part->id));
    case 4: return device ? tr("%1 of %2").arg(row.used).arg(row.ports) : QString();
    case 5: return device ? QVariant(row.down) : QVariant();
    case 6: return device ? QVariant(row.up) : QVariant();
    case 7:
        return part && part->typicalElseMaximum() ? text(formatCount(static_cast<std::int64_t>(part->typicalElseMaximum()->value())))
                                                  : QStringLiteral("–");
    case 8: return part && part->price && part->price->base ? text(formatCount(part->price->base->inCents() / 100)) : QStringLiteral("–");
    default: {
        const auto& overrides = m_snapshot->design->overrides;
        const auto own = overrides.empty() ? overrides.end() : overrides.find(pathOf(index.row()).toStdString());
        return own == overrides.end() ? QString() : text(own->second.label);
    }
    }
}

// Numbers sort by value, paths in natural order, other columns by their text.
QVariant DeviceModel::sortKey(const QModelIndex& index) const {
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const Part* part = partOf(row);
    switch (index.column()) {
    case 0: {
        if (m_rank.empty()) {
            std::vector<std::pair<std::string, int>> paths;
            for (int r = 0; r < rowCount(); ++r) paths.emplace_back(pathOf(r).toStdString(), r);
            std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return naturallyLess(a.first, b.first); });
            m_rank.resize(paths.size());
            for (std::size_t i = 0; i < paths.size(); ++i) m_rank[static_cast<std::size_t>(paths[i].second)] = static_cast<int>(i);
        }
        return m_rank[static_cast<std::size_t>(index.row())];
    }
    case 2: return row.device == none || row.side ? 0U : m_snapshot->fabric->devices.rail[row.device];
    case 4: return row.used;
    case 5: return row.down;
    case 6: return row.up;
    case 7: return part && part->typicalElseMaximum() ? part->typicalElseMaximum()->value() : -1.0;
    case 8: return part && part->price && part->price->base ? static_cast<qlonglong>(part->price->base->inCents()) : -1LL;
    default: return data(index, Qt::DisplayRole);
    }
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags all = QAbstractTableModel::flags(index);
    if (!index.isValid()) return all;
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool part = index.column() == 3 && row.device != none;
    if (row.side) return all; // follows from the parameters of its network
    return part || index.column() == 9 ? all | Qt::ItemIsEditable : all;
}

bool DeviceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || value == data(index, Qt::EditRole)) return false;
    const std::string path = pathOf(index.row()).toStdString(), wanted = value.toString().trimmed().toStdString();
    const Design& design = *m_document.now().design;
    const auto edit = index.column() == 9 ? labelElements(design, {{path, wanted}})
                                          : applyEdit(m_document.now().design, "set " + path + ".part=" + wanted);
    if (!edit) return emit refused(text(edit.error().text)), false;
    // Queued, because the view has not finished editing when the rows change.
    QMetaObject::invokeMethod(
        this, [this, edit] { m_document.apply(edit); }, Qt::QueuedConnection);
    return true;
}

BillModel::BillModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent),
      m_snapshot(document.snapshot()),
      m_document(document) {
    connect(&document, &Document::changed, this, [this] {
        beginResetModel();
        m_snapshot = m_document.snapshot();
        endResetModel();
    });
}

int BillModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_snapshot->instant.bill.lines.size());
}
int BillModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 7; }

QVariant BillModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int(section >= 3 && section < 6 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString names[] = {tr("Section"),          tr("Part"),        tr("Description"), tr("Quantity"),
                             tr("Unit price (USD)"), tr("Total (USD)"), tr("Price date")};
    return names[section];
}

QVariant BillModel::data(const QModelIndex& index, int role) const {
    const BillLine& line = m_snapshot->instant.bill.lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(index.column() >= 3 && index.column() < 6 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !line.base) return asToolTip(tr("No catalogue price; excluded from all totals."));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case 0: return text(line.section);
    case 1: return line.part ? text(line.part->id) : QString();
    case 2: return text(line.description);
    case 3: return text(formatCount(line.quantity));
    case 4: return line.base ? text(formatCount(line.base->inCents() / 100)) : QStringLiteral("–");
    case 5: return line.base ? text(formatCount((*line.base * line.quantity).inCents() / 100)) : QStringLiteral("–");
    default: return line.part && line.part->price ? text(line.part->price->date) : QString();
    }
}

} // namespace railyard
