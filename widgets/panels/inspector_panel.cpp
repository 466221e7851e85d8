#include "widgets/panels/inspector_panel.h"

#include "core/analysis/cable_edits.h"
#include "core/analysis/edit_text.h"
#include "core/base/expression.h"
#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"
#include "widgets/document/error_words.h"
#include "widgets/panels/block_section.h"
#include "widgets/panels/cable_section.h"
#include "widgets/panels/callout_section.h"
#include "widgets/panels/server_section.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <set>

namespace railyard {
namespace {

QString nameOf(Instance::Role role) {
    switch (role) {
    case Instance::Role::ScalableUnit: return InspectorPanel::tr("scalable unit");
    case Instance::Role::Pod: return InspectorPanel::tr("pod");
    case Instance::Role::Rail: return InspectorPanel::tr("rail");
    case Instance::Role::Plane: return InspectorPanel::tr("plane");
    case Instance::Role::HbDomain: return InspectorPanel::tr("HB domain");
    case Instance::Role::Server: return InspectorPanel::tr("server");
    case Instance::Role::Plain: break;
    }
    return InspectorPanel::tr("block");
}

// Overrides whose element the recipe no longer creates. Each of them is also reported as a finding.
std::vector<std::string> orphansOf(const Snapshot& now) {
    std::vector<std::string> paths;
    for (const Diagnostic& finding : now.findings())
        if (finding.code == "RY-D014") paths.push_back(finding.subject);
    return paths;
}
} // namespace

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_scopes(new EditScopes(document, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(6);
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ObjectName));
    m_title->setWordWrap(true);
    m_subtitle = plainLabel();
    m_subtitle->setProperty("dim", true);
    m_subtitle->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_subtitle);
    m_body = new InspectorForm({});
    layout->addWidget(m_body);
    m_error = plainLabel();
    m_error->setObjectName(QStringLiteral("inspector-error"));
    m_error->setProperty("danger", true);
    m_error->setWordWrap(true);
    m_error->hide();
    layout->addWidget(m_error);
    layout->addStretch();
    connect(&document, &Document::changed, this, [this] { refresh(); });
    refresh();
}

void InspectorPanel::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    refresh();
}

void InspectorPanel::showSelection(const std::vector<std::string>& paths) {
    if (paths != m_paths) m_scope = EditScope::This;
    m_paths = paths;
    refresh();
}

void InspectorPanel::setScope(EditScope scope) {
    m_scope = scope;
    refresh();
}

// Focuses the name field of an element, or the text field of a callout.
void InspectorPanel::editName() {
    for (const char* name : {"name", "callout-text"})
        if (auto* field = m_body->findChild<QLineEdit*>(QLatin1String(name))) {
            field->setFocus(Qt::ShortcutFocusReason);
            return field->selectAll();
        }
    emit refused(tr("Select an element to rename."));
}

void InspectorPanel::apply(const Result<Edit>& edit) {
    QString reason;
    if (m_document.apply(edit, &reason)) return;
    emit refused(reason);
    refresh();
}

// Rebuilds all fields. If one of them had the focus, its replacement gets it.
void InspectorPanel::refresh() {
    const QWidget* focus = m_body->isAncestorOf(focusWidget()) && focusWidget()->hasFocus() ? focusWidget() : nullptr;
    const QString had = focus ? focus->objectName() : QString();
    m_error->hide();
    delete m_body;
    m_body = new InspectorForm([this](const Result<Edit>& edit) { apply(edit); });
    connect(m_body, &InspectorForm::refused, this, [this](const QString& reason) {
        m_error->setText(reason);
        m_error->show();
        emit refused(reason);
    });
    static_cast<QVBoxLayout*>(layout())->insertWidget(2, m_body);
    m_affected = inScope(*m_document.now().fabric, m_paths, m_scope);
    emit affectedChanged(m_scope == EditScope::This ? std::vector<std::string>() : m_affected);
    m_scopes->select(m_paths, m_scope);
    if (m_paths.size() == 1 && isPort(m_paths.front()))
        showPort();
    else
        m_paths.empty() ? showRecipe() : showDevices();
    emit scopesChanged();
    auto* field = had.isEmpty() ? nullptr : m_body->findChild<QLineEdit*>(had);
    if (!field) return;
    field->setFocus();
    field->selectAll();
}

