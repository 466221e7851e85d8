// Table model of a finished sweep: a row for each design, its parameters, results and what is wrong with it.
#pragma once

#include "widgets/views/sweep_charts.h"

#include <QAbstractTableModel>

namespace railyard {

class SweepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void show(std::shared_ptr<const SweepTable> table);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override; // Qt::UserRole returns the sort key
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const SweepTable> m_table;
    SweepTitles m_titles;
};

} // namespace railyard
