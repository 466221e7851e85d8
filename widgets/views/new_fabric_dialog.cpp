#include "widgets/views/new_fabric_dialog.h"

#include "core/base/unit_text.h"
#include "widgets/document/document.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace railyard {
namespace {

const QStringList& candidates() {
    static const QStringList names{QStringLiteral("rail-optimized"), QStringLiteral("rail-only"), QStringLiteral("fat-tree")};
    return names;
}

template <class Detail>
QComboBox* partChoice(const Catalog& catalog, const char* usual) {
    auto* choice = new QComboBox;
    for (const auto& [id, part] : catalog.parts())
        if (part.template as<Detail>()) choice->addItem(QString::fromStdString(part.name), QString::fromStdString(id));
    choice->setCurrentIndex(choice->findData(QLatin1String(usual)));
    return choice;
}

} // namespace

NewFabricDialog::NewFabricDialog(CatalogPointer catalog, QWidget* parent) : QDialog(parent), m_catalog(std::move(catalog)) {
    setWindowTitle(tr("New fabric"));
    setMinimumWidth(720);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* title = new QLabel(tr("What should the fabric join?"));
    title->setFont(fontFor(TextRole::ChartTitle));
    layout->addWidget(title);
    auto* form = new QFormLayout;
    form->setSpacing(8);
    m_name = new QLineEdit(tr("new fabric"));
    m_gpus = new QLineEdit(QStringLiteral("1024"));
    m_gpus->setObjectName(QStringLiteral("new-gpus"));
    m_server = partChoice<ServerPart>(*m_catalog, "srv-dgx-h100");
    m_switch = partChoice<SwitchPart>(*m_catalog, "sw-qm9700");
    m_oversubscription = new QLineEdit(QStringLiteral("1:1"));
    m_domain = new QLineEdit;
    m_domain->setPlaceholderText(tr("one server"));
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&GPUs"), m_gpus);
    form->addRow(tr("&Server"), m_server);
    form->addRow(tr("S&witch"), m_switch);
    form->addRow(tr("&Oversubscription at the leaf"), m_oversubscription);
    form->addRow(tr("GPUs in an &HB domain"), m_domain);
    auto* also = new QHBoxLayout;
    for (const auto& [text, key, value] :
         {std::tuple(tr("&Racks and cable lengths"), "racks", "auto"), std::tuple(tr("S&torage"), "storage", "on"),
          std::tuple(tr("&In-band"), "in_band", "on"), std::tuple(tr("O&ut-of-band"), "out_of_band", "on")}) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QString::fromLatin1(key));
        also->addWidget(box);
        m_extras.push_back({box, key, value});
        connect(box, &QCheckBox::toggled, this, [this] { refresh(); });
    }
    also->addStretch();
    form->addRow(tr("Also"), also);
    layout->addLayout(form);
    m_candidates = new QTableWidget(3, 6);
    m_candidates->setObjectName(QStringLiteral("candidates"));
    m_candidates->setHorizontalHeaderLabels(
        {tr("Layout"), tr("Tiers"), tr("Switches"), tr("Links"), tr("Network cost"), tr("Network power")});
    m_candidates->verticalHeader()->hide();
    m_candidates->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_candidates->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_candidates->setSelectionMode(QAbstractItemView::SingleSelection);
    m_candidates->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_candidates->setAccessibleName(tr("Candidates"));
    m_candidates->setFixedHeight(140);
    layout->addWidget(m_candidates);
    m_problem = new QLabel;
    m_problem->setProperty("danger", true);
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox;
    m_create = buttons->addButton(tr("Draw it"), QDialogButtonBox::AcceptRole);
    m_create->setProperty("primary", true);
    buttons->addButton(QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QLineEdit* field : {m_gpus, m_oversubscription, m_domain}) connect(field, &QLineEdit::textChanged, this, [this] { refresh(); });
    for (QComboBox* field : {m_server, m_switch}) connect(field, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    m_candidates->selectRow(0);
    connect(m_candidates, &QTableWidget::itemSelectionChanged, this, [this] { refresh(); });
    refresh();
}

RecipeCall NewFabricDialog::callFor(const QString& recipe) const {
    RecipeCall call{recipe.toStdString(), {}};
    const auto put = [&](const char* key, const QString& value) {
        if (!value.trimmed().isEmpty()) call.parameters[key] = value.trimmed().toStdString();
    };
    put("gpus", QString(m_gpus->text()).remove(QLatin1Char(',')));
    put("server", m_server->currentData().toString());
    put("switch", m_switch->currentData().toString());
    put("oversubscription", m_oversubscription->text());
    put("hb_domain_gpus", m_domain->text());
    for (const Extra& extra : m_extras)
        if (extra.box->isChecked()) call.parameters[extra.key] = extra.value;
    return call;
}

RecipeCall NewFabricDialog::call() const {
    const auto rows = m_candidates->selectionModel()->selectedRows();
    return callFor(candidates()[rows.isEmpty() ? 0 : rows.first().row()]);
}

QString NewFabricDialog::name() const { return m_name->text().trimmed().isEmpty() ? tr("new fabric") : m_name->text().trimmed(); }

void NewFabricDialog::refresh() {
    m_problem->clear();
    const auto selected = m_candidates->selectionModel()->selectedRows();
    const int chosen = selected.isEmpty() ? 0 : selected.first().row();
    m_create->setEnabled(false);
    for (int row = 0; row < candidates().size(); ++row) {
        QStringList cells{candidates()[row], {}, {}, {}, {}, {}};
        auto design = build(callFor(candidates()[row]), "candidate", m_catalog);
        if (design) {
            const auto settings = resolve(callFor(candidates()[row]), *m_catalog);
            const auto planned = plan(*settings);
            cells = {candidates()[row],
                     QString::number(planned->tiers),
                     QString::fromStdString(formatCount(planned->switches())),
                     QString::fromStdString(formatCount(planned->links())),
                     QStringLiteral("–"),
                     QStringLiteral("–")};
            if (settings->gpus() <= 70'000) { // figures of the bill need the fabric itself
                const SnapshotPointer snapshot = takeSnapshot(std::make_shared<const Design>(std::move(*design)));
                const Bill& bill = snapshot->instant.bill;
                cells[4] = (bill.unpricedLines > 0 ? QStringLiteral("≥ ") : QString()) + QString::fromStdString(formatMoney(bill.network));
                cells[5] = bill.networkPower ? QString::fromStdString(formatWatts(*bill.networkPower)) : QStringLiteral("–");
            }
            if (row == chosen) m_create->setEnabled(true);
        } else if (row == chosen) {
            m_problem->setText(QString::fromStdString(design.error().text));
        }
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
            m_candidates->setItem(row, column, item);
        }
    }
}

} // namespace railyard
