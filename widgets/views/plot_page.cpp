#include "widgets/views/plot_page.h"

#include <QLabel>
#include <QPainter>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <qcustomplot.h>

namespace railyard {

PlotPage::PlotPage(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(18, 14, 18, 12);
    page->setSpacing(4);
    m_title = new QLabel;
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_title->setWordWrap(true);
    m_subtitle = new QLabel;
    m_subtitle->setProperty("dim", true);
    m_subtitle->setWordWrap(true);
    m_plot = new QCustomPlot;
    m_plot->setMinimumSize(300, 200);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_subtitle, m_plot}) page->addWidget(widget, widget == m_plot ? 1 : 0);
}

void PlotPage::addBelow(QLabel* label) {
    m_below = label;
    layout()->addWidget(label);
}

void PlotPage::setWords(const QString& title, const QString& subtitle, const Tokens& tokens) {
    m_tokens = tokens;
    m_title->setText(title);
    m_subtitle->setText(subtitle);
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_plot->setBackground(tokens.canvas);
}

void PlotPage::drawWords(QPainter& painter) const {
    for (const QLabel* label : {m_title, m_subtitle}) {
        painter.setFont(label->font());
        painter.setPen(label == m_title ? m_tokens.text : m_tokens.text2);
        painter.drawText(label->geometry(), Qt::TextWordWrap, label->text());
    }
}

bool PlotPage::savePicture(const QString& path, int width, int height, double scale) {
    const QSize before = size();
    resize(width, height);
    ensurePolished();
    layout()->activate();
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
    bool good = false;
    if (path.endsWith(QStringLiteral(".svg"))) {
        QSvgGenerator file;
        file.setFileName(path);
        file.setSize(size());
        file.setViewBox(rect());
        file.setTitle(m_title->text());
        QCPPainter painter;
        if (painter.begin(&file)) {
            painter.setMode(QCPPainter::pmVectorized);
            painter.fillRect(rect(), m_tokens.canvas);
            drawWords(painter);
            painter.translate(m_plot->pos());
            m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
            good = painter.end();
        }
    } else {
        QImage image(QSize(width, height) * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        image.fill(m_tokens.canvas);
        QPainter painter(&image);
        drawWords(painter);
        if (m_below) m_below->render(&painter, m_below->pos(), {}, QWidget::DrawChildren);
        painter.drawPixmap(m_plot->pos(), m_plot->toPixmap(m_plot->width(), m_plot->height(), scale));
        painter.end();
        good = image.save(path, "PNG");
    }
    resize(before);
    return good;
}

} // namespace railyard
