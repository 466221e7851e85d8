#include "widgets/panels/panel_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace railyard {

PanelScroll::PanelScroll(QWidget* content, int least) : m_least(least) {
    setWidget(content);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    content->installEventFilter(this);
    widen();
}

void PanelScroll::setLeast(int least) {
    m_least = least;
    widen();
}

bool PanelScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) widen();
    return QScrollArea::eventFilter(watched, event);
}

// Limited, so that the drawing keeps enough room.
void PanelScroll::widen() {
    constexpr int most = 480;
    const int needed = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
    const int wanted = std::clamp(needed, m_least, std::max(m_least, most));
    if (wanted != minimumWidth()) setMinimumWidth(wanted);
}

} // namespace railyard
