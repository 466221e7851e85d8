// The interactive drawing: zoom, pan, selection, drag and drop, connecting and count handles. It shows a document and sends edits to it.
#pragma once

#include "widgets/canvas/painter/link_overlay.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"

#include <QPixmap>
#include <QWidget>
#include <functional>
#include <map>

namespace railyard {

inline constexpr char paletteMimeType[] = "application/x-railyard-palette";

// One choice of how to cable the pressed element to the drop target, with its text and edit.
struct ConnectChoice {
    QString words;
    std::function<Result<Edit>()> edit; // computed on the current design
};

class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(Document& document, QWidget* parent = nullptr);

    void setTokens(const Tokens& tokens);
    const Scene& scene() const { return m_scene; }
    const ViewState& view() const { return m_view; }
    std::vector<std::string> selectedPaths() const;
    QString cablesText() const { return m_cables.text(); } // cables of the selection
    void selectPaths(const std::vector<std::string>& paths);
    bool isAnySelectedSeen() const { return !m_highlight.selected.empty(); }
    void setConnecting(bool on);
    void setFailing(bool on); // in failure mode a click fails an element and nothing is edited
    bool isFailing() const { return m_failing; }
    void setLayer(Layer layer, bool shown);
    SavedView savedView(const std::string& name) const; // the current view
    void showView(const SavedView& view);
    void highlightRail(int rail); // dims the other rails; 0 for none
    int highlightedRail() const { return m_highlight.rail; }
    void showAffected(const std::vector<std::string>& paths); // outlines the elements of the edit scope
    void showScopes(const RichText& words);                   // shows the possible edit scopes with their keys next to the selection
    void showFigure(const QString& key); // highlights what a metric counts; key as in railyard-cli explain, empty for none
    const QString& halvesText() const { return m_halvesText; }
    bool isUnfolded() const { return m_detail == Detail::Full; }
    Detail detail() const { return m_detail; }
    void addCalloutOfSelection(Callout::Kind kind);             // for keyboard use: attaches it to the selection
    enum class Align { Row, Column, SpreadAcross, SpreadDown }; // for hand-drawn elements
    void align(Align how);
    QSize sizeHint() const override { return {900, 640}; }
    // For screen readers: the selected nodes first, then other visible nodes, limited to a useful number.
    std::vector<std::size_t> nodesInSight() const;
    QString nameOf(std::size_t node) const;
    QString describe(std::size_t node) const;
    QRectF portRect(std::size_t node, int port) const; // px; empty if ports are too small to be drawn
    bool isSelected(std::size_t node) const { return m_highlight.selected.contains(node); }
    quint64 sceneNumber() const { return m_sceneNumber; } // changes with every new scene

public slots:
    void fit();
    void fitSelection();
    void selectAll();
    void copy();
    void paste();
    void duplicate();
    void group(); // groups the selected hand-drawn elements
    void dissolveBlock(const std::string& path);
    void dissolve(); // dissolves the selected block, or the block that contains the selection
    void setDetail(Detail detail);
    // Colours links by utilisation, indexed by link of the design (1 = fully utilised); null restores the rail colours.
    void showLoads(std::shared_ptr<const std::vector<double>> ofLink);
    void showTerritories(const Territories& territories); // colours servers by job; empty removes the colours
    void showHops(const Hops& hops);                      // draws arrows between senders and receivers; empty removes them
    void setUnfolded(bool on) { setDetail(on ? Detail::Full : Detail::Folded); }
    void addFromPalette(const std::string& name); // for keyboard use: adds the item at the centre
    void zoomBy(double factor);
    void panBy(QPointF screen);

signals:
    void selectionChanged();
    void refused(const QString& reason);
    void said(const QString& text); // description of the drawing for the status bar
    void detailChanged(Detail detail);
    void scopeAsked(int scope);                 // keys 1 to 4: this element, its position in the pod, in every SU, all
    void blockAsked(const std::string& path);   // double click or Enter: opens the block
    void failAsked(const std::string& path);    // in failure mode
    void calloutWanted(const Callout& callout); // the window asks for its text or picture
    void calloutOpened(int index);              // double click

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
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
    enum class Gesture { None, Pan, Rubber, Move, Connect, Count, CopyUnit, Minimap };

