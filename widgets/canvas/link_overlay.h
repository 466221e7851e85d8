// The cables of what is selected, or seen from close by, one line each, with the ports they end on where there is room. The drawing itself
// shows bundles; this is how one sees which port leads where.
#pragma once

#include "widgets/canvas/scene_painter.h"

namespace railyard {

class LinkOverlay {
public:
    LinkOverlay() = default;
    // Cables between two drawn elements, at least one of them selected. Beyond `most` none is drawn, and it says so.
    LinkOverlay(const Scene& scene, const Fabric& fabric, const std::set<std::size_t>& selected);

    // With a veil what is not meant steps back.
    void paint(QPainter& painter, const Tokens& tokens, const ViewState& view, bool veiled = true) const;
    bool isWhole() const { return !m_lines.empty() && m_hidden == 0; } // every cable of what was asked for is drawn
    QString text() const;                                              // for the status bar; empty where nothing is selected

    static constexpr std::size_t most = 4000;

private:
    struct End {
        QRectF node;          // world
        int slot = 0, of = 1; // its place on the edge, left to right
        bool isServer = false;
        QString port; // of a server: which NIC
    };
    struct Line {
        End low, high;
        int rail = 0;
    };
    static QPointF place(const End& end, bool top, const ViewState& view);
    static QPolygonF route(const Line& line, const ViewState& view);
    void label(QPainter& painter, const End& end, bool top, QPointF at, double pitch, const Tokens& tokens) const;

    std::vector<Line> m_lines;
    int m_rails = 0;
    std::size_t m_all = 0, m_hidden = 0; // cables of the selection; of these, with an end that is folded away
};

} // namespace railyard
