#include "widgets/panels/breadcrumb.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace railyard {

Breadcrumb::Breadcrumb(Document& document, QWidget* parent)
    : QFrame(parent),
      m_document(document),
      m_row(new QHBoxLayout(this)),
      m_kind(plainLabel()) {
    setObjectName(QStringLiteral("breadcrumb"));
    setProperty("crumbs", true);
    setAccessibleName(tr("Place of the selection"));
    setFixedHeight(32);
    m_row->setContentsMargins(12, 0, 12, 0);
    m_kind->setProperty("dim", true);
    m_kind->setObjectName(QStringLiteral("breadcrumb-kind"));
    m_row->addStretch(1);
    m_row->addWidget(m_kind);
    connect(&document, &Document::changed, this, [this] { refresh(); });
    refresh();
}

void Breadcrumb::showSelection(const std::vector<std::string>& paths) {
    if (paths == m_paths) return;
    m_paths = paths;
    refresh();
}

void Breadcrumb::refresh() {
    const Snapshot& now = m_document.now();
    if (m_parts) m_parts->deleteLater();
    m_parts = new QWidget;
    auto* row = new QHBoxLayout(m_parts);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const auto add = [&](const QString& words, const std::string& path, bool isLast) {
        if (row->count() > 0) {
            auto* mark = plainLabel(QStringLiteral("›"));
            mark->setProperty("dim", true);
            row->addWidget(mark);
        }
        if (isLast) {
            QLabel* label = plainLabel(words);
            QFont bold = label->font();
            bold.setBold(true);
            label->setFont(bold);
            row->addWidget(label);
            return;
        }
        auto* link = new QPushButton(words);
        link->setProperty("link", true);
        link->setAccessibleName(tr("Show %1").arg(words));
        connect(
            link, &QPushButton::clicked, this, [this, path] { emit asked(path); },
            Qt::QueuedConnection); // queued, because it may rebuild this row
        row->addWidget(link);
    };
    add(text(now.design->name), {}, m_paths.empty());
    if (m_paths.size() > 1) {
        add(tr("%1 elements").arg(text(formatCount(static_cast<std::int64_t>(m_paths.size())))), {}, true);
    } else if (m_paths.size() == 1) {
        const std::string& path = m_paths.front();
        for (std::size_t from = 0; from != std::string::npos;) {
            const std::size_t slash = path.find('/', from);
            add(text(path.substr(from, slash == std::string::npos ? slash : slash - from)), path.substr(0, slash),
                slash == std::string::npos);
            from = slash == std::string::npos ? slash : slash + 1;
        }
    }
    m_row->insertWidget(0, m_parts);
    QStringList kind;
    kind << (now.design->recipe ? text(now.design->recipe->name) : tr("Hand-drawn"));
    const int tiers = now.instant.counts.tiers;
    kind << (tiers == 1 ? tr("%1 tier") : tr("%1 tiers")).arg(tiers);
    m_kind->setText(now.instant.counts.switches > 0 ? kind.join(QStringLiteral(" · ")) : QString());
}

} // namespace railyard
