#include "widgets/views/sweep_model.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

namespace railyard {

void SweepModel::show(std::shared_ptr<const SweepTable> table) {
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int SweepModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->rows.size());
}

int SweepModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_table ? 0 : static_cast<int>(m_table->axes.size() + m_table->results.size()) + 1;
}

QVariant SweepModel::data(const QModelIndex& index, int role) const {
    if (!m_table || !index.isValid()) return {};
    const SweepTable::Row& row = m_table->rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column()), axes = m_table->axes.size(), results = m_table->results.size();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column < axes + results && column >= axes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const QString said = text(row.error.empty() ? row.note : row.error);
    if (role == Qt::ToolTipRole) return column < axes + results ? QVariant() : QVariant(asToolTip(said));
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    if (column < axes) {
        const QString value = text(row.axes[column]);
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        return role == Qt::UserRole && isNumber ? QVariant(number) : QVariant(value);
    }
    if (column >= axes + results) return said;
    const auto& value = row.results[column - axes];
    if (role == Qt::UserRole) return value ? QVariant(*value) : QVariant();
    return value ? QString::number(*value, 'g', 10) : QStringLiteral("–");
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !m_table) return {};
    const auto column = static_cast<std::size_t>(section), axes = m_table->axes.size(), results = m_table->results.size();
    if (column < axes) return text(m_table->axes[column]);
    return column < axes + results ? text(m_table->results[column - axes]) : tr("Note");
}

} // namespace railyard