    void rebuild();
    void say();
    void takeCables();
    LinkOverlay cablesFromCloseBy();
    const CableIndex& cableIndex(); // for the current scene
    std::string pathOf(const SceneNode& node) const;
    std::ptrdiff_t nodeAt(QPointF screen) const;
    void setSelection(std::set<std::size_t> nodes);
    bool isSelectionInPicture() const { return m_highlight.selected.size() > 400; } // too many to redraw in every frame
    struct CountHandle { // dragged along its axis; the count changes by one for each pitch
        QRectF rect;
        TierStep what = TierStep::ScalableUnits;
        double pitch = 1; // px of pointer movement
        bool down = false;
        QString hint;
    };
    std::vector<CountHandle> countHandles() const;
    const CountHandle* countHandleAt(const std::vector<CountHandle>& all, QPointF screen) const;
    Result<Edit> countEdit(int steps) const; // for the handle being dragged
    void paintCount(QPainter& painter);
    void finishMove(bool copying = false);
    int copiesOfRecipe() const;
    Result<Edit> copyOfUnit(bool apart) const; // copies the SU whose header was dragged
    void insert(const Design& part, Point by);
    void applyAndSelect(const Result<Edit>& edit);
    std::vector<ConnectChoice> connectChoices(std::size_t from, std::size_t to) const; // indices of scene nodes
    void finishConnect(QPointF screen);
    struct Chip {
        QRectF rect;
        QString words, hint;
        TierStep step;
    };
    std::vector<Chip> chips() const;
    static const Chip* chipAt(const std::vector<Chip>& all, QPointF screen);
    void turn(const Chip& chip, int step);
    void paintChips(QPainter& painter) const;
    std::optional<Callout> calloutFor(const std::string& name, QPointF screen) const;
    Callout calloutOfSelection(const Callout& wanted) const;
    Point asideOf(Callout::Kind kind, const QRectF& about) const; // position of a new callout next to its element
    Point spotOf(Callout::Kind kind, const QRectF& about, const QRectF& rect) const;
    void askForCallout(const Callout& callout);
    Result<Edit> tieCallout(const SceneNode& from, const SceneNode& to) const;
    struct PortGrid { // in px
        QPointF at;
        double pitch = 0;
        int columns = 1, count = 0;
        QRectF rectOf(int port) const;
    };
    std::optional<PortGrid> portGridOf(std::size_t node) const;
    std::optional<int> portAt(QPointF screen) const;
    std::string endPath(std::size_t node, std::optional<int> port) const; // "leaf[1]" or "leaf[1]:17"
    std::set<int> takenPorts(std::size_t node);
    void paintPorts(QPainter& painter);
    void paintScopes(QPainter& painter) const;
    struct Snap {
        QPointF by;                        // in world units
        std::optional<double> row, column; // the guides it snapped to
    };
    Snap snap() const;
    void paintGuides(QPainter& painter, const Snap& snap) const;
    void takeLoads();
    bool takeFailed(); // true if a failed element is hidden in a fold
    bool isShown(const SceneNode& node) const;
    bool pressToFail(QPointF screen);
    void paintFailed(QPainter& painter) const;
    static bool isHead(const SceneCard& card, QPointF world);
    void takeHalves();
    void paintHalves(QPainter& painter) const;
    void paintGesture(QPainter& painter);
    void paintMoved(QPainter& painter) const;
    QRectF minimap() const; // in screen coordinates; empty if the whole drawing is visible
    void paintMinimap(QPainter& painter);
    void centreOn(QPointF onMinimap);
    void paintDropPreview(QPainter& painter);
    void paintTip(QPainter& painter, QPointF at, const QStringList& lines, bool refusal) const;
    Result<Edit> dropAt(const std::string& name, QPointF at) const;
    void previewDrop(const QByteArray& name, QPointF at);
    QStringList spineWords(const Design& before, const Design& after) const;

    Document& m_document;
    Tokens m_tokens;
    Scene m_scene;
    quint64 m_sceneNumber = 0;
    ViewState m_view;
    SceneHighlight m_highlight;
    std::set<std::size_t> m_affected; // node indices
    std::set<std::string> m_selected; // paths, which stay valid across scenes
    QString m_figure, m_halvesText;
    RichText m_scopes;
    std::vector<std::pair<std::size_t, double>> m_halves; // node and its share on side A of the shown bisection
    std::vector<std::pair<std::size_t, bool>> m_failed;   // node, and whether all of it has failed
    std::shared_ptr<const std::vector<double>> m_loads;   // indexed by link
    Hops m_hops;
    Territories m_territories;
    std::vector<double> m_bundleLoads, m_nodeLoads; // indexed by bundle and by node of the scene; empty if no loads are shown
    std::optional<CableIndex> m_cableIndex;         // built on first use
    LinkOverlay m_cables;                           // cables of the selection
    QPixmap m_picture;                              // the static part of the scene, redrawn when view or scene change
    QPixmap m_overview;                             // the whole drawing for the minimap, built on first use
    int m_wheelTurned = 0;                          // wheel movement over a chip that is not a full notch yet
    ScenePainter::Tiles m_tiles;                    // valid for m_tileScale
    double m_tileScale = 0;
    unsigned m_layers = ~0U; // bits of Layer
    bool m_isSingle = false; // cables are drawn individually
    Detail m_detail = Detail::Folded;
    bool m_fitted = true, m_connecting = false, m_failing = false, m_spaceHeld = false, m_focusByKey = false;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressedAt, m_lastAt;
    std::size_t m_pressedCard = 0;
    std::optional<int> m_pressedPort;
    std::ptrdiff_t m_pressedNode = -1,
                   m_toggleOnRelease = -1; // Ctrl-click on a selected node toggles it on release, because a Ctrl-drag copies
    DesignPointer m_copied;
    int m_pastes = 0;
    CountHandle m_count; // the handle being dragged
    int m_countSteps = 0;
    EditPreview m_preview; // of the count that is dragged, or of a drop at the pointer
    QByteArray m_dropItem;
    QPointF m_dropAt, m_dropEntered;
    bool m_dropOffRung = false;
};

} // namespace railyard
