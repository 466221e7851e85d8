// The drawing: zoom, pan, select, drag, drop, connect, count handles. It shows a document and asks it for edits.
#pragma once

#include "widgets/canvas/link_overlay.h"
#include "widgets/canvas/scene_painter.h"
#include "widgets/document/document.h"

#include <QPixmap>
#include <QWidget>
#include <functional>
#include <map>

namespace railyard {

inline constexpr char paletteMimeType[] = "application/x-railyard-palette";

// A way to cable what was pressed with what it was dragged to, in words with its count.
struct ConnectChoice {
    QString words;
    std::function<Result<Edit>()> edit; // of the design as it is now
};

class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(Document& document, QWidget* parent = nullptr);

    void setTokens(const Tokens& tokens);
    const Scene& scene() const { return m_scene; }
    const ViewState& view() const { return m_view; }
    std::vector<std::string> selectedPaths() const;
    QString cablesText() const { return m_cables.text(); } // of the selection
    void selectPaths(const std::vector<std::string>& paths);
    bool isAnySelectedSeen() const { return !m_highlight.selected.empty(); }
    void setConnecting(bool on);
    void setFailing(bool on); // a click then asks for what fails, and nothing is edited
    bool isFailing() const { return m_failing; }
    void setLayer(Layer layer, bool shown);
    SavedView savedView(const std::string& name) const; // what is seen now
    void showView(const SavedView& view);
    void highlightRail(int rail); // the other rails step back; 0 for none
    int highlightedRail() const { return m_highlight.rail; }
    void showAffected(const std::vector<std::string>& paths); // what the next edit takes in beside the selection
    void showScopes(const QString& words);                    // beside the selection: whom an edit can be meant for, with keys
    void showFigure(const QString& key);                      // what it counts, as in railyard-cli explain; empty for nothing
    const QString& halvesText() const { return m_halvesText; }
    bool isUnfolded() const { return m_detail == Detail::Full; }
    Detail detail() const { return m_detail; }
    void addCalloutOfSelection(Callout::Kind kind);             // the keyboard way
    enum class Align { Row, Column, SpreadAcross, SpreadDown }; // of what was drawn by hand
    void align(Align how);
    QSize sizeHint() const override { return {900, 640}; }
    // For screen readers: what is selected, then what else can be seen, as much as one listens to.
    std::vector<std::size_t> nodesInSight() const;
    QString nameOf(std::size_t node) const;
    QString describe(std::size_t node) const;
    QRectF portRect(std::size_t node, int port) const; // px; empty where ports are too small to be seen
    bool isSelected(std::size_t node) const { return m_highlight.selected.contains(node); }
    quint64 sceneNumber() const { return m_sceneNumber; } // another one after every edit

public slots:
    void fit();
    void fitSelection();
    void selectAll();
    void copy();
    void paste();
    void duplicate();
    void group(); // of what is selected, drawn by hand
    void dissolveBlock(const std::string& path);
    void dissolve(); // the block that is selected, or that the selection stands in
    void setDetail(Detail detail);
    // Colours links by what they carry: by link of the design, 1 = all they can; null for the colours of rails.
    void showLoads(std::shared_ptr<const std::vector<double>> ofLink);
    void showTerritories(const Territories& territories); // of jobs, over the servers; empty to take them away
    void showHops(const Hops& hops);                      // over the drawing; none to take them away
    void setUnfolded(bool on) { setDetail(on ? Detail::Full : Detail::Folded); }
    void addFromPalette(const std::string& name); // the keyboard way: at the centre
    void zoomBy(double factor);
    void panBy(QPointF screen);

signals:
    void selectionChanged();
    void refused(const QString& reason);
    void said(const QString& text); // what is drawn and how, for the status bar
    void detailChanged(Detail detail);
    void scopeAsked(int scope);                 // keys 1 to 4: this one, its rank in the pod, everywhere, all
    void blockAsked(const std::string& path);   // double click, or Enter: what the block there holds
    void failAsked(const std::string& path);    // while failing
    void calloutWanted(const Callout& callout); // whose words or picture have to be asked for
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
    const CableIndex& cableIndex(); // of the present scene
    std::string pathOf(const SceneNode& node) const;
    std::ptrdiff_t nodeAt(QPointF screen) const;
    void setSelection(std::set<std::size_t> nodes);
    bool isSelectionInPicture() const { return m_highlight.selected.size() > 400; } // too many to draw in every frame
    struct CountHandle { // dragged along its axis: one count more or less a pitch
        QRectF rect;
        TierStep what = TierStep::ScalableUnits;
        double pitch = 1; // px
        bool down = false;
        QString hint;
    };
    std::vector<CountHandle> countHandles() const;
    const CountHandle* countHandleAt(const std::vector<CountHandle>& all, QPointF screen) const;
    Result<Edit> countEdit(int steps) const; // of the handle that is held
    void paintCount(QPainter& painter);
    QStringList effectOf(const Result<Edit>& tried) const; // in words, for the tip at the pointer
    void finishMove(bool copying = false);
    int copiesOfRecipe() const;
    Result<Edit> copyOfUnit(bool apart) const; // of the SU whose head was dragged
    void insert(const Design& part, Point by);
    void applyAndSelect(const Result<Edit>& edit);
    std::vector<ConnectChoice> connectChoices(std::size_t from, std::size_t to) const; // nodes of the scene
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
    Point asideOf(Callout::Kind kind, const QRectF& about) const; // where it stands beside it
    Point spotOf(Callout::Kind kind, const QRectF& about, const QRectF& rect) const;
    void askForCallout(const Callout& callout);
    Result<Edit> tieCallout(const SceneNode& from, const SceneNode& to) const;
    struct PortGrid { // px
        QPointF at;
        double pitch = 0;
        int columns = 1, count = 0;
        QRectF rectOf(int port) const;
    };
    std::optional<PortGrid> portGridOf(std::size_t node) const;
    std::optional<int> portAt(QPointF screen) const;
    std::string endPath(std::size_t node, std::optional<int> port) const; // leaf[1], leaf[1]:17
    std::set<int> takenPorts(std::size_t node);
    void paintPorts(QPainter& painter);
    void paintScopes(QPainter& painter) const;
    struct Snap {
        QPointF by;                        // world
        std::optional<double> row, column; // the lines it came to rest on
    };
    Snap snap() const;
    void paintGuides(QPainter& painter, const Snap& snap) const;
    void takeLoads();
    bool takeFailed(); // true where something that failed is folded away
    bool isShown(const SceneNode& node) const;
    bool pressToFail(QPointF screen);
    void paintFailed(QPainter& painter) const;
    static bool isHead(const SceneCard& card, QPointF world);
    void takeHalves();
    void paintHalves(QPainter& painter) const;
    void paintGesture(QPainter& painter);
    void paintMoved(QPainter& painter) const;
    QRectF minimap() const; // screen; empty where all can be seen
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
    std::set<std::size_t> m_affected; // nodes
    std::set<std::string> m_selected; // paths: they outlive the scene
    QString m_figure, m_halvesText, m_scopes;
    std::vector<std::pair<std::size_t, double>> m_halves; // of nodes: the part on side A of the bisection that is shown
    std::vector<std::pair<std::size_t, bool>> m_failed;   // nodes: all of it, or a part
    std::shared_ptr<const std::vector<double>> m_loads;   // by link
    Hops m_hops;
    Territories m_territories;
    std::vector<double> m_bundleLoads, m_nodeLoads; // by bundle and node of the scene; empty where none are shown
    std::optional<CableIndex> m_cableIndex;         // when first needed
    LinkOverlay m_cables;                           // of the selection
    QPixmap m_picture;                              // the scene without what moves; redrawn when view or scene change
    QPixmap m_overview;                             // of all, for the minimap; made when first needed
    int m_wheelTurned = 0;                          // over a chip, not yet a notch
    ScenePainter::Tiles m_tiles;                    // of m_tileScale
    double m_tileScale = 0;
    unsigned m_layers = ~0U; // bits of Layer
    bool m_isSingle = false; // cables are drawn one by one
    Detail m_detail = Detail::Folded;
    bool m_fitted = true, m_connecting = false, m_failing = false, m_spaceHeld = false, m_focusByKey = false;
    Gesture m_gesture = Gesture::None;
    QPointF m_pressedAt, m_lastAt;
    std::size_t m_pressedCard = 0;
    std::optional<int> m_pressedPort;
    std::ptrdiff_t m_pressedNode = -1, m_toggleOnRelease = -1; // a click with Ctrl on what is selected; a drag copies it
    DesignPointer m_copied;
    int m_pastes = 0;
    CountHandle m_count; // held
    int m_countSteps = 0;
    QString m_countLabel; // of what the tip says
    QStringList m_countText;
    // What a drop would do, tried on the design while hovering.
    QByteArray m_dropItem;
    QPointF m_dropAt, m_dropEntered;
    QString m_dropLabel;
    QStringList m_dropText;
    bool m_dropRefused = false, m_dropOffRung = false;
};

} // namespace railyard
