#include "widgets/panels/inspector_panel.h"

#include "core/analysis/edit_text.h"
#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {
namespace {
QString text(const std::string& value) { return QString::fromStdString(value); }
} // namespace

InspectorPanel::InspectorPanel(Document& document, QWidget* parent) : QWidget(parent), m_document(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(6);
    m_title = new QLabel;
    m_title->setFont(fontFor(TextRole::ObjectName));
    m_title->setWordWrap(true);
    m_subtitle = new QLabel;
    m_subtitle->setProperty("dim", true);
    m_subtitle->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_subtitle);
    m_body = new QWidget;
    layout->addWidget(m_body);
    layout->addStretch();
    connect(&document, &Document::changed, this, [this] { refresh(); });
    refresh();
}

void InspectorPanel::showSelection(const std::vector<std::string>& paths) {
    m_paths = paths;
    refresh();
}

void InspectorPanel::apply(const Result<Edit>& edit) {
    QString reason;
    if (m_document.apply(edit, &reason)) return;
    emit refused(reason);
    refresh();
}

void InspectorPanel::refresh() {
    delete m_body;
    m_body = new QWidget;
    m_form = new QFormLayout(m_body);
    m_form->setContentsMargins(0, 4, 0, 0);
    m_form->setSpacing(5);
    static_cast<QVBoxLayout*>(layout())->insertWidget(2, m_body);
    m_paths.empty() ? showRecipe() : showDevices();
}

void InspectorPanel::addFact(const QString& name, const QString& value) {
    auto* label = new QLabel(value);
    label->setAlignment(Qt::AlignRight);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_form->addRow(name, label);
}

void InspectorPanel::addNumber(const QString& name, const QString& key, int value, const QString& unit) {
    auto* field = new QLineEdit(QString::number(value));
    field->setAccessibleName(name);
    field->setObjectName(QStringLiteral("parameter-") + key);
    field->setAlignment(Qt::AlignRight);
    field->setToolTip(unit);
    connect(field, &QLineEdit::editingFinished, this, [this, field, key, value] {
        const QString wanted = field->text().trimmed();
        if (wanted == QString::number(value)) return;
        const std::map<std::string, std::string> change{{key.toStdString(), wanted.toStdString()}};
        // The field is rebuilt by the edit: apply once it has left its own signal.
        QMetaObject::invokeMethod(
            this,
            [this, change] {
                if (change.contains("servers")) {
                    RecipeCall call = *m_document.now().design->recipe;
                    call.parameters.erase("gpus");
                    call.parameters["servers"] = change.at("servers");
                    auto next = rebuild(*m_document.now().design, call);
                    apply(next ? Result<Edit>(
                                     Edit{std::make_shared<const Design>(std::move(*next)), "Set servers to " + change.at("servers")})
                               : Result<Edit>(next.errors()));
                } else {
                    apply(setParameters(*m_document.now().design, change));
                }
            },
            Qt::QueuedConnection);
    });
    m_form->addRow(name, field);
}

void InspectorPanel::showRecipe() {
    const Design& design = *m_document.now().design;
    m_title->setText(text(design.name));
    if (!design.recipe) {
        m_subtitle->setText(isEmpty(design) ? tr("Empty. Drag a server onto the drawing, or start from a sample.") : tr("Drawn by hand"));
        return;
    }
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!planned) return m_subtitle->setText(text(planned.error().text));
    m_subtitle->setText(tr("%1 · %2 tiers").arg(text(design.recipe->name)).arg(planned->tiers));
    addNumber(tr("Servers"), QStringLiteral("servers"), settings->servers, tr("servers in all"));
    addFact(tr("Server part"), text(settings->server->name));
    addFact(tr("Switch"), text(settings->leafSwitch->name));
    addNumber(tr("Servers in an SU"), QStringLiteral("su_servers"), planned->suServers, tr("servers that share leaves"));
    addNumber(tr("Rails"), QStringLiteral("rails"), settings->rails, tr("rail of a NIC = its index mod rails"));
    if (planned->tiers > 1) {
        addNumber(tr("Leaf ports down"), QStringLiteral("leaf_down"), planned->leafDown, text(formatBandwidth(settings->linkSpeed)));
        addNumber(tr("Leaf ports up"), QStringLiteral("leaf_up"), planned->leafUp, text(formatBandwidth(settings->uplinkSpeed)));
        addNumber(planned->tiers == 2 ? tr("Spines") : tr("Spines in a pod"), QStringLiteral("spines"), planned->spinesPerPod,
                  tr("the smallest count that divides the uplinks, unless set"));
    }
    addFact(tr("HB domain"),
            tr("%1 GPUs, %2 GB/s each way").arg(settings->hbDomainGpus).arg(inGbytesPerSecond(settings->hbBandwidth), 0, 'g', 5));
}

