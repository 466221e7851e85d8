// The Floor view: racks seen from above; drag one to another place and its cables get new lengths. The rack picked is
// shown from the front.
#pragma once

#include "widgets/document/document.h"
#include "widgets/floor/floor_picture.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace railyard {

// The hall itself: picks, drags, arrow keys.
class FloorPlanWidget : public QWidget {
    Q_OBJECT

public:
    explicit FloorPlanWidget(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    std::uint32_t selected() const;
    void select(const std::string& rack); // by name
    FloorPicture picture() const;

signals:
    void selectionChanged();
    void said(const QString& text); // what the drag would bring
    void refused(const QString& reason);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Result<Edit> moveTo(RackSpot spot) const; // the rack picked; one that stands there takes its place
    void preview(RackSpot spot);
    void step(int rows, int positions, bool move);

    Document& m_document;
    Tokens m_tokens;
    std::string m_selected; // by name: it outlives edits
    std::optional<RackSpot> m_ghost;
    QPointF m_pressed;
    bool m_dragging = false;
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
