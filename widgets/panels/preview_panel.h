// While something is dragged: the figures of the design now and after the drop, in place of the metrics.
#pragma once

#include "widgets/canvas/preview/edit_preview.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace railyard {

class PreviewPanel : public QWidget {
    Q_OBJECT

public:
    explicit PreviewPanel(QWidget* parent = nullptr);
    void showAnnouncement(const Announcement& announced); // hidden if nothing is announced

signals:
    void shownChanged(bool isShown);

private:
    QLabel *m_title, *m_note;
    QGridLayout* m_rows;
    Announcement m_shown;
};

} // namespace railyard
