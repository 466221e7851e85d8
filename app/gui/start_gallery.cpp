#include "app/gui/start_gallery.h"

#include "app/gui/files.h"
#include "core/io/document/design_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/gallery.h"

#include <QEvent>
#include <algorithm>

namespace railyard {

StartGallery::StartGallery(Document& document, Canvas& canvas, QWidget* window)
    : QObject(window),
      m_document(document),
      m_canvas(canvas),
      m_window(window),
      m_tokens(lightTokens()) {
    connect(&document, &Document::changed, this, &StartGallery::refresh);
    canvas.installEventFilter(this);
    window->installEventFilter(this);
}

void StartGallery::place() {
    m_gallery->move((m_canvas.width() - m_gallery->width()) / 2, std::max(8, (m_canvas.height() - m_gallery->height()) / 2));
}

bool StartGallery::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_canvas && event->type() == QEvent::Resize && m_gallery) place();
    if (watched == m_window && event->type() == QEvent::Show)
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

void StartGallery::refresh() {
    const bool wanted = isEmpty(*m_document.now().design) && m_window->isVisible();
    if (!wanted) {
        delete m_gallery;
        m_gallery = nullptr;
        return;
    }
    if (m_gallery) return;
    const QStringList names{QStringLiteral("superpod-h100-4su"), QStringLiteral("superpod-h100-16su"),
                            QStringLiteral("rail-only-h100-16su"), QStringLiteral("hand-drawn")};
    std::vector<DesignPointer> samples;
    QStringList paths;
    for (const QString& name : names) {
        const QString path = sampleFile(name + QStringLiteral(".railyard"));
        const auto design = path.isEmpty() ? Result<DesignPointer>(Error::file("", "")) : loadDesign(path.toStdString());
        if (!design) continue;
        samples.push_back(*design);
        paths << path;
    }
    m_gallery = new Gallery(samples, m_tokens, &m_canvas);
    // Queued, because the gallery is deleted meanwhile.
    connect(
        m_gallery, &Gallery::chosen, this, [this, paths](int entry) { emit sampleAsked(paths[entry]); }, Qt::QueuedConnection);
    connect(m_gallery, &Gallery::newFabricAsked, this, &StartGallery::newFabricAsked, Qt::QueuedConnection);
    m_gallery->adjustSize();
    place();
    m_gallery->show();
}

} // namespace railyard
