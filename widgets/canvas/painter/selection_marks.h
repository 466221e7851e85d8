// What the selection is connected to: its part of the lanes and bundles, accented and with counts, and its branches into tier bars and SU
// cards. The rest of the drawing stays as it is.
#pragma once

#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/painted_scene.h"

namespace railyard {

class SelectionMarks {
public:
    SelectionMarks() = default;
    SelectionMarks(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected);

    void paint(QPainter& painter, const Tokens& tokens, const ViewState& view) const;
    // The rails whose lines keep their colour while others are dimmed; empty: all.
    const std::set<int>& litRails() const { return m_litRails; }

    // A single cable of the selection, inside the bundles that it runs in.
    struct Thread {
        LinkId link;
        QPolygonF path; // world units, from the selected switch to the far port
        std::uint32_t farNode = none;
        int rail = 0;
    };
    std::optional<Thread> threadAt(QPointF screen, const ViewState& view) const; // at one of the branches
    std::optional<Thread> threadOf(LinkId link) const;                           // none if it leads to no branch
    // The selected cable is wider than the one below the pointer, and keeps the colour of its rail.
    void paintThread(QPainter& painter, const Thread& thread, bool isSelected, const Scene& scene, const Tokens& tokens,
                     const ViewState& view) const;
    QString text() const; // cables of the selection, for the status bar; empty if there are none
    void paintCounts(QPainter& painter, const Tokens& tokens, const ViewState& view) const; // above all lines

    static constexpr std::size_t mostLinks = 20'000; // of larger selections nothing is marked

private:
    struct Accent {     // a bundle, or the part of a lane that the selection uses
        QPolygonF path; // world units, as all below
        int rail = 0, links = 0;
        bool isJoined = false; // runs into other lines at its ends, else it ends at a shape
        QString pill;          // "32 of 128"; empty if none is shown
        QPointF pillAt;
    };
    struct Tick {
        double x = 0, end = 0;
        int links = 1;
        std::vector<LinkId> of; // these links
        std::uint32_t farNode = none;
        // Up to four links have a stroke each, from five on they share one.
        int strokes() const { return links <= 4 ? links : 1; }
        double strokeX(int stroke) const { return x + (stroke - (strokes() - 1) / 2.0) * strokePitch; }
    };
    static constexpr double strokePitch = 6;
    struct Rake { // a stroke from which ticks lead to switches or NICs
        double y = 0, left = 0, right = 0, trunk = 0;
        int rail = 0;
        bool isDown = false; // ticks lead down, to NICs
        std::vector<Tick> ticks;
        QPolygonF way = {}; // from the selected switch to the rake
    };
    Thread threadOf(const Rake& rake, const Tick& tick, int stroke) const;
    struct Count { // beside a selected element
        QRectF node;
        int rail = 0, up = 0, down = 0;
    };
    struct Trunk {
        QPolygonF path;
        int rail = 0;
    };
    void takeBundles(const Scene& scene, const std::map<std::size_t, int>& linksOfBundle);
    void takeBranches(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected);
    void branchIntoCards(const Scene& scene, const Fabric& fabric, const CableIndex& index, std::size_t leaf);
    void branchIntoBars(const Scene& scene, const Fabric& fabric, const CableIndex& index, std::size_t leaf);

    std::vector<Accent> m_accents;
    std::vector<Trunk> m_trunks;
    std::vector<Rake> m_rakes;
    std::vector<Count> m_counts;
    std::set<int> m_litRails;
    int m_rails = 0;
    std::int64_t m_cables = 0, m_hidden = 0; // cables of the selection; those with an end hidden in a fold
};

} // namespace railyard
