#include "widgets/panels/findings_panel.h"

#include "core/analysis/edit_text.h"
#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

FindingsPanel::FindingsPanel(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_tokens(lightTokens()) {
    m_list = new QVBoxLayout(this);
    m_list->setContentsMargins(12, 8, 12, 8);
    m_list->setSpacing(4);
    connect(&document, &Document::changed, this, [this] { refresh(); });
    refresh();
}

void FindingsPanel::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    refresh();
}

void FindingsPanel::refresh() {
    while (QLayoutItem* item = m_list->takeAt(0)) {
        if (QWidget* widget = item->widget()) { // deleted later, because it may be the button whose signal is being handled
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    const std::vector<Diagnostic>& findings = m_document.now().findings();
    int counts[3] = {0, 0, 0}, approved = 0;
    for (const Diagnostic& finding : findings) ++(finding.approved.empty() ? counts[static_cast<int>(finding.severity)] : approved);
    QString words = findings.empty() ? tr("No findings")
                                     : QStringList{counts[2] == 1 ? tr("1 error") : tr("%1 errors").arg(counts[2]),
                                                   counts[1] == 1 ? tr("1 warning") : tr("%1 warnings").arg(counts[1]),
                                                   counts[0] == 1 ? tr("1 note") : tr("%1 notes").arg(counts[0])}
                                           .join(QStringLiteral(" · "));
    if (approved > 0) words += tr(" · %1 approved").arg(approved);
    const QString worst = counts[2] > 0   ? counted(counts[2], tr("%1 error"), tr("%1 errors"))
                          : counts[1] > 0 ? counted(counts[1], tr("%1 warning"), tr("%1 warnings"))
                                          : QString();
    emit titleChanged(worst.isEmpty() ? tr("Findings") : tr("Findings · %1").arg(worst));
    auto* summary = plainLabel(words);
    summary->setProperty("dim", true);
    summary->setObjectName(QStringLiteral("findings-summary"));
    m_list->addWidget(summary);
    constexpr std::size_t most = 40;
    for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
        const Diagnostic& finding = findings[i];
        const bool open = finding.approved.empty();
        const QColor color = open && finding.severity == Severity::Error     ? m_tokens.danger
                             : open && finding.severity == Severity::Warning ? m_tokens.warn
                                                                             : m_tokens.text2;
        const QString mark = !open                                   ? QStringLiteral("✓")
                             : finding.severity == Severity::Error   ? QStringLiteral("✕")
                             : finding.severity == Severity::Warning ? QStringLiteral("▲")
                                                                     : QStringLiteral("ⓘ");
        const QString below = QString::fromStdString(open ? finding.hint : finding.approved);
        auto* text = richLabel(RichText::filled(
            QStringLiteral("<span style='color:%1'>%2</span>&nbsp; <b>%3</b><br><span style='color:%4'>%5</span>"), color.name(), mark,
            QString::fromStdString(finding.text), m_tokens.text2.name(), open ? below : tr("Approved: %1").arg(below)));
        text->setWordWrap(true);
        setToolTipOf(*text, QString::fromStdString(finding.code));
        m_list->addWidget(text);
        if (QWidget* actions = actionsOf(finding)) m_list->addWidget(actions);
    }
    if (findings.size() > most)
        m_list->addWidget(
            plainLabel(tr("%1 more findings are not shown. Run railyard-cli check to list all of them.").arg(findings.size() - most)));
    m_list->addStretch();
}

// A fix that takes something away is called by what it does.
static QString fixText(const std::string& command) {
    const QString rest = QString::fromStdString(command.substr(std::min(command.size(), command.find(' ') + 1)));
    if (command.starts_with("remove ")) return FindingsPanel::tr("Delete %1").arg(rest);
    if (command.starts_with("disconnect ")) return FindingsPanel::tr("Remove the cable");
    if (command.starts_with("reset ")) return FindingsPanel::tr("Revert to recipe");
    return FindingsPanel::tr("Fix");
}

QWidget* FindingsPanel::actionsOf(const Diagnostic& finding) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    const QString code = QString::fromStdString(finding.code);
    const auto add = [&](const QString& text, const QString& name, auto slot) {
        auto* button = new QPushButton(text);
        button->setProperty("link", true);
        button->setAccessibleName(name);
        connect(button, &QPushButton::clicked, this, slot, Qt::QueuedConnection); // queued, because the slot rebuilds the panel
        layout->addWidget(button);
    };
    if (finding.subject.find('[') != std::string::npos) {
        const QString path = QString::fromStdString(finding.subject.substr(0, finding.subject.find(':')));
        add(tr("Locate"), tr("Locate %1").arg(path), [this, path] { emit locate(path); });
    }
    if (!finding.approved.empty()) {
        add(tr("Withdraw approval"), tr("Withdraw approval of %1").arg(code), [this, finding] { withdraw(finding); });
    } else {
        if (!finding.fix.empty())
            add(fixText(finding.fix), tr("Fix %1: %2").arg(code, QString::fromStdString(finding.fix)),
                [this, finding] { apply(applyEdit(m_document.now().design, finding.fix)); });
        if (finding.severity != Severity::Note) add(tr("Approve…"), tr("Approve %1").arg(code), [this, finding] { askToApprove(finding); });
    }
    layout->addStretch();
    if (layout->count() > 1) return row;
    delete row;
    return nullptr;
}

void FindingsPanel::apply(const Result<Edit>& edit) {
    QString reason;
    if (!m_document.apply(edit, &reason)) emit refused(reason);
}

void FindingsPanel::askToApprove(const Diagnostic& finding) {
    const QString reason = askText(this, tr("Approve %1").arg(QString::fromStdString(finding.code)),
                                   tr("%1\n\nReason for the approval (saved in the design):").arg(QString::fromStdString(finding.text)));
    if (!reason.trimmed().isEmpty())
        apply(approve(*m_document.now().design, {finding.code, finding.subject, reason.trimmed().toStdString()}));
}

// An approval covers one subject, or every finding with the same code.
void FindingsPanel::withdraw(const Diagnostic& finding) {
    const Design& design = *m_document.now().design;
    auto edit = approve(design, {finding.code, finding.subject, {}});
    apply(edit ? edit : approve(design, {finding.code, {}, {}}));
}

} // namespace railyard
