// The effect of an edit that a drag would make, as lines at the pointer: its description at once, its figures when a worker has
// computed them. A large design takes a second for them, in which the drag goes on.
#pragma once

#include "core/analysis/edit_effect.h"
#include "core/design/edits/edit_result.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"

#include <QStringList>
#include <functional>
#include <vector>

namespace railyard {

// What the window says of it while the pointer is down.
struct Announcement {
    struct Figure {
        QString what, before, after;
        bool isInTip = true; // stands at the pointer too if it changes
        bool operator==(const Figure&) const = default;
    };
    struct Goal { // a target of the design after the edit
        QString words;
        bool isMet = false;
        bool operator==(const Goal&) const = default;
    };
    QString words;                               // empty: nothing is announced
    bool isRefused = false, isComputing = false; // its figures are on their way
    std::vector<Figure> figures;
    std::vector<Goal> goals = {}; // those whose figures are known before the drop
    QString tiers = {};           // a tier more or less, with what it brings; empty if their number stays
    bool operator==(const Announcement&) const = default;
};

class EditPreview {
public:
    EditPreview(const Document& document, std::function<void()> changed); // calls `changed` when figures have arrived

    // `notes` stand below the figures. Nothing is computed again while the description stays the same.
    void show(const Result<Edit>& tried, const QStringList& notes = {});
    void clear();
    QStringList lines() const;
    bool isRefused() const { return m_said.isRefused; }
    const Announcement& announcement() const { return m_said; }
    const FabricPointer& fabric() const { return m_fabric; } // what would be built; null until it is known
    void wait() { m_effects.wait(); }                        // for tests

private:
    std::vector<Announcement::Figure> figuresOf(const EditEffect& effect) const;
    QString tiersOf(const EditEffect& effect) const;
    std::vector<Announcement::Goal> goalsOf(const EditEffect& effect) const;

    const Document& m_document;
    std::function<void()> m_changed;
    DesignPointer m_tried;
    FabricPointer m_fabric;
    Announcement m_said;
    QStringList m_notes;
    LatestTask<EditEffect> m_effects;
};

} // namespace railyard