void InspectorPanel::addPartChoice(const QString& current) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(tr("Part"));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const auto& [id, part] : m_document.now().design->catalog->parts())
        if (part.as<SwitchPart>()) choice->addItem(text(part.name), text(id));
    choice->setCurrentIndex(choice->findData(current));
    connect(choice, &QComboBox::activated, this, [this, choice] {
        const std::string part = choice->currentData().toString().toStdString();
        QMetaObject::invokeMethod(
            this, [this, part] { apply(setPart(*m_document.now().design, m_paths, part)); }, Qt::QueuedConnection);
    });
    m_form->addRow(tr("Switch"), choice);
}

// Where the device stands; typing another rack or unit mounts it there.
void InspectorPanel::addRackPlace() {
    const Snapshot& now = m_document.now();
    for (const Chassis& chassis : now.floor.chassis) {
        if (chassis.rack == none || chassisPath(*now.fabric, chassis) != m_paths.front()) continue;
        addEdit(tr("Rack"), text(now.floor.racks[chassis.rack].label), "set " + m_paths.front() + ".rack=");
        addEdit(tr("Lowest unit (U)"), QString::number(chassis.unit), "set " + m_paths.front() + ".u=");
        return;
    }
}

void InspectorPanel::addEdit(const QString& name, const QString& value, const std::string& command) {
    auto* field = new QLineEdit(value);
    field->setAccessibleName(name);
    field->setAlignment(Qt::AlignRight);
    connect(field, &QLineEdit::editingFinished, this, [this, field, value, command] {
        const std::string wanted = field->text().trimmed().toStdString();
        if (wanted == value.toStdString()) return;
        QMetaObject::invokeMethod( // the field is rebuilt by the edit
            this, [this, command, wanted] { apply(applyEdit(m_document.now().design, command + wanted)); }, Qt::QueuedConnection);
    });
    m_form->addRow(name, field);
}

void InspectorPanel::showDevices() {
    const Fabric& fabric = *m_document.now().fabric;
    const PathFinder finder(fabric);
    m_title->setText(m_paths.size() == 1 ? text(m_paths.front()).replace(QLatin1Char('/'), QStringLiteral(" › "))
                                         : tr("%1 elements").arg(m_paths.size()));
    bool switches = true;
    std::string part;
    std::int64_t used = 0, ports = 0;
    for (const std::string& path : m_paths) {
        const auto device = finder.device(path);
        switches = switches && device && fabric.devices.kind[*device] == DeviceKind::Switch;
        if (device) part = fabric.partIds[fabric.devices.part[*device]], ports += fabric.portCount(*device);
    }
    if (m_paths.size() == 1) {
        const auto device = finder.device(m_paths.front());
        const auto scope = device ? std::nullopt : finder.scope(m_paths.front());
        if (!device && !scope) return m_subtitle->setText(tr("not in the design"));
        const Part* chosen = device ? fabric.partOf(*device) : nullptr;
        if (scope) {
            for (std::size_t s = 0; s < fabric.servers.size(); ++s)
                if (fabric.servers[s] == *scope) chosen = fabric.parts[fabric.serverParts[s]];
        }
        QString line = device ? text(std::string(toText(fabric.devices.tier[*device]))) : tr("server");
        if (device && fabric.devices.rail[*device] > 0) line += tr(" · rail %1").arg(fabric.devices.rail[*device]);
        m_subtitle->setText(chosen ? line + QStringLiteral(" · ") + text(chosen->name) : line);
        if (device)
            for (std::size_t l = 0; l < fabric.links.size(); ++l)
                used += fabric.isNetworkLink(l) && (fabric.links.a[l] == *device || fabric.links.b[l] == *device);
        if (chosen && chosen->price && chosen->price->base)
            addFact(tr("List price"), text(formatMoney(*chosen->price->base)) + tr(" (%1)").arg(text(chosen->price->date)));
        if (chosen && chosen->typicalElseMaximum())
            addFact(chosen->typical ? tr("Power, typical") : tr("Power, maximum"), text(formatWatts(*chosen->typicalElseMaximum())));
    } else {
        m_subtitle->setText(switches ? tr("switches") : tr("mixed kinds"));
    }
    if (switches) {
        addPartChoice(text(part));
        if (m_paths.size() == 1) addFact(tr("Ports used"), tr("%1 of %2").arg(used).arg(ports));
    }
    if (m_paths.size() == 1) addRackPlace();
    bool overridden = false;
    for (const std::string& path : m_paths) overridden = overridden || m_document.now().design->overrides.contains(path);
    if (overridden) {
        auto* back = new QPushButton(tr("Back to the recipe"));
        connect(back, &QPushButton::clicked, this, [this] {
            QMetaObject::invokeMethod(
                this, [this] { apply(backToRecipe(*m_document.now().design, m_paths)); }, Qt::QueuedConnection);
        });
        m_form->addRow(back);
    }
}

} // namespace railyard
