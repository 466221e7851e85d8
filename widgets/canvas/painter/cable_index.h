// Draws the cables of the selection, or of all visible elements when zoomed in, one line each, with port numbers if there is room.
// The drawing itself shows only bundles; this overlay shows which port connects to which.
#pragma once

#include "widgets/canvas/painter/scene_painter.h"

#include <span>

namespace railyard {

// Maps cables to the nodes of a scene. A server or group represents everything inside it. Built once for a scene.
class CableIndex {
public:
    CableIndex(const Scene& scene, const Fabric& fabric);
    std::span<const LinkId> linksOf(std::size_t node) const {
        return std::span(m_links).subspan(m_first[node], m_first[node + 1] - m_first[node]);
    }
    std::uint32_t nodeOf(DeviceId device) const { return m_ofDevice[device]; } // none if the device is hidden in a fold
    int nicsOfAServer() const { return m_nics; }

private:
    By<DeviceId, std::uint32_t> m_ofDevice;
    std::vector<std::uint32_t> m_first;
    std::vector<LinkId> m_links;
    int m_nics = 1;
};

class LinkOverlay {
public:
    LinkOverlay() = default;
    // Collects the cables between two drawn elements of which at least one is selected. Above `most` none is drawn, and text() says so.
    LinkOverlay(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected);

    // With loads, indexed by link of the fabric, every cable has the colour of its load.
    void paint(QPainter& painter, const Tokens& tokens, const ViewState& view, double width,
               const std::vector<double>* loads = nullptr) const;
    // The cable that runs within a few pixels of this place.
    std::optional<LinkId> linkAt(QPointF screen, const ViewState& view) const;
    // One cable above the others, with both of its ports.
    void paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens, const ViewState& view) const;
    bool isWhole() const { return !m_lines.empty() && m_hidden == 0; } // whether every requested cable is drawn
    QString text() const;                                              // for the status bar; empty if nothing is selected

    static constexpr std::size_t most = 4000;

private:
    struct End {
        QRectF node;          // in world units
        int slot = 0, of = 1; // position on the edge, from left to right
        bool isServer = false;
        QString port;           // the NIC in the case of a server
        bool isInFront = false; // no other server stands between it and the leaves
    };
    struct Line {
        End low, high;
        int rail = 0;
        LinkId link;
    };
    static QPointF place(const End& end, bool top, const ViewState& view);
    static bool sharesTrack(const Line& line, const ViewState& view);
    static QPolygonF route(const Line& line, const ViewState& view);
    void label(QPainter& painter, const End& end, bool top, QPointF at, double pitch, const Tokens& tokens) const;

    std::vector<Line> m_lines;
    int m_rails = 0;
    std::size_t m_all = 0, m_hidden = 0; // all cables of the selection; those with an end hidden in a fold
};

} // namespace railyard
