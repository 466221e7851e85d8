#pragma once

#include "widgets/canvas/overlays/ports_overlay.h"
#include "widgets/canvas/tools/callout_placing.h"
#include "widgets/canvas/tools/tool.h"
#include "widgets/document/latest_task.h"

#include <functional>

namespace railyard {

// Cabling by hand: from a port or a connector, or with Alt or in connect mode from an element, to another one or to its whole row.
class ConnectTool : public Tool {
public:
    ConnectTool(Viewport& port, const PortsOverlay& ports, const CalloutPlacing& callouts, QWidget& menuParent);

    bool press(const Press& press) override;
    void move(QPointF at) override;
    void release(QPointF at, Qt::KeyboardModifiers keys) override;
    void cancel() override;
    void paint(QPainter& painter) override;
    std::optional<Control> controlAt(QPointF at) const override;

private:
    struct Choice { // how to cable the pressed element to the target
        QString words;
        std::function<Result<Edit>()> edit; // computed on the current design
    };
    struct Aim {
        std::ptrdiff_t node = -1;
        std::optional<int> port;
        bool operator==(const Aim&) const = default;
    };
    struct Tried {
        QString words;
        bool isRefused = false;
    };
    const SceneNode& fromNode() const { return m_port.node(static_cast<std::size_t>(m_from)); }
    // Plus signs above and below the element that the pointer is on: a drag from there connects it to the tier above or below.
    std::optional<std::size_t> connectorAt(QPointF at) const; // the node
    bool hasConnectors(std::size_t node) const;
    void paintConnectors(QPainter& painter) const;
    void aimAt(QPointF at);
    std::function<Tried()> tryIt() const;
    void show(const Tried& tried);
    std::vector<Choice> choices(std::size_t from, std::size_t to) const;

    const PortsOverlay& m_ports;
    const CalloutPlacing& m_callouts;
    QWidget& m_menuParent;
    bool m_isDragging = false;
    std::ptrdiff_t m_from = -1;
    std::optional<int> m_fromPort;
    mutable QPointF m_pointer; // of the last hover
    QPointF m_pressedAt, m_lastAt;
    Aim m_aim;
    Tried m_shown;
    LatestTask<Tried> m_tried;
};

} // namespace railyard
