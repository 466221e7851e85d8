// The Floor view: the floor plan, on which racks are dragged to move them and cable lengths are updated, and the elevation of the
// selected rack.
#pragma once

#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/floor/floor_picture.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace railyard {

// The floor plan with selection, dragging and arrow keys.
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

class FloorView : public QWidget {
    Q_OBJECT

public:
    explicit FloorView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    FloorPlanWidget& plan() { return *m_plan; }

signals:
    void refused(const QString& reason);
    void exportAsked();

private:
    void refresh();
    void apply(const Result<Edit>& edit);

    Document& m_document;
    Tokens m_tokens;
    FloorPlanWidget* m_plan = nullptr;
    QWidget *m_elevation = nullptr, *m_offer = nullptr;
    QLabel *m_title = nullptr, *m_figures = nullptr, *m_rack = nullptr;
    QComboBox* m_medium = nullptr;
    QPushButton *m_back = nullptr, *m_away = nullptr, *m_export = nullptr;
};

} // namespace railyard
