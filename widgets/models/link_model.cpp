#include "widgets/models/link_model.h"

#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

namespace railyard {

LinkModel::LinkModel(Document& document, QObject* parent) : QAbstractTableModel(parent), m_document(document) {
    connect(&document, &Document::changed, this, [this] { rebuild(); });
    rebuild();
}

void LinkModel::rebuild() {
    beginResetModel();
    m_snapshot = m_document.snapshot();
    m_names.emplace(*m_snapshot->design);
    m_links.clear();
    for (const LinkId l : m_snapshot->fabric->links.ids())
        if (m_snapshot->fabric->isNetworkLink(l)) m_links.push_back(l);
    endResetModel();
}

int LinkModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_links.size()); }
int LinkModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 4; }

QVariant LinkModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(section == 3 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString names[] = {tr("Lower end"), tr("Upper end"), tr("Tier"), tr("Speed (Gb/s)")};
    return names[section];
}

QString LinkModel::end(DeviceId device, PortId port, LinkTier tier) const {
    const Fabric& fabric = *m_snapshot->fabric;
    const std::string path = fabric.devicePath(device), name = m_names->of(path);
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

QVariant LinkModel::data(const QModelIndex& index, int role) const {
    const LinkTable& links = m_snapshot->fabric->links;
    const LinkId link = m_links[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(index.column() == 3 ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    const double gbps = inGbps(m_snapshot->fabric->speedOf(link));
    if (role == Qt::UserRole) { // within a tier, devices are ordered by path
        const auto place = [](DeviceId device, std::uint32_t port) { return QVariant(static_cast<qulonglong>(device) << 24 | port); };
        switch (index.column()) {
        case 0: return place(links.a[link], links.aPort[link]);
        case 1: return place(links.b[link], links.bPort[link]);
        case 2: return static_cast<int>(links.tier[link]);
        default: return gbps;
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case 0: return end(links.a[link], links.aPort[link], links.tier[link]);
    case 1: return end(links.b[link], links.bPort[link], links.tier[link]);
    case 2: return QString::fromUtf8(toText(links.tier[link]).data(), static_cast<qsizetype>(toText(links.tier[link]).size()));
    default: return gbps;
    }
}

} // namespace railyard
