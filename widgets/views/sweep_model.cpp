#include "widgets/views/sweep_model.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QLocale>

namespace railyard {
namespace {

// Cells show it rounded.
QString unrounded(const std::optional<double>& value) {
    return value ? QString::number(*value, 'g', QLocale::FloatingPointShortest) : QString();
}

int alignmentOf(std::size_t column, const SweepTable& table) {
    const bool isResult = column >= table.axes.size() && column < table.axes.size() + table.results.size();
    return static_cast<int>((isResult ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

void SweepModel::show(std::shared_ptr<const SweepTable> table) {
    beginResetModel();
    m_table = std::move(table);
    m_titles = sweepTitles(*m_table);
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
    if (role == Qt::TextAlignmentRole) return alignmentOf(column, *m_table);
    const QString said = text(row.error.empty() ? row.note : row.error);
    const QString tip = column >= axes + results ? said : column >= axes ? unrounded(row.results[column - axes]) : QString();
    if (role == Qt::ToolTipRole) return asToolTip(tip);
    if (role != Qt::DisplayRole && role != Qt::UserRole) return {};
    if (column < axes) {
        const QString value = text(row.axes[column]);
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        return role == Qt::UserRole && isNumber ? QVariant(number) : QVariant(sweepAxisText(row.axes[column]));
    }
    if (column >= axes + results) return said;
    const auto& value = row.results[column - axes];
    if (role == Qt::UserRole) return value ? QVariant(*value) : QVariant();
    return value ? sweepValueText(m_table->results[column - axes], *value) : QStringLiteral("–");
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_table) return {};
    const auto column = static_cast<std::size_t>(section), axes = m_table->axes.size(), results = m_table->results.size();
    const bool isNote = column >= axes + results;
    const std::string key = isNote ? std::string() : column < axes ? m_table->axes[column] : m_table->results[column - axes];
    if (role == Qt::ToolTipRole) return asToolTip(text(key)); // by which files name it
    if (role == Qt::TextAlignmentRole) return alignmentOf(column, *m_table);
    if (role != Qt::DisplayRole) return {};
    return isNote ? tr("Note") : column < axes ? m_titles.axes[column] : m_titles.results[column - axes];
}

} // namespace railyard
