// Small pictures of one server for the inspector: what stands in it, and which HB switch each of its GPUs is linked to.
#pragma once

#include "widgets/document/server_facts.h"
#include "widgets/theme/tokens.h"

#include <QWidget>
#include <memory>

namespace railyard {

// NICs in the colours of their rails with their far ends above them, GPUs below them, and what joins the GPUs.
class ServerPicture : public QWidget {
public:
    ServerPicture(std::shared_ptr<const ServerFacts> facts, const Tokens& tokens, int rails, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintNics(QPainter& painter, const QRectF& room, double y);
    void paintGpus(QPainter& painter, const QRectF& room, double y);
    static double middleOf(std::size_t item, std::size_t count, const QRectF& room);

    std::shared_ptr<const ServerFacts> m_facts;
    const Tokens m_tokens;
    const int m_rails;
};

// A row for each GPU and a column for each HB switch, in groups of a tray: full where a link joins them, with its number where several do.
class HbLinkSquares : public QWidget {
public:
    HbLinkSquares(std::shared_ptr<const ServerFacts> facts, const Tokens& tokens, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    static bool fits(const ServerFacts& facts); // whether the squares are readable in the width of the inspector

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const ServerFacts> m_facts;
    const Tokens m_tokens;
};

} // namespace railyard
