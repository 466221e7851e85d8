#include "widgets/canvas/canvas_accessible.h"

#include "widgets/canvas/canvas.h"

#include <QAccessibleWidget>

namespace railyard {
namespace {

class AccessibleElement : public QAccessibleInterface {
public:
    AccessibleElement(Canvas& canvas, std::size_t node) : m_canvas(&canvas), m_node(node), m_scene(canvas.sceneNumber()) {}

    bool isValid() const override { return m_canvas && m_canvas->sceneNumber() == m_scene && m_node < m_canvas->scene().nodes.size(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_canvas); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}
    QString text(QAccessible::Text kind) const override {
        if (!isValid()) return {};
        return kind == QAccessible::Name          ? m_canvas->nameOf(m_node)
               : kind == QAccessible::Description ? m_canvas->describe(m_node)
                                                  : QString();
    }
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect own = m_canvas->view().toScreen(m_canvas->scene().nodes[m_node].rect).toRect();
        return {m_canvas->mapToGlobal(own.topLeft()), own.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = state.multiSelectable = state.focusable = true;
        state.invalid = !isValid();
        state.selected = isValid() && m_canvas->isSelected(m_node);
        return state;
    }
    std::size_t node() const { return m_node; }

private:
    QPointer<Canvas> m_canvas;
    std::size_t m_node;
    quint64 m_scene;
};

// Children are created on request, and discarded when the scene changes.
class AccessibleCanvas : public QAccessibleWidget {
public:
    explicit AccessibleCanvas(Canvas& canvas) : QAccessibleWidget(&canvas, QAccessible::List), m_canvas(canvas) {}
    ~AccessibleCanvas() override { forget(); }

    int childCount() const override { return static_cast<int>(m_canvas.nodesInSight().size()); }
    QAccessibleInterface* child(int index) const override {
        const std::vector<std::size_t> nodes = m_canvas.nodesInSight();
        return index >= 0 && static_cast<std::size_t>(index) < nodes.size() ? elementOf(nodes[static_cast<std::size_t>(index)]) : nullptr;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const SceneNode* node = m_canvas.scene().nodeAt(m_canvas.view().toWorld(m_canvas.mapFromGlobal(QPointF(x, y))));
        return node ? elementOf(static_cast<std::size_t>(node - m_canvas.scene().nodes.data())) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* element = dynamic_cast<const AccessibleElement*>(child);
        if (!element || !element->isValid()) return -1;
        const std::vector<std::size_t> nodes = m_canvas.nodesInSight();
        const auto found = std::find(nodes.begin(), nodes.end(), element->node());
        return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
    }

private:
    QAccessibleInterface* elementOf(std::size_t node) const {
        if (m_scene != m_canvas.sceneNumber()) forget();
        m_scene = m_canvas.sceneNumber();
        const auto known = m_children.find(node);
        if (known != m_children.end()) return QAccessible::accessibleInterface(known->second);
        auto* element = new AccessibleElement(m_canvas, node);
        m_children[node] = QAccessible::registerAccessibleInterface(element);
        return element;
    }
    void forget() const {
        for (const auto& [node, id] : m_children) QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
    }

    Canvas& m_canvas;
    mutable std::map<std::size_t, QAccessible::Id> m_children; // indexed by node
    mutable quint64 m_scene = 0;
};

} // namespace

QAccessibleInterface* accessibleCanvas(const QString&, QObject* object) {
    auto* canvas = qobject_cast<Canvas*>(object);
    return canvas ? new AccessibleCanvas(*canvas) : nullptr;
}

} // namespace railyard
