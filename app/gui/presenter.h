// The design on the whole screen, page by page: its slide, then the saved views, then the floor.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "widgets/document/latest_task.h"
#include "widgets/export/pictures.h"

#include <QImage>
#include <QWidget>
#include <map>

namespace railyard {

class Presenter : public QWidget {
    Q_OBJECT

public:
    Presenter(const Document& document, const PictureOptions& options, QWidget* parent = nullptr);
    int pages() const { return static_cast<int>(m_views.size()) + 1 + (m_hasFloor ? 1 : 0); }
    int page() const { return m_page; }
    void show(int page);
    void wait() { m_drawn.wait(); } // tests
    const QImage& image() const { return m_images.at(m_page); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Page {
        int number = 0;
        QImage image;
    };
    std::function<Page()> work() const;

    FabricPointer m_fabric;
    PictureOptions m_options;
    std::vector<SavedView> m_views;
    bool m_hasFloor = false;
    int m_page = 0;
    std::map<int, QImage> m_images; // those that are drawn
    LatestTask<Page> m_drawn;
};

} // namespace railyard
