// The Floor view: the floor plan, on which racks are dragged to move them and cable lengths are updated, and the elevation of the
// selected rack.
#pragma once

#include "widgets/floor/floor_plan_widget.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace railyard {

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
    void addControls(QVBoxLayout& column);
    void addRack(QVBoxLayout& column);
    void showRack();
    void apply(const Result<Edit>& edit);

    Document& m_document;
    Tokens m_tokens;
    FloorPlanWidget* m_plan = nullptr;
    QWidget *m_elevation = nullptr, *m_offer = nullptr;
    QWidget* m_rackRow = nullptr; // its feeds
    QLabel *m_title = nullptr, *m_figures = nullptr, *m_rack = nullptr;
    QComboBox *m_medium = nullptr, *m_feeds = nullptr, *m_rackFeeds = nullptr;
    QPushButton *m_back = nullptr, *m_away = nullptr, *m_export = nullptr;
};

} // namespace railyard
