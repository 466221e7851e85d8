// Table model of network links: cable, ends with their ports, length, part, tier and speed. It reads directly from the snapshot; length and
// part follow when the cabling is known.
#pragma once

#include "core/analysis/cable_edits.h"
#include "core/design/model/element_names.h"
#include "widgets/document/cable_facts.h"
#include "widgets/document/document.h"

#include <QAbstractTableModel>
#include <optional>

namespace railyard {

class LinkModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit LinkModel(Document& document, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override; // Qt::UserRole returns the sort key
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    enum Column { Cable, LowerEnd, UpperEnd, Length, PartName, Tier, Speed, columns };
    int rowOf(const std::string& port) const;       // of the cable in this port; −1 if there is none
    std::vector<std::string> endsOf(int row) const; // paths of the switches and servers
    std::string cableOf(int row) const { return cablePath(*m_snapshot->fabric, m_links[static_cast<std::size_t>(row)]); }

private:
    void rebuild();
    QString partOf(LinkId link, const Cabling& cabling) const;
    QVariant sortKey(LinkId link, int column) const;
    QString end(DeviceId device, PortId port, LinkTier tier) const;

    Document& m_document;
    SnapshotPointer m_snapshot;
    std::optional<ElementNames> m_names;  // of the snapshot
    std::vector<LinkId> m_links;          // by row
    mutable std::vector<QString> m_parts; // by choice of the cabling; empty until one is shown
};

} // namespace railyard