void InspectorPanel::addNumber(const QString& name, const QString& key, int value, const QString& unit) {
    const auto edit = [this, key = key.toStdString(), value](const std::string& text) -> Result<Edit> {
        if (text == "auto" && key != "servers") return setParameters(*m_document.now().design, {{key, ""}}); // as the recipe chooses
        const auto count = evaluateCount(text, value);
        if (!count) return count.errors();
        if (key != "servers") return setParameters(*m_document.now().design, {{key, std::to_string(*count)}});
        return setServers(*m_document.now().design, static_cast<int>(std::min<std::int64_t>(*count, std::numeric_limits<int>::max())));
    };
    setToolTipOf(*m_body->addField(name, QStringLiteral("parameter-") + key, QString::number(value), edit),
                 tr("%1. Accepts expressions such as 96 + 32, *1.1, +4 or 50%, and auto.").arg(unit));
}

void InspectorPanel::showRecipe() {
    const Design& design = *m_document.now().design;
    m_title->setText(text(design.name));
    if (!design.recipe) {
        m_subtitle->setText(isEmpty(design) ? tr("Empty. Drag a server onto the drawing, or start from a sample.")
                                            : tr("Hand-drawn design"));
        return;
    }
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!planned) return m_subtitle->setText(wordsOf(planned.error()));
    m_subtitle->setText(
        (planned->tiers == 1 ? tr("%1 · %2 tier") : tr("%1 · %2 tiers")).arg(text(design.recipe->name)).arg(planned->tiers));
    addNumber(labelOfParameter("servers"), QStringLiteral("servers"), settings->servers, tr("Total number of servers"));
    m_body->addFact(tr("Server part"), text(settings->server->name));
    m_body->addFact(tr("Switch"), text(settings->leafSwitch->name));
    addNumber(labelOfParameter("su_servers"), QStringLiteral("su_servers"), planned->suServers,
              tr("Servers that share the leaves of one SU"));
    addNumber(labelOfParameter("rails"), QStringLiteral("rails"), settings->rails,
              tr("Number of rails; a NIC belongs to rail (NIC index mod rails)"));
    if (planned->tiers > 1) {
        addNumber(labelOfParameter("leaf_down"), QStringLiteral("leaf_down"), planned->leafDown,
                  tr("Downlink ports per leaf at %1").arg(text(formatBandwidth(settings->linkSpeed))));
        addNumber(labelOfParameter("leaf_up"), QStringLiteral("leaf_up"), planned->leafUp,
                  tr("Uplink ports per leaf at %1").arg(text(formatBandwidth(settings->uplinkSpeed))));
        addNumber(planned->tiers == 2 ? labelOfParameter("spines") : tr("Spines per pod"), QStringLiteral("spines"), planned->spinesPerPod,
                  tr("Number of spines; default: the smallest count that divides the uplinks evenly"));
    }
    std::vector<std::string> overridden; // includes removed elements, which cannot be selected
    for (const auto& [path, change] : design.overrides) overridden.push_back(path);
    if (!overridden.empty()) {
        const auto removed =
            std::count_if(design.overrides.begin(), design.overrides.end(), [](const auto& own) { return own.second.remove; });
        m_body->addFact(tr("Overrides"), removed > 0
                                             ? tr("%1 · %2").arg(counted(static_cast<std::ptrdiff_t>(overridden.size()) - removed,
                                                                         tr("%1 change"), tr("%1 changes")),
                                                                 counted(removed, tr("%1 removal"), tr("%1 removals")))
                                             : counted(static_cast<std::int64_t>(overridden.size()), tr("%1 change"), tr("%1 changes")));
        m_body->addButton(tr("Revert all overrides"), [this, overridden] { return backToRecipe(*m_document.now().design, overridden); });
    }
    if (const std::vector<std::string> orphans = orphansOf(m_document.now()); !orphans.empty()) {
        m_body->addFact(tr("Orphaned overrides"), tr("%1 (elements no longer exist)").arg(orphans.size()));
        m_body->addButton(tr("Remove orphaned overrides"),
                          [this] { return dropChanges(*m_document.now().design, orphansOf(m_document.now())); });
    }
    m_body->addFact(
        tr("HB domain"),
        tr("%1 GPUs, %2 GB/s per direction").arg(settings->hbDomainGpus).arg(inGbytesPerSecond(settings->hbBandwidth), 0, 'g', 5));
}

