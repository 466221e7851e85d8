#include "widgets/theme/plain_text.h"

#include "core/base/text.h"

#include <QAction>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolTip>

namespace railyard {

QLabel* plainLabel(const QString& text) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel* richLabel(const RichText& text) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::RichText);
    label->setText(text.html());
    return label;
}

void setRichText(QLabel& label, const RichText& text) {
    Q_ASSERT(label.textFormat() == Qt::RichText);
    label.setText(text.html());
}
void setRichText(QTextBrowser& browser, const RichText& text) { browser.setHtml(text.html()); }
void setRichText(QTextDocument& document, const RichText& text) { document.setHtml(text.html()); }

QString asToolTip(const QString& text) { return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text; }
void setToolTipOf(QWidget& widget, const QString& text) { widget.setToolTip(asToolTip(text)); }
void setToolTipOf(QAction& action, const QString& text) { action.setToolTip(asToolTip(text)); }
void setHelpOf(QWidget& widget, const QString& text) { widget.setWhatsThis(asToolTip(text)); }
void showToolTip(const QPoint& at, const QString& text, QWidget* widget) { QToolTip::showText(at, asToolTip(text), widget); }
void showToolTip(const QPoint& at, const RichText& text, QWidget* widget) {
    QToolTip::showText(at, text.isEmpty() ? QString() : QStringLiteral("<qt>%1</qt>").arg(text.html()), widget);
}

QString asMenuText(const QString& name) { return QString(name).replace(QLatin1Char('&'), QStringLiteral("&&")); }

QMessageBox::StandardButton showMessage(QWidget* parent, QMessageBox::Icon icon, const QString& title, const QString& text,
                                        QMessageBox::StandardButtons buttons, QMessageBox::StandardButton preset) {
    QMessageBox box(parent);
    box.setTextFormat(Qt::PlainText); // before the text is set
    box.setIcon(icon);
    box.setWindowTitle(title);
    box.setText(text);
    box.setStandardButtons(buttons);
    box.setDefaultButton(preset);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

int askChoice(QWidget* parent, const QString& title, const QString& text, const QList<MessageChoice>& choices, int preset) {
    QMessageBox box(parent);
    box.setTextFormat(Qt::PlainText);
    box.setIcon(QMessageBox::Warning);
    box.setWindowTitle(title);
    box.setText(text);
    box.addButton(QMessageBox::Cancel);
    QList<QAbstractButton*> buttons;
    for (const MessageChoice& choice : choices) buttons << box.addButton(choice.text, choice.role);
    if (preset >= 0) box.setDefaultButton(qobject_cast<QPushButton*>(buttons[preset]));
    box.exec();
    return static_cast<int>(buttons.indexOf(box.clickedButton()));
}

QString typedText(const QString& text) { return QString::fromStdString(withoutFaults(text.toStdString())); }

QString askText(QWidget* parent, const QString& title, const QString& label, const QString& preset, bool hasLines) {
    QInputDialog dialog(parent);
    if (hasLines) dialog.setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog.setWindowTitle(title);
    dialog.setLabelText(asToolTip(label)); // the dialog creates its label itself
    dialog.setTextValue(preset);
    return dialog.exec() == QDialog::Accepted ? typedText(dialog.textValue()) : QString();
}

} // namespace railyard
