#include "widgets/views/new_fabric_dialog.h"

#include "core/analysis/sizing.h"
#include "core/base/unit_text.h"
#include "widgets/document/document.h"
#include "widgets/panels/gallery.h"

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

constexpr QSize thumbnail{132, 84};
enum Basis { Gpus, Megawatts, Millions };

} // namespace

NewFabricDialog::NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent)
    : QDialog(parent),
      m_catalog(std::move(catalog)),
      m_tokens(tokens) {
    setWindowTitle(tr("New fabric"));
    setMinimumWidth(820);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* title = new QLabel(tr("What should the fabric join?"));
    title->setFont(fontFor(TextRole::ChartTitle));
    layout->addWidget(title);
    layout->addLayout(makeForm());
    makeTable();
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
    followFields();
    m_candidates->selectRow(0);
    connect(m_candidates, &QTableWidget::itemSelectionChanged, this, [this] { choose(); });
    refresh();
}

QFormLayout* NewFabricDialog::makeForm() {
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
    m_basis = new QComboBox;
    m_basis->setObjectName(QStringLiteral("new-basis"));
    m_basis->setAccessibleName(tr("The size follows from"));
    m_basis->addItems({tr("GPUs"), tr("MW at the meter"), tr("million USD for the network")});
    auto* size = new QHBoxLayout;
    size->addWidget(m_gpus, 1);
    size->addWidget(m_basis);
    auto* sizeLabel = new QLabel(tr("&Size"));
    sizeLabel->setBuddy(m_gpus);
    form->addRow(sizeLabel, size);
    form->addRow(tr("&Server"), m_server);
    form->addRow(tr("S&witch"), m_switch);
    form->addRow(tr("&Oversubscription at the leaf"), m_oversubscription);
    form->addRow(tr("GPUs in an &HB domain"), m_domain);
    auto* also = new QHBoxLayout;
    for (const auto& [text, key, value] :
         {std::tuple(tr("&Managers"), "manager_ports", "2"), std::tuple(tr("&Racks and cable lengths"), "racks", "auto"),
          std::tuple(tr("S&torage"), "storage", "on"), std::tuple(tr("&In-band"), "in_band", "on"),
          std::tuple(tr("O&ut-of-band"), "out_of_band", "on")}) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QString::fromLatin1(key));
        also->addWidget(box);
        m_extras.push_back({box, key, value});
        connect(box, &QCheckBox::toggled, this, [this] { refresh(); });
    }
    also->addStretch();
    form->addRow(tr("Also"), also);
    return form;
}

void NewFabricDialog::makeTable() {
    m_candidates = new QTableWidget(3, 7);
    m_candidates->setObjectName(QStringLiteral("candidates"));
    m_candidates->setHorizontalHeaderLabels({tr("Layout"), tr("GPUs"), tr("Tiers"), tr("Switches"), tr("Links"), tr("Cost"), tr("Power")});
    m_candidates->verticalHeader()->hide();
    m_candidates->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_candidates->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_candidates->setSelectionMode(QAbstractItemView::SingleSelection);
    m_candidates->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_candidates->setAccessibleName(tr("Candidates"));
    m_candidates->setIconSize(thumbnail);
    m_candidates->verticalHeader()->setDefaultSectionSize(thumbnail.height() + 8);
    m_candidates->setFixedHeight(3 * (thumbnail.height() + 8) + 34);
    m_candidates->setColumnWidth(0, thumbnail.width() + 120);
    m_candidates->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

void NewFabricDialog::followFields() {
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, [this] { refresh(); });
    const auto typed = [this] {
        constexpr int patience = 300; // ms
        m_create->setEnabled(false);
        m_basis->currentIndex() == Gpus ? refresh() : m_wait.start(patience);
    };
    for (QLineEdit* field : {m_gpus, m_oversubscription, m_domain}) connect(field, &QLineEdit::textChanged, this, typed);
    connect(m_basis, &QComboBox::currentIndexChanged, this, [this](int basis) {
        const QString usual[] = {QStringLiteral("1024"), QStringLiteral("4"), QStringLiteral("10")};
        const QSignalBlocker quiet(m_gpus);
        m_gpus->setText(usual[basis]);
        refresh();
    });
    for (QComboBox* field : {m_server, m_switch}) connect(field, &QComboBox::currentIndexChanged, this, typed);
}

