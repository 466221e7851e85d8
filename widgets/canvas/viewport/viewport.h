// What every part of the canvas sees: the scene of the document, the part of it in view, and the selection. Tools change it, overlays
// show it, and the canvas paints it.
#pragma once

#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"

#include <QObject>
#include <functional>

namespace railyard {

class Viewport : public QObject {
    Q_OBJECT

public:
    Viewport(Document& document, std::function<QSizeF()> size); // of the widget, in px

    Document& document() { return m_document; }
    const Document& document() const { return m_document; }
    const Fabric& fabric() const { return *m_document.now().fabric; }
    const Design& design() const { return *m_document.now().design; }
    const Tokens& tokens() const { return m_tokens; }
    const Scene& scene() const { return m_scene; }
    const ViewState& view() const { return m_view; }
    const SceneHighlight& highlight() const { return m_highlight; }
    quint64 sceneNumber() const { return m_sceneNumber; } // changes with every new scene
    unsigned layers() const { return m_layers; }          // bits of Layer
    bool isShown(Layer layer) const { return (m_layers >> static_cast<unsigned>(layer) & 1U) != 0; }
    Detail detail() const { return m_detail; }
    bool isFailing() const { return m_isFailing; }       // in failure mode a click fails an element and nothing is edited
    bool isConnecting() const { return m_isConnecting; } // a drag connects, without a key
    QSizeF size() const { return m_size(); }
    QRectF area() const { return {QPointF(0, 0), size()}; }
    QRectF seen() const { return {m_view.toWorld(QPointF(0, 0)), m_view.toWorld(area().bottomRight())}; }

    const SceneNode& node(std::size_t index) const { return m_scene.nodes[index]; }
    std::ptrdiff_t nodeAt(QPointF screen) const;
    const SceneCard* cardAt(QPointF screen) const { return m_scene.cardAt(m_view.toWorld(screen)); }
    static bool isHead(const SceneCard& card, QPointF world);
    std::string pathOf(const SceneNode& node) const;
    std::string pathOf(std::size_t node) const { return pathOf(m_scene.nodes[node]); }
    bool isReachable(const SceneNode& node) const;     // callouts on a hidden layer do not react to the mouse
    const CableIndex& cableIndex();                    // for the current scene
    std::shared_ptr<const ServerInsides> insides();    // null while servers are too small to be opened, and until they are found
    void waitForInsides() { m_findingInsides.wait(); } // for tests
    bool isInSight(const QRectF& screen) const { return screen.intersects(area()); }

    const std::set<std::size_t>& selected() const { return m_highlight.selected; }
    const std::set<std::string>& selectedPaths() const { return m_selected; } // valid across scenes
    // The selected cable: a port at one of its ends is the one selected path. A free port can be selected too.
    std::optional<LinkId> selectedCable() const { return m_cable; }
    bool isPortSelected() const;
    void selectCable(LinkId link);
    std::optional<std::pair<std::size_t, int>> selectedPort(); // node and port; empty if none is selected or its device is not drawn
    void select(std::set<std::size_t> nodes);
    void selectPaths(std::set<std::string> paths);
    void hover(std::ptrdiff_t node);
    void highlightRail(int rail); // dims the other rails; 0 for none

    void setTokens(const Tokens& tokens);
    void takeSize();
    void setLayer(Layer layer, bool shown);
    void setDetail(Detail detail);
    void setFailing(bool on);
    void setConnecting(bool on);
    void fit();
    void fitTo(const QRectF& world, double mostScale); // at most this scale
    void centreOn(std::size_t node, double part);      // as large as this part of the area's width
    void goTo(DeviceId device);                        // selects it and brings it into the middle at the present scale
    void show(const QRectF& world);
    void panBy(QPointF screen);
    void reveal(const QRectF& world); // pans as little as shows it
    void zoomAt(QPointF screen, double factor);

    void apply(const Result<Edit>& edit); // a refusal is told
    void refuse(const QString& reason) { emit refused(reason); }

signals:
    void changed();        // what lies above the picture of the scene
    void pictureChanged(); // the picture too
    void sceneChanged();
    void viewChanged(); // scale or place, said in the status bar
    void selectionChanged();
    void modeChanged(); // failing or connecting
    void detailChanged(Detail detail);
    void railChanged();
    void refused(const QString& reason);
    void announced(const Announcement& announced); // of the gesture under way; empty when it has ended

private:
    void rebuild();
    bool isAllInSight() const;
    QRectF roomForAll() const; // on screen
    void moved();
    void takeSelection();

    Document& m_document;
    Tokens m_tokens;
    Scene m_scene;
    quint64 m_sceneNumber = 0;
    ViewState m_view;
    SceneHighlight m_highlight;
    std::set<std::string> m_selected;
    std::optional<LinkId> m_cable;
    std::optional<CableIndex> m_cableIndex; // built on first use
    std::shared_ptr<const ServerInsides> m_insides;
    LatestTask<std::shared_ptr<const ServerInsides>> m_findingInsides;
    bool m_areInsidesAsked = false;
    unsigned m_layers = ~0U;
    Detail m_detail = Detail::Folded;
    std::function<QSizeF()> m_size;
    QSizeF m_lastSize;
    bool m_isFitted = true, m_isFailing = false, m_isConnecting = false;
};

} // namespace railyard
