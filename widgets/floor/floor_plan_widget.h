// The floor plan with selection, dragging and arrow keys.
#pragma once

#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/floor/floor_picture.h"

#include <QWidget>

namespace railyard {

class FloorPlanWidget : public QWidget {
    Q_OBJECT

public:
    explicit FloorPlanWidget(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    std::uint32_t selected() const;
    void select(const std::string& rack); // takes the rack's name
    FloorPicture picture() const;
    void wait() { m_effects.wait(); } // for tests

signals:
    void selectionChanged();
    void said(const QString& text); // the effect of the drag
    void refused(const QString& reason);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Result<Edit> moveTo(RackSpot spot) const; // moves the selected rack; a rack at that position is swapped
    void preview(RackSpot spot);
    void sayEffect(const InstantMetrics& after); // of the rack where it is dragged to
    void step(int rows, int positions, bool move);

    Document& m_document;
    Tokens m_tokens;
    std::string m_selected; // the rack's name, which stays valid across edits
    std::optional<RackSpot> m_ghost;
    QPointF m_pressed;
    bool m_dragging = false;
    QString m_said; // about the drag, without its effect
    DesignPointer m_tried;
    LatestTask<InstantMetrics> m_effects;
};

} // namespace railyard
