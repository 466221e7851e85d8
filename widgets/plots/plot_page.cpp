#include "widgets/plots/plot_page.h"

#include "widgets/theme/plain_text.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>

namespace railyard {

PlotPage::PlotPage(QWidget* parent) : QWidget(parent), m_tokens(lightTokens()) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(18, 14, 18, 12);
    page->setSpacing(4);
    m_title = plainLabel();
    m_title->setFont(fontFor(TextRole::ChartTitle));
    m_title->setWordWrap(true);
    m_subtitle = plainLabel();
    m_subtitle->setProperty("dim", true);
    m_subtitle->setWordWrap(true);
    m_plot = new QCustomPlot;
    m_plot->setMinimumSize(300, 200);
    m_plot->setMouseTracking(true);
    m_plot->setAttribute(Qt::WA_NoMousePropagation, false); // or the wheel would end here
    m_plot->installEventFilter(this);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_subtitle, m_plot}) page->addWidget(widget, widget == m_plot ? 1 : 0);
}

bool PlotPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot || event->type() != QEvent::Wheel) return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

void PlotPage::addBelow(QLabel* label) {
    m_below = label;
    layout()->addWidget(label);
}

void PlotPage::addLegend(QLabel* label) {
    m_below = label;
    auto* row = new QHBoxLayout;
    layout()->removeWidget(m_plot);
    row->addWidget(m_plot, 3);
    row->addWidget(label, 1, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(row, 1);
}

void PlotPage::setSubtitle(const QString& subtitle) {
    m_words = subtitle;
    showSubtitle();
}

void PlotPage::setHint(const QString& hint) {
    m_hint = hint;
    showSubtitle();
}

void PlotPage::showSubtitle() {
    const QString shown = m_isPicture || m_hint.isEmpty() ? m_words : m_words + QLatin1Char(' ') + m_hint;
    if (m_subtitle->text() != shown) m_subtitle->setText(shown);
}

void PlotPage::setWords(const QString& title, const QString& subtitle, const Tokens& tokens) {
    m_tokens = tokens;
    m_title->setText(title);
    setSubtitle(subtitle);
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_plot->setBackground(tokens.canvas);
}

void PlotPage::styleAxis(QCPAxis& axis) const {
    axis.setTickLabelFont(fontFor(TextRole::Caption));
    axis.setLabelFont(fontFor(TextRole::Caption));
    axis.setTickLabelColor(m_tokens.text);
    axis.setLabelColor(m_tokens.text2);
    axis.setBasePen(QPen(m_tokens.controlBorder, 1));
    axis.setTickPen(QPen(m_tokens.controlBorder, 1));
    axis.setSubTickPen(QPen(Qt::NoPen));
}

void PlotPage::drawWords(QPainter& painter) const {
    for (const QLabel* label : {m_title, m_subtitle}) {
        painter.setFont(label->font());
        painter.setPen(label == m_title ? m_tokens.text : m_tokens.text2);
        painter.drawText(label->geometry(), Qt::TextWordWrap, label->text());
    }
}

void PlotPage::drawLegend(QPainter& painter) const {
    if (!m_below || m_below->isHidden()) return;
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(m_below->font());
    setRichText(document, RichText::markup(m_below->text())); // a legend from richLabel()
    document.setTextWidth(m_below->width());
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, m_tokens.text);
    painter.save();
    painter.translate(m_below->pos());
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

// Drawing the plot may lengthen the subtitle, which leaves the plot less room.
void PlotPage::layOut() {
    for (int round = 0; round < 2; ++round) {
        layout()->activate();
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
    }
}

namespace {

// Captions have 11 pixels on screen; twice that can be read from a slide.
constexpr QSizeF slide(960, 540);

} // namespace

void PlotPage::paintOn(QCPPainter& painter, QSize size) {
    const QSize before = this->size();
    const double scale = std::max(1.0, std::min(size.width() / slide.width(), size.height() / slide.height()));
    m_isPicture = true;
    showSubtitle();
    resize((QSizeF(size) / scale).toSize());
    ensurePolished();
    layOut();
    painter.fillRect(QRect(QPoint(0, 0), size), m_tokens.canvas);
    painter.save();
    painter.scale(scale, scale);
    painter.save();
    painter.translate(m_plot->pos());
    m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
    painter.restore();
    drawWords(painter); // after the plot, because the subtitle may describe how it was drawn
    drawLegend(painter);
    painter.restore();
    m_isPicture = false;
    showSubtitle();
    resize(before);
}

QString PlotPage::title() const { return m_title->text(); }

} // namespace railyard
