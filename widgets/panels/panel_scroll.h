// A panel that only scrolls vertically. It is as wide as its content needs in any language.
#pragma once

#include <QScrollArea>

namespace railyard {

class PanelScroll : public QScrollArea {
    Q_OBJECT

public:
    PanelScroll(QWidget* content, int least); // minimum width in px
    void setLeast(int least);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void widen();
    int m_least;
};

} // namespace railyard
