#include "app/gui/presenter.h"

#include "widgets/export/slide.h"
#include "widgets/theme/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace railyard {

Presenter::Presenter(const Document& document, const PictureOptions& options, QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_fabric(document.now().fabric),
      m_options(options),
      m_views(document.now().design->views),
      m_hasFloor(document.now().floor().isPlaced()),
      m_drawn([this] { return work(); },
              [this](Page page) {
                  m_images[page.number] = std::move(page.image);
                  update();
                  if (page.number != m_page && !m_images.contains(m_page)) m_drawn.ask();
              }) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(text(m_fabric->design->name));
    setObjectName(QStringLiteral("presenter"));
    setAccessibleName(tr("Presentation. Next page: Space. Previous page: Backspace. End: Escape."));
    setCursor(Qt::BlankCursor);
}

// Drawn in a worker: the figures of a slide take a while on large designs.
std::function<Presenter::Page()> Presenter::work() const {
    PictureOptions options = m_options;
    options.size = size();
    options.dpi = 96;
    const int page = m_page;
    const double ratio = devicePixelRatioF();
    const auto at = static_cast<std::size_t>(page) - 1;
    const std::optional<SavedView> view = page > 0 && at < m_views.size() ? std::optional(m_views[at]) : std::nullopt;
    return [fabric = m_fabric, options, page, ratio, view]() mutable {
        QImage image((QSizeF(options.size) * ratio).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        if (page == 0) {
            paintSlide(painter, *fabric, slideContentOf(*fabric, options.slide), options);
        } else if (view) {
            options.area = QRectF(view->x, view->y, view->width, view->height);
            options.detail = detailOf(*view);
            options.heading = text(view->name);
            paintTopology(painter, *fabric, options);
        } else {
            paintFloor(painter, *fabric, options);
        }
        return Page{page, image};
    };
}

void Presenter::show(int page) {
    m_page = std::clamp(page, 0, pages() - 1);
    if (!m_images.contains(m_page)) m_drawn.ask();
    update();
}

void Presenter::resizeEvent(QResizeEvent*) {
    m_images.clear();
    m_drawn.ask();
}

void Presenter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_options.tokens.canvas);
    const auto drawn = m_images.find(m_page);
    if (drawn != m_images.end()) painter.drawImage(0, 0, drawn->second);
    painter.setPen(m_options.tokens.text2);
    painter.setFont(fontFor(TextRole::Caption));
    painter.drawText(rect().adjusted(0, 0, -12, -8), Qt::AlignRight | Qt::AlignBottom,
                     drawn == m_images.end() ? tr("Drawing page %1…").arg(m_page + 1) : tr("%1 of %2").arg(m_page + 1).arg(pages()));
}

void Presenter::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_F5: close(); return;
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_PageDown:
    case Qt::Key_Return: return show(m_page + 1);
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp: return show(m_page - 1);
    case Qt::Key_Home: return show(0);
    case Qt::Key_End: return show(pages() - 1);
    default: QWidget::keyPressEvent(event);
    }
}

void Presenter::mousePressEvent(QMouseEvent* event) { show(m_page + (event->button() == Qt::RightButton ? -1 : 1)); }

} // namespace railyard
