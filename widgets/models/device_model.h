// Table models of devices and of the bill, which read directly from the snapshot.
#pragma once

#include "core/bill/auxiliary_networks.h"
#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QAbstractTableModel>

namespace railyard {

// One row for each switch and server, and for the switches of the networks beside the compute fabric.
class DeviceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit DeviceModel(Document& document, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override; // Qt::UserRole returns the sort key
    Qt::ItemFlags flags(const QModelIndex& index) const override;     // names and switch parts are editable
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString pathOf(int row) const;
    int rowOf(const std::string& path) const;
    void setTokens(const Tokens& tokens) { m_tokens = tokens; }

signals:
    void refused(const QString& reason);

private:
    struct Row {
        DeviceId device; // one of the two is set
        ScopeId scope;
        std::uint16_t part = 0;
        int used = 0, ports = 0, down = 0, up = 0;
        const AuxiliaryFabric* side = nullptr; // the network of the device; null: the compute fabric
    };
    void rebuild();
    QVariant sortKey(const QModelIndex& index) const;
    void addSwitches(const Fabric& fabric, const AuxiliaryFabric* side);
    const Fabric& fabricOf(const Row& row) const { return row.side ? *row.side->fabric : *m_snapshot->fabric; }
    const Part* partOf(const Row& row) const { return fabricOf(row).parts[row.part]; }

    Document& m_document;
    SnapshotPointer m_snapshot;
    std::vector<Row> m_rows;
    mutable std::vector<int> m_rank; // rank of each row in the natural order of paths, computed on first use
    Tokens m_tokens;
};

class BillModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit BillModel(Document& document, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    SnapshotPointer m_snapshot;
    Document& m_document;
};

} // namespace railyard
