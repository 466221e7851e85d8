// A switch at the port level: its ports stand on the edges of its body, grouped by cage, uplinks above and downlinks below. Every cable
// is a line of its own and ends in its port. Its far end is docked beside the switch, because it is out of view at this scale.
// All places are in px on screen.
#pragma once

#include "core/fabric/fabric.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <span>

namespace railyard {

class PortFace {
public:
    struct Port {
        int number = 0, rail = 0; // from 1; 0: on no single rail
        QRectF box, far;          // `far`: the docked port at the other end; empty if the port is free
        LinkId link{none};
        QString farPort;
        bool isUp = false, hasModule = false;
        bool isUsed() const { return link != none; }
    };
    struct FarEnd { // a device, or a server with its NICs
        QRectF box;
        Shape shape = Shape::Spine;
        DeviceId device{none}; // one of its ends
        int number = 0;
        std::string path;
    };

    // None if the node is no switch, or too small on screen for its ports to be told apart. `links`: its network links.
    static std::optional<PortFace> create(const Fabric& fabric, const SceneNode& node, std::span<const LinkId> links, const QRectF& screen);
    static bool isLargeEnough(const QRectF& screen) { return screen.width() >= 400 && screen.height() >= 300; }

    const Port* portAt(QPointF at) const;
    const Port* portOf(int number) const;
    std::optional<LinkId> linkAt(QPointF at) const; // the cable that runs within a few pixels
    const FarEnd* farEndAt(QPointF at) const;
    bool has(LinkId link) const;
    std::size_t cables() const;
    const QRectF& body() const { return m_body; }

    // `area`: in view. With loads, indexed by link of the fabric, cables have the colour of their load.
    void paint(QPainter& painter, const Fabric& fabric, const Tokens& tokens, int rails, const QRectF& area,
               const std::vector<double>* loads) const;
    void paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens, int rails) const;
    void outline(QPainter& painter, int port, const Tokens& tokens) const;

private:
    struct Cage {
        QRectF box;
        bool hasModule = false;
    };
    struct Dock { // the far ends of one side
        QRectF box;
        QString words;
        bool isUp = false;
    };
    void placeRow(std::vector<std::size_t> ports, const std::vector<std::uint32_t>& cages, double y);
    void dock(const Fabric& fabric, bool isUp, double outer);
    void paintTab(QPainter& painter, const QRectF& box, const QString& words, bool isUsed, bool hasModule, const QColor& color,
                  const Tokens& tokens) const;
    void paintTitle(QPainter& painter, const Fabric& fabric, const Tokens& tokens, const QColor& color, const QRectF& area) const;

    QRectF m_area, m_body;
    Shape m_shape = Shape::Leaf;
    DeviceId m_device{none};
    int m_rail = 0;
    bool m_isInBar = false; // drawn on a card, not on the canvas
    double m_portWidth = 0;
    std::vector<Port> m_ports; // in the order of their numbers
    std::vector<Cage> m_cages;
    std::vector<FarEnd> m_farEnds;
    std::vector<Dock> m_docks;
};

} // namespace railyard
