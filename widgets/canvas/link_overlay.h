// The cables of what is selected, or seen from close by, one line each, with the ports they end on where there is room. The drawing itself
// shows bundles; this is how one sees which port leads where.
#pragma once

#include "widgets/canvas/scene_painter.h"

#include <span>

namespace railyard {

// Which cables end on which node of a drawing, a server or group standing for all that is in it. Made once for a scene.
class CableIndex {
public:
    CableIndex(const Scene& scene, const Fabric& fabric);
    std::span<const std::uint32_t> linksOf(std::size_t node) const {
        return std::span(m_links).subspan(m_first[node], m_first[node + 1] - m_first[node]);
    }
    std::uint32_t nodeOf(std::uint32_t device) const { return m_ofDevice[device]; } // none where it is folded away
    int nicsOfAServer() const { return m_nics; }

private:
    std::vector<std::uint32_t> m_ofDevice, m_first, m_links;
    int m_nics = 1;
};

class LinkOverlay {
public:
    LinkOverlay() = default;
    // Cables between two drawn elements, at least one of them selected. Beyond `most` none is drawn, and it says so.
    LinkOverlay(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected);

    // With a veil what is not meant steps back.
    // With loads, by link of the fabric, every cable has the colour of its own.
    void paint(QPainter& painter, const Tokens& tokens, const ViewState& view, bool veiled = true,
               const std::vector<double>* loads = nullptr) const;
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
        std::uint32_t link = 0;
    };
    static QPointF place(const End& end, bool top, const ViewState& view);
    static QPolygonF route(const Line& line, const ViewState& view);
    void label(QPainter& painter, const End& end, bool top, QPointF at, double pitch, const Tokens& tokens) const;

    std::vector<Line> m_lines;
    int m_rails = 0;
    std::size_t m_all = 0, m_hidden = 0; // cables of the selection; of these, with an end that is folded away
};

} // namespace railyard
