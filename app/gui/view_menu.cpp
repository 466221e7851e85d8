#include "app/gui/view_menu.h"

#include "app/gui/link_modes.h"
#include "widgets/canvas/canvas.h"
#include "widgets/theme/plain_text.h"

#include <QAction>

namespace railyard {

ViewMenu::ViewMenu(Document& document, Canvas& canvas, LinkModes& modes, QWidget* parent)
    : QMenu(tr("&View"), parent),
      m_document(document),
      m_canvas(canvas) {
    addZoom();
    addDetail();
    modes.addTo(*this);
    addSaved();
    addLayers();
    addSeparator();
    m_darkAction = addAction(tr("&Dark theme"));
    m_darkAction->setCheckable(true);
    connect(m_darkAction, &QAction::toggled, this, &ViewMenu::darkAsked);
    QAction* docks = addAction(tr("Hide pa&nels"), this, &ViewMenu::panelsAsked);
    docks->setShortcut(Qt::Key_F11);
    setToolTipOf(*docks, tr("Shows only the drawing."));
    addSeparator();
}

void ViewMenu::addZoom() {
    const auto add = [&](const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add(tr("&Fit design"), Qt::Key_F, [this] { m_canvas.fit(); });
    add(tr("Fit &selection"), Qt::SHIFT | Qt::Key_F, [this] { m_canvas.fitSelection(); });
    add(tr("Zoom &in"), QKeySequence::ZoomIn, [this] { m_canvas.zoomBy(1.25); });
    add(tr("Zoom &out"), QKeySequence::ZoomOut, [this] { m_canvas.zoomBy(0.8); });
}

void ViewMenu::addDetail() {
    QAction* unfold = addAction(tr("&Unfold identical SUs"));
    unfold->setCheckable(true);
    unfold->setShortcut(Qt::Key_U);
    QAction* elide = addAction(tr("&Elided style (1, 2 … last)"));
    elide->setCheckable(true);
    elide->setShortcut(Qt::SHIFT | Qt::Key_U);
    connect(unfold, &QAction::triggered, &m_canvas, [this](bool on) { m_canvas.setDetail(on ? Detail::Full : Detail::Folded); });
    connect(elide, &QAction::triggered, &m_canvas, [this](bool on) { m_canvas.setDetail(on ? Detail::Elided : Detail::Folded); });
    connect(&m_canvas, &Canvas::detailChanged, this, [unfold, elide](Detail detail) {
        unfold->setChecked(detail == Detail::Full);
        elide->setChecked(detail == Detail::Elided);
    });
}

void ViewMenu::addSaved() {
    QMenu* saved = addMenu(tr("Saved &views"));
    connect(saved, &QMenu::aboutToShow, this, [this, saved] { fillViews(*saved); });
}

void ViewMenu::addLayers() {
    QMenu* layers = addMenu(tr("&Layers"));
    const QString names[] = {
        tr("&Servers"), tr("&Host-leaf links"), tr("&Rails"),           tr("Links &above spines"), tr("Hand-&drawn elements"),
        tr("&Names"),   tr("&Callouts"),        tr("Stora&ge network"), tr("&In-band network"),    tr("&Out-of-band network")};
    for (int layer = 0; layer < layerCount; ++layer) {
        QAction* shown = layers->addAction(names[layer]);
        shown->setCheckable(true);
        shown->setChecked(true);
        connect(shown, &QAction::toggled, this, [this, layer](bool on) { m_canvas.setLayer(static_cast<Layer>(layer), on); });
    }
    QMenu* rails = addMenu(tr("Highlight r&ail"));
    connect(rails, &QMenu::aboutToShow, this, [this, rails] {
        rails->clear();
        const auto count = static_cast<int>(std::min<std::int64_t>(m_document.now().instant.counts.rails, 64));
        for (int rail = 0; rail <= count; ++rail)
            rails->addAction(rail == 0 ? tr("None") : tr("Rail %1").arg(rail), this, [this, rail] { m_canvas.highlightRail(rail); });
    });
}

void ViewMenu::fillViews(QMenu& menu) {
    menu.clear();
    const auto apply = [this](const Result<Edit>& edit) {
        QString reason;
        if (!m_document.apply(edit, &reason)) emit refused(reason);
    };
    for (const SavedView& view : m_document.now().design->views)
        menu.addAction(asMenuText(QString::fromStdString(view.name)), this, [this, view] { emit drawingAsked(), m_canvas.showView(view); });
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(tr("&Save view…"), this, [this, apply] {
        const QString name = askText(this, tr("Save view"), tr("View name")).trimmed();
        if (!name.isEmpty()) apply(railyard::saveView(*m_document.now().design, m_canvas.savedView(name.toStdString())));
    });
    QMenu* forget = menu.addMenu(tr("&Delete view"));
    forget->setEnabled(!m_document.now().design->views.empty());
    for (const SavedView& view : m_document.now().design->views)
        forget->addAction(asMenuText(QString::fromStdString(view.name)), this,
                          [this, apply, name = view.name] { apply(forgetView(*m_document.now().design, name)); });
}

} // namespace railyard