void InspectorPanel::addPartChoice(const QString& current) {
    auto* choice = new QComboBox;
    choice->setAccessibleName(tr("Part"));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const auto& [id, part] : m_document.now().design->catalog->parts())
        if (part.as<SwitchPart>()) choice->addItem(text(switchText(part)), text(id));
    choice->setPlaceholderText(tr("Several parts"));
    choice->setCurrentIndex(choice->findData(current));
    connect(choice, &QComboBox::activated, this, [this, choice] {
        const std::string part = choice->currentData().toString().toStdString();
        QMetaObject::invokeMethod(
            this, [this, part] { apply(setPart(*m_document.now().design, m_affected, part)); }, Qt::QueuedConnection);
    });
    m_body->addControl(tr("Switch"), choice);
}

// The rack position of the device; a new rack or unit moves it there.
void InspectorPanel::addRackPlace() {
    const Snapshot& now = m_document.now();
    for (const Chassis& chassis : now.floor().chassis) {
        if (chassis.rack == none || chassisPath(*now.fabric, chassis) != m_paths.front()) continue;
        const auto set = [this](const char* key) {
            return [this, command = "set " + m_paths.front() + "." + key + "="](const std::string& wanted) {
                return applyEdit(m_document.now().design, command + wanted);
            };
        };
        m_body->addField(tr("Rack"), QStringLiteral("rack"), text(now.floor().racks[chassis.rack].label), set("rack"));
        m_body->addField(tr("Lowest unit (U)"), QStringLiteral("unit"), QString::number(chassis.unit), set("u"));
        return;
    }
}

// One name for a single element, or a pattern in which # becomes the number of each element.
void InspectorPanel::addNames() {
    const auto& overrides = m_document.now().design->overrides;
    std::set<std::string> labels;
    for (const std::string& path : m_affected) {
        const auto found = overrides.find(path);
        labels.insert(found == overrides.end() ? "" : found->second.label);
    }
    const bool mixed = labels.size() > 1;
    auto* field = m_body->addField(
        tr("Name"), QStringLiteral("name"), mixed ? QString() : text(*labels.begin()), [this](const std::string& wanted) -> Result<Edit> {
            const QString name = text(wanted);
            if (m_affected.size() > 1 && !name.isEmpty() && !name.contains(QLatin1Char('#')))
                return Error::usage("A name for several elements needs a #, which is replaced by a number, as in leaf-#.");
            std::map<std::string, std::string> changes;
            for (std::size_t i = 0; i < m_affected.size(); ++i)
                changes[m_affected[i]] = QString(name).replace(QLatin1Char('#'), QString::number(i + 1)).toStdString();
            return labelElements(*m_document.now().design, changes);
        });
    field->setPlaceholderText(mixed ? tr("Several names") : m_affected.size() > 1 ? tr("leaf-#") : tr("Path"));
}

// What stands in the selected server, if it is one.
void InspectorPanel::addServer() {
    const Snapshot& now = m_document.now();
    auto facts = serverFactsAt(*now.fabric, *now.cabling, m_paths.front());
    if (!facts) return;
    addServerSection(*m_body, std::move(*facts), m_tokens, static_cast<int>(now.instant.counts.rails),
                     [this](const std::string& port) { emit locateAsked(text(port)); });
}

