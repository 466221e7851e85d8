// Base of the bars above the drawing, each of which is a mode: failures, link loads, a play, several jobs. It shows a sentence above a
// row of controls, and loads on the links.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <memory>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace railyard {

class ModeBar : public QFrame {
    Q_OBJECT

public:
    using Utilisations = std::shared_ptr<const std::vector<double>>; // by link of the design, 1 = fully utilised; null: nothing to show

    virtual void setTokens(const Tokens& tokens);
    void setOn(bool on);

signals:
    void loadsChanged(const railyard::ModeBar::Utilisations& loads);
    void locateAsked(const QString& path);
    void leaveAsked();
    void refused(const QString& reason);

protected:
    // `name`: of the object, as in "load-bar".
    ModeBar(Document& document, const QString& name, QLabel* text, QWidget* parent);

    QToolButton* addButton(const QString& words, const QString& hint, const QString& object = {});
    void addLocate(const QString& words, const QString& hint, const QString& object = {}); // shows the element of setPlace()
    void addLeave(const QString& hint, const QString& object = {});
    void setPlace(const QString& path) { m_place = path; }
    bool isOn() const { return m_isOn; }
    virtual void start() = 0;         // it was turned on
    virtual void stop() = 0;          // it was turned off
    virtual void designChanged() = 0; // the design or its failures, while on

    Document& m_document;
    QLabel* m_text;
    QVBoxLayout* m_column;
    QHBoxLayout *m_head, *m_row; // beside the sentence; the controls

private:
    QString m_place;
    bool m_isOn = false;
};

} // namespace railyard
