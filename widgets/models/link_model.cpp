#include "widgets/models/link_model.h"

#include "core/base/unit_text.h"
#include "core/io/tables/cable_schedule.h"
#include "widgets/theme/text.h"

#include <algorithm>

namespace railyard {

static int alignmentOf(int column) {
    const bool isNumber = column == LinkModel::Length || column == LinkModel::Speed;
    return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

LinkModel::LinkModel(Document& document, QObject* parent) : QAbstractTableModel(parent), m_document(document) {
    connect(&document, &Document::changed, this, [this] { rebuild(); });
    rebuild();
}

void LinkModel::rebuild() {
    beginResetModel();
    m_snapshot = m_document.snapshot();
    m_names.emplace(*m_snapshot->design);
    m_links.clear();
    m_parts.clear();
    for (const LinkId l : m_snapshot->fabric->links.ids())
        if (m_snapshot->fabric->isNetworkLink(l)) m_links.push_back(l);
    endResetModel();
}

int LinkModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_links.size()); }
int LinkModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant LinkModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return alignmentOf(section);
    if (role != Qt::DisplayRole || section >= columns) return {};
    const QString names[] = {tr("Cable"), tr("Lower end"), tr("Upper end"), tr("Length (m)"), tr("Part"), tr("Tier"), tr("Speed (Gb/s)")};
    return names[section];
}

int LinkModel::rowOf(const std::string& port) const {
    const auto link = isPort(port) ? cableAt(*m_snapshot->fabric, port) : std::nullopt;
    const auto found = link ? std::lower_bound(m_links.begin(), m_links.end(), *link) : m_links.end();
    return found != m_links.end() && *found == *link ? static_cast<int>(found - m_links.begin()) : -1;
}

// Many cables share one choice, and a filter reads them all.
QString LinkModel::partOf(LinkId link, const Cabling& cabling) const {
    m_parts.resize(cabling.choices.size());
    QString& part = m_parts[cabling.choice[cabling.links.find(link)]];
    if (part.isEmpty()) part = factsOf(*m_snapshot->fabric, link, cabling).part;
    return part;
}

QString LinkModel::end(DeviceId device, PortId port, LinkTier tier) const {
    const Fabric& fabric = *m_snapshot->fabric;
    const std::string path = fabric.devicePath(device), name = m_names->nameOf(path);
    const QString shown = text(path + ":" + fabric.portName(device, port, tier));
    return name == path ? shown : shown + QStringLiteral(" · ") + text(name); // both can be searched for
}

std::vector<std::string> LinkModel::endsOf(int row) const {
    const Fabric& fabric = *m_snapshot->fabric;
    const LinkId link = m_links[static_cast<std::size_t>(row)];
    const auto shown = [&](DeviceId device) { // a NIC is shown as part of its server
        const ServerId server = fabric.devices.server[device];
        return server == none ? fabric.devicePath(device) : fabric.scopePath(fabric.servers[server]);
    };
    return {shown(fabric.links.a[link]), shown(fabric.links.b[link])};
}

// Within a tier, devices are ordered by path.
QVariant LinkModel::sortKey(LinkId link, int column) const {
    const LinkTable& links = m_snapshot->fabric->links;
    const auto place = [](DeviceId device, std::uint32_t port) { return QVariant(static_cast<qulonglong>(device) << 24 | port); };
    const Cabling& cabling = *m_snapshot->cabling;
    switch (column) {
    case Cable: return static_cast<qulonglong>(cabling.cableOf(link));
    case LowerEnd: return place(links.a[link], links.aPort[link]);
    case UpperEnd: return place(links.b[link], links.bPort[link]);
    case Length: return cabling.choiceOf(link).ordered.value();
    case Tier: return static_cast<int>(links.tier[link]);
    case Speed: return inGbps(m_snapshot->fabric->speedOf(link));
    default: return {}; // by its text
    }
}

QVariant LinkModel::data(const QModelIndex& index, int role) const {
    const LinkTable& links = m_snapshot->fabric->links;
    const LinkId link = m_links[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole) return alignmentOf(index.column());
    if (role == Qt::UserRole) return sortKey(link, index.column());
    if (role != Qt::DisplayRole) return {};
    const Cabling& cabling = *m_snapshot->cabling;
    switch (index.column()) {
    case Cable: return text(cableId(cabling.cableOf(link)));
    case LowerEnd: return end(links.a[link], links.aPort[link], links.tier[link]);
    case UpperEnd: return end(links.b[link], links.bPort[link], links.tier[link]);
    case Length: return cabling.choiceOf(link).ordered.value();
    case PartName: return partOf(link, cabling);
    case Tier: return QString::fromUtf8(toText(links.tier[link]).data(), static_cast<qsizetype>(toText(links.tier[link]).size()));
    default: return inGbps(m_snapshot->fabric->speedOf(link));
    }
}

} // namespace railyard