void InspectorPanel::showPort() {
    const Fabric& fabric = *m_document.now().fabric;
    m_title->setText(text(m_paths.front()).replace(QLatin1Char('/'), QStringLiteral(" › ")));
    m_subtitle->setText(cableAt(fabric, m_paths.front()) ? tr("cable") : tr("free port"));
    addCableSection(*m_body, m_document, m_paths.front(), [this](CableAct act) { emit cableAsked(act); });
}

void InspectorPanel::showDevices() {
    if (const auto callout = m_paths.size() == 1 ? calloutAt(*m_document.now().design, m_paths.front()) : std::nullopt) {
        m_title->setText(text(m_paths.front()));
        m_subtitle->setText(tr("%1 callout").arg(text(std::string(toText(m_document.now().design->callouts[*callout].kind)))));
        return addCalloutSection(*m_body, m_document, *callout);
    }
    const Fabric& fabric = *m_document.now().fabric;
    const PathFinder finder(fabric);
    m_title->setText(m_paths.size() == 1 ? text(m_paths.front()).replace(QLatin1Char('/'), QStringLiteral(" › "))
                                         : tr("%1 elements").arg(m_paths.size()));
    bool switches = true, servers = true;
    std::set<std::string> parts;
    std::int64_t used = 0, ports = 0;
    for (const std::string& path : m_paths) {
        const auto device = finder.device(path);
        const auto scope = device ? std::nullopt : finder.scope(path);
        servers = servers && scope && fabric.scopes[*scope].role == Instance::Role::Server;
        switches = switches && device && fabric.devices.routes(*device);
        if (device) parts.insert(fabric.partIds[fabric.devices.part[*device]]), ports += fabric.portCount(*device);
    }
    if (m_paths.size() == 1) {
        const auto device = finder.device(m_paths.front());
        const auto scope = device ? std::nullopt : finder.scope(m_paths.front());
        if (!device && !scope) return m_subtitle->setText(tr("Not in the design"));
        const Part* chosen = device ? fabric.partOf(*device) : nullptr;
        if (scope) {
            for (std::size_t s = 0; s < fabric.servers.size(); ++s)
                if (fabric.servers[s] == *scope) chosen = fabric.parts[fabric.serverParts[s]];
        }
        QString line = device ? text(std::string(toText(fabric.devices.tier[*device]))) : nameOf(fabric.scopes[*scope].role);
        if (device && fabric.devices.rail[*device] > 0) line += tr(" · rail %1").arg(fabric.devices.rail[*device]);
        m_subtitle->setText(chosen ? line + QStringLiteral(" · ") + text(chosen->name) : line);
        if (device)
            for (const LinkId l : fabric.links.ids())
                used += fabric.isNetworkLink(l) && (fabric.links.a[l] == *device || fabric.links.b[l] == *device);
        if (chosen && chosen->price && chosen->price->base)
            m_body->addFact(tr("List price"), text(formatMoney(*chosen->price->base)) + tr(" (%1)").arg(text(chosen->price->date)));
        if (chosen && chosen->typicalElseMaximum())
            m_body->addFact(chosen->typical ? tr("Typical power") : tr("Maximum power"), text(formatWatts(*chosen->typicalElseMaximum())));
    } else {
        m_subtitle->setText(switches ? tr("Switches") : servers ? tr("Servers") : tr("Several kinds"));
    }
    if (switches) {
        addPartChoice(parts.size() == 1 ? text(*parts.begin()) : QString());
        if (m_paths.size() == 1) m_body->addFact(tr("Ports used"), tr("%1 of %2").arg(used).arg(ports));
    }
    if (m_paths.size() == 1) addServer();
    if (m_paths.size() == 1) addRackPlace();
    addNames();
    addBlockSection(*m_body, m_document, {m_paths, m_affected, m_scope}, [this](const std::string& path) { emit dissolveAsked(path); });
}

} // namespace railyard
