#include "widgets/dialogs/price_book_dialog.h"

#include "core/bill/part_number.h"
#include "core/io/tables/csv.h"
#include "core/io/tables/table.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

namespace railyard {
namespace {

// As the file has them; the name of the part stands behind its ID.
enum PriceColumn { IdColumn, NameColumn, LengthColumn, LowColumn, BaseColumn, HighColumn, DateColumn, SourceColumn, KindColumn, columns };
constexpr std::string_view keys[columns] = {"id", "", "length_m", "low_usd", "base_usd", "high_usd", "date", "source", "kind"};

QString moneyText(const std::optional<Money>& amount) { return amount ? QString::number(amount->inDollars(), 'g', 15) : QString(); }

} // namespace

PriceBookDialog::PriceBookDialog(const PriceBook& book, const QString& path, Ways ways, QWidget* parent)
    : QDialog(parent),
      m_ways(std::move(ways)) {
    setWindowTitle(tr("Price book"));
    resize(1080, 520);
    auto* column = new QVBoxLayout(this);
    auto* purpose = plainLabel(
        tr("Your own prices in US dollars. They replace those of the catalogue in every design that is opened. They are stored in %1; "
           "set RAILYARD_PRICE_BOOK to a file on a shared disk so that a team uses one book.")
            .arg(path));
    purpose->setWordWrap(true);
    column->addWidget(purpose);
    m_table = new QTableWidget(0, columns);
    m_table->setObjectName(QStringLiteral("price-rows"));
    m_table->setAccessibleName(tr("Prices"));
    m_table->setHorizontalHeaderLabels(
        {tr("Part"), tr("Name"), tr("Length, m"), tr("Low"), tr("Price"), tr("High"), tr("Date"), tr("Source"), tr("Kind")});
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    constexpr int widths[columns] = {150, 210, 76, 84, 84, 84, 92, 130, 90};
    for (int c = 0; c < columns; ++c) m_table->setColumnWidth(c, widths[c]);
    m_table->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(m_table, 1);
    m_problem = plainLabel();
    m_problem->setObjectName(QStringLiteral("price-problem"));
    m_problem->setProperty("danger", true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    auto* row = new QHBoxLayout;
    const auto button = [&](const QString& words, const char* name, auto slot) {
        auto* made = new QPushButton(words);
        made->setObjectName(QLatin1String(name));
        connect(made, &QPushButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    button(tr("&Add a price"), "price-add", [this] {
        const int at = addRow({});
        m_table->setCurrentCell(at, IdColumn);
        m_table->editItem(m_table->item(at, IdColumn));
    });
    auto* remove = button(tr("&Remove"), "price-remove", &PriceBookDialog::removeRows);
    button(tr("&Import a CSV file…"), "price-import", &PriceBookDialog::importPrices);
    row->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    row->addWidget(buttons);
    column->addLayout(row);
    connect(buttons, &QDialogButtonBox::accepted, this, &PriceBookDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    const auto enable = [this, remove] { remove->setEnabled(m_table->selectionModel()->hasSelection()); };
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, enable);
    connect(m_table, &QTableWidget::cellChanged, this, [this](int changed, int at) {
        if (at == IdColumn && !m_isFilling) nameRow(changed);
    });
    fill(book);
    enable();
}

void PriceBookDialog::fill(const PriceBook& book) {
    m_table->setRowCount(0);
    for (const BookedPrice& price : book.prices())
        addRow({text(price.id),
                {},
                price.length ? QString::number(price.length->value(), 'g', 15) : QString(),
                moneyText(price.low),
                moneyText(price.base),
                moneyText(price.high),
                text(price.date),
                text(price.source),
                text(price.kind)});
}

int PriceBookDialog::addRow(const QStringList& texts) {
    const QScopedValueRollback filling(m_isFilling, true);
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    for (int c = 0; c < columns; ++c) {
        auto* item = new QTableWidgetItem(c < texts.size() ? texts[c] : QString());
        if (c == NameColumn) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
        if (c >= LengthColumn && c <= HighColumn) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, c, item);
    }
    nameRow(row);
    return row;
}

// The part of an ID. A number of the maker becomes the ID of its part, and of a cable its length.
void PriceBookDialog::nameRow(int row) {
    const QScopedValueRollback filling(m_isFilling, true);
    const std::string id = m_table->item(row, IdColumn)->text().trimmed().toStdString();
    const Part* part = shippedCatalog()->find(id);
    if (!part && !id.empty())
        if (const auto ordered = partWithNumber(*shippedCatalog(), id)) {
            m_table->item(row, IdColumn)->setText(text(ordered->id));
            if (ordered->length) m_table->item(row, LengthColumn)->setText(QString::number(ordered->length->value(), 'g', 15));
            part = shippedCatalog()->find(ordered->id);
        }
    m_table->item(row, NameColumn)->setText(part ? text(part->name) : id.empty() ? QString() : tr("not in the catalogue"));
}

void PriceBookDialog::removeRows() {
    std::set<int, std::greater<>> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedIndexes()) rows.insert(index.row());
    for (const int row : rows) m_table->removeRow(row);
}

void PriceBookDialog::importPrices() {
    const auto fresh = m_ways.import();
    if (!fresh) return; // cancelled
    if (!*fresh) return refuse(fresh->error());
    auto own = book();
    if (!own) return refuse(own.error());
    own->merge(**fresh);
    fill(*own);
    m_problem->hide();
}

Result<PriceBook> PriceBookDialog::book() const {
    Table table;
    for (const std::string_view key : keys)
        if (!key.empty()) table.columns.push_back({std::string(key)});
    for (int row = 0; row < m_table->rowCount(); ++row) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (int c = 0; c < columns; ++c)
            if (c != NameColumn) cells.emplace_back(typedText(m_table->item(row, c)->text()).trimmed().toStdString());
    }
    return PriceBook::read(csvOf(table), "price book");
}

// The book names line and column of its text: the first line holds the headings, and the name of the part is not in it.
void PriceBookDialog::refuse(const Error& error) {
    const int row = error.where.line - 2, column = error.where.column <= 1 ? 0 : error.where.column;
    const bool isOfTable = error.where.file == "price book" && row >= 0 && row < m_table->rowCount() && column < columns;
    m_problem->setText(isOfTable ? tr("Row %1: %2.").arg(row + 1).arg(text(error.text)) : text(toText(error)));
    m_problem->show();
    if (isOfTable) m_table->setCurrentCell(row, column);
}

void PriceBookDialog::accept() {
    const auto own = book();
    if (!own) return refuse(own.error());
    if (const Status stored = m_ways.store(*own); !stored) return refuse(stored.error());
    QDialog::accept();
}

} // namespace railyard
