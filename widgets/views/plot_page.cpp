#include "widgets/views/plot_page.h"

#include <QHBoxLayout>
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

void PlotPage::addBeside(QLabel* label) {
    m_below = label;
    auto* row = new QHBoxLayout;
    layout()->removeWidget(m_plot);
    row->addWidget(m_plot, 3);
    row->addWidget(label, 1, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(row, 1);
}

void PlotPage::setSubtitle(const QString& subtitle) {
    if (m_subtitle->text() != subtitle) m_subtitle->setText(subtitle);
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
            painter.translate(m_plot->pos());
            m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
            painter.translate(-m_plot->pos());
            drawWords(painter); // after the plot: they may say how it was drawn
            good = painter.end();
        }
    } else {
        QImage image(QSize(width, height) * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        image.fill(m_tokens.canvas);
        QPainter painter(&image);
        painter.drawPixmap(m_plot->pos(), m_plot->toPixmap(m_plot->width(), m_plot->height(), scale));
        drawWords(painter); // after the plot: they may say how it was drawn
        if (m_below) m_below->render(&painter, m_below->pos(), {}, QWidget::DrawChildren);
        painter.end();
        good = image.save(path, "PNG");
    }
    resize(before);
    return good;
}

} // namespace railyard
