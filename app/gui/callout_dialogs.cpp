#include "app/gui/callout_dialogs.h"

#include "widgets/document/document_folder.h"
#include "widgets/export/pictures.h"
#include "widgets/theme/plain_text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace railyard {

void CalloutDialogs::ask(Callout callout) {
    if (callout.kind == Callout::Kind::Logo) {
        const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open logo"), folderOf(m_document),
                                                          tr("Images (*.png *.jpg *.jpeg *.svg *.bmp *.webp)"));
        if (path.isEmpty()) return;
        const auto picture = pictureAsText(path);
        if (!picture) return warn(&m_window, tr("The logo was not added"), QString::fromStdString(toText(picture.error())));
        callout.picture = SharedText(*picture);
        callout.text = QFileInfo(path).completeBaseName().toStdString();
    } else {
        const QString words = askText(&m_window, tr("Callout"), tr("Callout text"), {}, true).trimmed();
        if (words.isEmpty()) return;
        callout.text = words.toStdString();
    }
    QString reason;
    if (!m_document.apply(addCallout(*m_document.now().design, callout), &reason)) emit refused(reason);
}

void CalloutDialogs::open(int index) {
    const auto& all = m_document.now().design->callouts;
    if (static_cast<std::size_t>(index) >= all.size()) return;
    Callout callout = all[static_cast<std::size_t>(index)];
    if (callout.kind == Callout::Kind::Legend || callout.kind == Callout::Kind::Logo) return;
    const QString words = askText(&m_window, tr("Callout"), tr("Callout text"), QString::fromStdString(callout.text), true);
    if (words.isNull() || words.trimmed().toStdString() == callout.text) return;
    callout.text = words.trimmed().toStdString();
    QString reason;
    if (!m_document.apply(changeCallout(*m_document.now().design, static_cast<std::size_t>(index), callout), &reason)) emit refused(reason);
}

} // namespace railyard
