// Draws a scene on screen, into PNG and into SVG with the same code. The level of detail depends on the scale.
#pragma once

#include "widgets/canvas/painter/inside_painter.h"
#include "widgets/canvas/painter/painted_scene.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <QPixmap>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace railyard {

struct SceneHighlight {
    std::set<std::size_t> selected; // node indices
    std::ptrdiff_t hovered = -1;
    int rail = 0; // highlighted lane; 0 = none
};

class ScenePainter {
public:
    ScenePainter(const Scene& scene, const Fabric& fabric, const Tokens& tokens, ViewState view, QRectF screen);
    void paint(QPainter& painter, const SceneHighlight& highlight = {}) const;
    void setLayers(unsigned shown) { m_layers = shown; }               // bits of Layer
    void litRails(const std::set<int>& rails) { m_litRails = &rails; } // only lines of other rails are dimmed, a little; empty: none
    void highlightRail(int rail) { m_highlightedRail = rail; }         // dims the other rails; 0 for none
    // Colours bundles and cables by utilisation instead of by rail, and servers by the utilisation of their HB links. Indexed by bundle
    // and node of the scene and by link of the fabric; 1 = fully utilised, negative = unknown.
    void showLoads(const std::vector<double>& ofBundle, const std::vector<double>& ofNode, const std::vector<double>& ofLink) {
        m_loads = &ofBundle;
        m_nodeLoads = &ofNode;
        m_linkLoads = &ofLink;
    }
    // Colours servers by their job and adds the job numbers.
    void showTerritories(const Territories& territories) { m_territories = &territories; }
    // Draws arrows between servers or HB domains if both ends are drawn.
    void showHops(const Hops& hops) { m_hops = &hops; }
    // For the screen: identical nodes are drawn once and copied at whole pixels. The tiles are valid for one scale and theme.
    using Tiles = std::map<std::array<int, 9>, QPixmap>;
    // For the screen: the contents of servers, or null while they are computed in the background. Without this call the first server that
    // is drawn open computes them.
    void showInsides(std::shared_ptr<const ServerInsides> insides) { m_insides = std::move(insides), m_findsInsides = false; }
    const ServerInsides* insides() const { return m_insides.get(); } // null if no server was drawn open
    void copyTiles(Tiles& tiles) { m_tiles = &tiles; }
    void leaveOut(std::set<std::size_t> nodes) { m_leftOut = std::move(nodes); } // something else will be painted over them
    void selection(QPainter& painter, const SceneHighlight& highlight) const;    // drawn on top of paint()
    static QString levelName(double scale);                                      // for the status bar

private:
    void grid(QPainter& painter) const;
    void bundles(QPainter& painter, bool lanes) const;
    void risersFromAfar(QPainter& painter) const;
    void pills(QPainter& painter) const;
    void cards(QPainter& painter) const;
    void cardFromAfar(QPainter& painter, const SceneCard& card, const QRectF& rect) const;
    void foldCard(QPainter& painter, const SceneCard& card, const QRectF& rect) const;
    void bars(QPainter& painter) const;
    void networks(QPainter& painter) const;
    void nodes(QPainter& painter) const;
    void namesBeside(QPainter& painter) const;
    void dots(QPainter& painter) const; // for elements that are not drawn
    void insideLoads(QPainter& painter) const;
    void markApart(QPainter& painter, QPointF at, double size) const;
    void drawNode(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void drawGroup(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void drawTray(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void drawServer(QPainter& painter, const SceneNode& node, const QRectF& rect) const;
    void inside(QPainter& painter, const SceneNode& node, const QRectF& rect, const QRectF& columns) const; // of its GPUs and NICs
    void labels(QPainter& painter) const;
    void cables(QPainter& painter) const;
    PaintedScene painted() const { return {m_scene, m_tokens, m_view, m_screen, m_serverWidth}; }
    bool isPlan() const { return painted().isPlan(); }
    bool visible(const QRectF& screenRect) const { return screenRect.intersects(m_screen); }
    QColor nicColor(int nic) const;
    QColor railColor(int rail) const;
    QColor lineColor(std::size_t bundle) const;
    QColor bundleColor(std::size_t bundle) const;
    QString pillOf(std::size_t bundle) const;
    bool shows(Layer layer) const { return (m_layers >> static_cast<unsigned>(layer) & 1U) != 0; }

    const Scene& m_scene;
    const Fabric& m_fabric;
    const Tokens& m_tokens;
    ViewState m_view;
    QRectF m_screen;
    double m_serverWidth; // px; determines the level of detail
    unsigned m_layers = ~0U;
    int m_highlightedRail = 0;
    const std::set<int>* m_litRails = nullptr;
    mutable std::shared_ptr<const ServerInsides> m_insides;
    bool m_findsInsides = true;
    Tiles* m_tiles = nullptr;
    std::set<std::size_t> m_leftOut;
    const std::vector<double>*m_loads = nullptr, *m_nodeLoads = nullptr, *m_linkLoads = nullptr; // indexed by bundle, node, link
    const Hops* m_hops = nullptr;
    const Territories* m_territories = nullptr;
    int m_gpusPerServer = 8, m_nicsPerServer = 8;
    std::vector<int> m_railOfNic; // of the first server
};

} // namespace railyard
