// The interactive drawing. It gives the pointer to its tools and paints the scene, the overlays and the tools; all of them see the
// document through the viewport and send edits to it.
#pragma once

#include "widgets/canvas/overlays/halves_overlay.h"
#include "widgets/canvas/overlays/ports_overlay.h"
#include "widgets/canvas/painter/selection_marks.h"
#include "widgets/canvas/tools/arranging.h"
#include "widgets/canvas/tools/cable_tool.h"
#include "widgets/canvas/tools/callout_placing.h"
#include "widgets/canvas/tools/card_tool.h"
#include "widgets/canvas/tools/chip_tool.h"
#include "widgets/canvas/tools/connect_tool.h"
#include "widgets/canvas/tools/count_tool.h"
#include "widgets/canvas/tools/drop_tool.h"
#include "widgets/canvas/tools/fail_tool.h"
#include "widgets/canvas/tools/minimap_tool.h"
#include "widgets/canvas/tools/pan_tool.h"
#include "widgets/canvas/tools/select_tool.h"
#include "widgets/canvas/viewport/viewport.h"

#include <QPixmap>
#include <QWidget>
#include <array>

namespace railyard {

inline constexpr char paletteMimeType[] = "application/x-railyard-palette";

class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(Document& document, QWidget* parent = nullptr);

    void setTokens(const Tokens& tokens) { m_port.setTokens(tokens); }
    const Scene& scene() const { return m_port.scene(); }
    const ViewState& view() const { return m_port.view(); }
    quint64 sceneNumber() const { return m_port.sceneNumber(); } // changes with every new scene
    Detail detail() const { return m_port.detail(); }
    bool isUnfolded() const { return m_port.detail() == Detail::Full; }

    std::vector<std::string> selectedPaths() const { return {m_port.selectedPaths().begin(), m_port.selectedPaths().end()}; }
    void selectPaths(const std::vector<std::string>& paths) { m_port.selectPaths({paths.begin(), paths.end()}); }
    bool isAnySelectedSeen() const { return !m_port.selected().empty(); }
    bool isSelected(std::size_t node) const { return m_port.selected().contains(node); }
    QString cablesText() const { return m_marks.text(); } // cables of the selection

    bool isPortSelected() const { return m_port.isPortSelected(); } // with a cable in it or not
    bool isCableSelected() const { return m_port.selectedCable().has_value(); }
    void setConnecting(bool on) { m_port.setConnecting(on); }
    void setFailing(bool on) { m_port.setFailing(on); }
    bool isFailing() const { return m_port.isFailing(); }
    void setLayer(Layer layer, bool shown) { m_port.setLayer(layer, shown); }
    void highlightRail(int rail) { m_port.highlightRail(rail); }
    int highlightedRail() const { return m_port.highlight().rail; }

    SavedView savedView(const std::string& name) const; // the current view
    void showView(const SavedView& view);
    void showAffected(const std::vector<std::string>& paths); // outlines the elements of the edit scope
    void showFigure(const QString& key); // highlights what a metric counts; key as in railyard-cli explain, empty for none
    const QString& halvesText() const { return m_halves.text(); }
    void addCalloutOfSelection(Callout::Kind kind) { m_callouts.addOfSelection(kind); } // for keyboard use
    void align(Align how) { m_arranging.align(how); }
    QSize sizeHint() const override { return {900, 640}; }