// With as many servers as the power or the budget allows, where one of these was stated.
Result<RecipeCall> NewFabricDialog::callFor(const QString& recipe) const {
    RecipeCall call{recipe.toStdString(), {}};
    const auto put = [&](const char* key, const QString& value) {
        if (!value.trimmed().isEmpty()) call.parameters[key] = value.trimmed().toStdString();
    };
    const QString size = QString(m_gpus->text()).remove(QLatin1Char(','));
    if (m_basis->currentIndex() == Gpus) put("gpus", size);
    put("server", m_server->currentData().toString());
    put("switch", m_switch->currentData().toString());
    put("oversubscription", m_oversubscription->text());
    put("hb_domain_gpus", m_domain->text());
    for (const Extra& extra : m_extras)
        if (extra.box->isChecked()) call.parameters[extra.key] = extra.value;
    if (m_basis->currentIndex() == Gpus) return call;
    bool isNumber = false;
    const double most = size.toDouble(&isNumber) * 1e6;
    if (!isNumber || !(most > 0)) return Error::usage("The size is a number above 0, like 4 or 12.5.");
    const bool power = m_basis->currentIndex() == Megawatts;
    const auto servers = largestWithin(call, m_catalog, power ? SizeLimit::FacilityPower : SizeLimit::NetworkCost, most);
    if (!servers) return servers.errors();
    call.parameters["servers"] = std::to_string(*servers);
    return call;
}

RecipeCall NewFabricDialog::call() const { return m_rows[static_cast<std::size_t>(chosenRow())].call.value_or(RecipeCall()); }

QString NewFabricDialog::name() const { return m_name->text().trimmed().isEmpty() ? tr("new fabric") : m_name->text().trimmed(); }

int NewFabricDialog::chosenRow() const {
    const auto selected = m_candidates->selectionModel()->selectedRows();
    return selected.isEmpty() ? 0 : selected.first().row();
}

void NewFabricDialog::refresh() {
    m_wait.stop();
    for (int row = 0; row < candidates().size(); ++row) fillRow(row, callFor(candidates()[row]));
    choose();
}

void NewFabricDialog::choose() {
    const Row& row = m_rows[static_cast<std::size_t>(chosenRow())];
    m_create->setEnabled(row.call.has_value());
    m_problem->setText(row.problem);
}

// A picture and the figures of a candidate; those of the bill need the fabric itself.
void NewFabricDialog::fillRow(int row, const Result<RecipeCall>& call) {
    constexpr int mostGpus = 70'000;
    QStringList cells{candidates()[row], {}, {}, {}, {}, {}, {}};
    QIcon picture;
    auto design = call ? build(*call, "candidate", m_catalog) : Result<Design>(call.errors());
    m_rows[static_cast<std::size_t>(row)] = design ? Row{*call, {}} : Row{{}, QString::fromStdString(design.error().text)};
    if (design) {
        const auto settings = resolve(*call, *m_catalog);
        const auto planned = plan(*settings);
        cells = {candidates()[row],
                 QString::fromStdString(formatCount(settings->gpus())),
                 QString::number(planned->tiers),
                 QString::fromStdString(formatCount(planned->switches())),
                 QString::fromStdString(formatCount(planned->links())),
                 QStringLiteral("–"),
                 QStringLiteral("–")};
        if (settings->gpus() <= mostGpus) {
            const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
            const Bill bill = instantMetrics(*fabric).bill;
            cells[5] = (bill.unpricedLines > 0 ? QStringLiteral("≥ ") : QString()) + QString::fromStdString(formatMoney(bill.network));
            cells[6] = bill.networkPower ? QString::fromStdString(formatWatts(*bill.networkPower)) : QStringLiteral("–");
            picture = QIcon(thumbnailOf(*fabric, m_tokens, thumbnail));
        }
    }
    for (int column = 0; column < cells.size(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        item->setTextAlignment(column == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        if (column == 0) item->setIcon(picture);
        m_candidates->setItem(row, column, item);
    }
}

} // namespace railyard
