#include "widgets/panels/findings_panel.h"

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
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    const std::vector<Diagnostic>& findings = m_document.now().findings;
    int counts[3] = {0, 0, 0}, approved = 0;
    for (const Diagnostic& finding : findings) ++(finding.approved.empty() ? counts[static_cast<int>(finding.severity)] : approved);
    QString words =
        findings.empty() ? tr("No findings") : tr("%1 errors · %2 warnings · %3 notes").arg(counts[2]).arg(counts[1]).arg(counts[0]);
    if (approved > 0) words += tr(" · %1 approved").arg(approved);
    auto* summary = new QLabel(words);
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
        auto* text = new QLabel(QStringLiteral("<span style='color:%1'>%2</span>&nbsp; <b>%3</b><br><span style='color:%4'>%5</span>")
                                    .arg(color.name(), mark, QString::fromStdString(finding.text).toHtmlEscaped(), m_tokens.text2.name(),
                                         (open ? below : tr("approved: %1").arg(below)).toHtmlEscaped()));
        text->setWordWrap(true);
        text->setToolTip(QString::fromStdString(finding.code));
        m_list->addWidget(text);
        if (!finding.subject.empty() && finding.subject.find('[') != std::string::npos) {
            auto* button = new QPushButton(tr("Locate"));
            button->setProperty("link", true);
            const QString path = QString::fromStdString(finding.subject.substr(0, finding.subject.find(':')));
            button->setAccessibleName(tr("Locate %1").arg(path));
            connect(button, &QPushButton::clicked, this, [this, path] { emit locate(path); });
            m_list->addWidget(button);
        }
    }
    if (findings.size() > most)
        m_list->addWidget(new QLabel(tr("and %1 more; `railyard-cli check` lists them all").arg(findings.size() - most)));
    m_list->addStretch();
}

} // namespace railyard
