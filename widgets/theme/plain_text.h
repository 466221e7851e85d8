// Text for people. Names, paths and errors come from files that others wrote, so they are shown as plain text: Qt would otherwise
// guess that "<img src=…>" is rich text and load the file. tests/lint/lint.sh forbids Qt's own functions outside this file.
// Rich text that the program needs is put together from escaped pieces (RichText).
#pragma once

#include <QMessageBox>
#include <QPoint>
#include <QString>

class QAction;
class QLabel;
class QTextBrowser;
class QTextDocument;
class QWidget;

namespace railyard {

QLabel* plainLabel(const QString& text = {});

// Rich text for labels, tool tips and documents. Every argument is escaped unless it is rich text itself, so text from a file
// cannot become markup.
class RichText {
public:
    RichText() = default;
    static RichText markup(const QString& html) { return RichText(html); } // a constant of the program
    static RichText plain(const QString& text) { return RichText(text.toHtmlEscaped()); }
    template <class... Arguments>
    static RichText filled(const QString& html, const Arguments&... arguments) {
        return RichText(html.arg(piece(arguments)...));
    }
    RichText& operator+=(const RichText& more) { return m_html += more.m_html, *this; }
    friend RichText operator+(RichText a, const RichText& b) { return a += b; }
    bool isEmpty() const { return m_html.isEmpty(); }
    const QString& html() const { return m_html; }
    friend bool operator==(const RichText&, const RichText&) = default;

private:
    explicit RichText(QString html) : m_html(std::move(html)) {}
    static QString piece(const QString& text) { return text.toHtmlEscaped(); }
    static QString piece(const RichText& text) { return text.m_html; }
    QString m_html;
};

QLabel* richLabel(const RichText& text = {});
void setRichText(QLabel& label, const RichText& text); // of a label from richLabel()
void setRichText(QTextBrowser& browser, const RichText& text);
void setRichText(QTextDocument& document, const RichText& text);

// Tool tips. What a model returns for Qt::ToolTipRole goes through asToolTip().
QString asToolTip(const QString& text);
void setToolTipOf(QWidget& widget, const QString& text);
void setToolTipOf(QAction& action, const QString& text);
void showToolTip(const QPoint& at, const QString& text, QWidget* widget); // hides it if `text` is empty
void showToolTip(const QPoint& at, const RichText& text, QWidget* widget);
void setHelpOf(QWidget& widget, const QString& text); // shown by "What's this?"
QString asMenuText(const QString& name);              // a name as the text of a menu entry: "&" marks no key

// Message boxes and questions for one line of text.
QMessageBox::StandardButton showMessage(QWidget* parent, QMessageBox::Icon icon, const QString& title, const QString& text,
                                        QMessageBox::StandardButtons buttons = QMessageBox::Ok,
                                        QMessageBox::StandardButton preset = QMessageBox::NoButton);
inline void warn(QWidget* parent, const QString& title, const QString& text) { showMessage(parent, QMessageBox::Warning, title, text); }
inline QMessageBox::StandardButton ask(QWidget* parent, const QString& title, const QString& text, QMessageBox::StandardButtons buttons,
                                       QMessageBox::StandardButton preset = QMessageBox::NoButton) {
    return showMessage(parent, QMessageBox::Question, title, text, buttons, preset);
}
// A question with buttons of its own; returns the index of the chosen one, -1 for Cancel. `preset` is the button for Enter.
struct MessageChoice {
    QString text;
    QMessageBox::ButtonRole role = QMessageBox::AcceptRole;
};
int askChoice(QWidget* parent, const QString& title, const QString& text, const QList<MessageChoice>& choices, int preset);
// What someone typed or pasted, as a design may hold it: U+FFFD in place of control characters, as where files are read.
QString typedText(const QString& text);
// Null where the user cancels; otherwise as of typedText.
QString askText(QWidget* parent, const QString& title, const QString& label, const QString& preset = {}, bool hasLines = false);

} // namespace railyard
