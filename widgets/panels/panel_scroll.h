// A panel that scrolls up and down only: as wide as its content needs, whatever language that is in.
#pragma once

#include <QScrollArea>

namespace railyard {

class PanelScroll : public QScrollArea {
    Q_OBJECT

public:
    PanelScroll(QWidget* content, int least); // px

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void widen();
    int m_least;
};

} // namespace railyard
