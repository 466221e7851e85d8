// Callouts: asking for their words and pictures.
#include "app/main_window.h"
#include "widgets/pictures/pictures.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

namespace railyard {

void MainWindow::askCallout(Callout callout) {
    if (callout.kind == Callout::Kind::Logo) {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Picture of the logo"), {}, tr("Pictures (*.png *.jpg *.jpeg *.svg *.bmp *.webp)"));
        if (path.isEmpty()) return;
        const auto picture = pictureAsText(path);
        if (!picture) return report(picture.error(), tr("The logo is not added"));
        callout.picture = PictureText(*picture);
        callout.text = QFileInfo(path).completeBaseName().toStdString();
    } else {
        bool accepted = false;
        const QString words = QInputDialog::getMultiLineText(this, tr("Callout"), tr("Text on the drawing"), {}, &accepted).trimmed();
        if (!accepted || words.isEmpty()) return;
        callout.text = words.toStdString();
    }
    QString reason;
    if (!m_document.apply(addCallout(*m_document.now().design, callout), &reason)) say(reason);
}

void MainWindow::openCallout(int index) {
    const auto& all = m_document.now().design->callouts;
    if (static_cast<std::size_t>(index) >= all.size()) return;
    Callout callout = all[static_cast<std::size_t>(index)];
    if (callout.kind == Callout::Kind::Legend || callout.kind == Callout::Kind::Logo) return;
    bool accepted = false;
    const QString words =
        QInputDialog::getMultiLineText(this, tr("Callout"), tr("Text on the drawing"), QString::fromStdString(callout.text), &accepted)
            .trimmed();
    if (!accepted || words.toStdString() == callout.text) return;
    callout.text = words.toStdString();
    QString reason;
    if (!m_document.apply(changeCallout(*m_document.now().design, static_cast<std::size_t>(index), callout), &reason)) say(reason);
}

} // namespace railyard
