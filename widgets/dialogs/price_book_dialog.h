// The user's own prices as a table that can be edited: added, imported, changed, removed. It holds texts; the price book itself says
// what is wrong with them.
#pragma once

#include <QDialog> // first, because moc cannot parse <memory> before <concepts>

#include "core/catalog/price_book.h"

#include <functional>
#include <optional>

class QDialogButtonBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace railyard {

class PriceBookDialog : public QDialog {
    Q_OBJECT

public:
    // `import`: asks for a file and reads it; empty where the user cancels. `store`: writes the book.
    struct Ways {
        std::function<std::optional<Result<PriceBook>>()> import;
        std::function<Status(const PriceBook& book)> store;
    };
    PriceBookDialog(const PriceBook& book, const QString& path, Ways ways, QWidget* parent = nullptr);
    Result<PriceBook> book() const; // errors: the first row that has one, with its column
    void accept() override;         // stays open while something is wrong

private:
    void fill(const PriceBook& book);
    int addRow(const QStringList& texts);
    void nameRow(int row);
    void removeRows();
    void importPrices();
    void refuse(const Error& error);

    Ways m_ways;
    QTableWidget* m_table = nullptr;
    QLabel* m_problem = nullptr;
    bool m_isFilling = false;
};

} // namespace railyard