    // For screen readers: the selected nodes first, then other visible nodes, limited to a useful number.
    std::vector<std::size_t> nodesInSight() const;
    QString nameOf(std::size_t node) const { return QString::fromStdString(m_port.pathOf(node)); }
    QString describe(std::size_t node) const;
    CableTool& cableTool() { return m_cable; }         // for tests
    ChipTool& chipTool() { return m_chips; }           // for tests
    void waitForInsides() { m_port.waitForInsides(); } // for tests
    QRectF portRect(std::size_t node, int port) const { return m_ports.rectOf(node, port); }

public slots:
    void fit() { m_port.fit(); }
    void fitSelection();
    void showPort(const std::string& path, int port); // selects the switch and frames the port
    void selectAll();
    void copy() { m_arranging.copy(); }
    void paste() { m_arranging.paste(); }
    void insertCopy(const Design& part) { m_arranging.insert(part, {36, 36}); } // of another window
    void duplicate() { m_arranging.duplicate(); }
    void actOnCable(CableAct act); // of the selection
    void group() { m_arranging.group(); }
    void dissolveBlock(const std::string& path) { m_arranging.dissolveBlock(path); }
    void dissolve() { m_arranging.dissolve(); }
    void setDetail(Detail detail) { m_port.setDetail(detail); }
    void setUnfolded(bool on) { setDetail(on ? Detail::Full : Detail::Folded); }
    // Colours links by utilisation, indexed by link of the design (1 = fully utilised); null restores the rail colours.
    void showLoads(std::shared_ptr<const std::vector<double>> ofLink);
    void showTerritories(const Territories& territories); // colours servers by job; empty removes the colours
    void showHops(const Hops& hops);                      // draws arrows between senders and receivers; empty removes them
    void addFromPalette(const std::string& name);         // for keyboard use: adds the item at the centre
    void zoomBy(double factor) { m_port.zoomAt(m_port.area().center(), factor); }
    void panBy(QPointF screen) { m_port.panBy(screen); }

signals:
    void menuAsked(QPoint global); // for the selection
    void bundleMenuAsked(const railyard::SceneBundle& bundle, QPoint global);
    void connectingChanged(bool on);
    void selectionChanged();
    void refused(const QString& reason);
    void announced(const Announcement& announced); // what the gesture under way would do; empty when it has ended
    void said(const QString& text);                // description of the drawing for the status bar
    void detailChanged(Detail detail);
    void scopeAsked(int scope);                 // keys 1 to 4: this element, its position in the pod, in every SU, all
    void failAsked(const std::string& path);    // in failure mode
    void calloutWanted(const Callout& callout); // the window asks for its text or picture
    void calloutOpened(int index);              // double click

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;

private:
    void connectViewport();
    void takeScene();
    void takeSelection();
    void takeLoads();
    void redraw(); // the picture of the scene too
    void say();
    void stepSelection(int by);
    const SceneBundle* bundleAt(QPointF at) const;
    bool selectCardAt(QPointF at);
    void foldAgain();
    void hoverAt(QPointF at);
    QString hintAt(QPointF at) const;
    QCursor restingCursor() const;
    static DropReach reachOf(Qt::KeyboardModifiers keys);
    bool isSelectionInPicture() const { return m_port.selected().size() > 400; } // too many to redraw in every frame
    void paintPicture();
    void paintAffected(QPainter& painter);

    Viewport m_port;
    HalvesOverlay m_halves;
    PortsOverlay m_ports;
    CalloutPlacing m_callouts;
    Arranging m_arranging;
    PanTool m_pan;
    MinimapTool m_minimap;
    FailTool m_fail;
    ChipTool m_chips;
    CountTool m_counts;
    CardTool m_cardTool;
    ConnectTool m_connect;
    CableTool m_cable;
    SelectTool m_select;
    DropTool m_drop;
    // In the order in which they are offered a press.
    const std::array<Tool*, 9> m_tools{&m_pan, &m_minimap, &m_fail, &m_chips, &m_counts, &m_cardTool, &m_connect, &m_cable, &m_select};
    Tool* m_active = nullptr; // has the pointer until it is released

    std::optional<Detail> m_detailBefore;               // while the drawing is unfolded for failures
    std::set<std::size_t> m_affected;                   // node indices
    std::shared_ptr<const std::vector<double>> m_loads; // indexed by link
    Hops m_hops;
    Territories m_territories;
    std::vector<double> m_bundleLoads, m_nodeLoads; // by bundle and by node of the scene; empty if no loads are shown
    SelectionMarks m_marks;                         // what the selection is connected to
    QPixmap m_picture;                              // the static part of the scene, redrawn when view or scene change
    ScenePainter::Tiles m_tiles;                    // valid for m_tileScale
    double m_tileScale = 0;
    bool m_wasSelectionInPicture = false, m_focusByKey = false;
};

} // namespace railyard
