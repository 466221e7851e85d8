// The effect of an edit that a drag would make, as lines at the pointer: its description at once, its figures when a worker has
// computed them. A large design takes a second for them, in which the drag goes on.
#pragma once

#include "core/analysis/edit_effect.h"
#include "core/design/edits/edit_result.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"

#include <QStringList>
#include <functional>

namespace railyard {

class EditPreview {
public:
    EditPreview(const Document& document, std::function<void()> changed); // calls `changed` when figures have arrived

    // `notes` stand below the figures. Nothing is computed again while the description stays the same.
    void show(const Result<Edit>& tried, const QStringList& notes = {});
    void clear();
    QStringList lines() const;
    bool isRefused() const { return m_isRefused; }
    void wait() { m_effects.wait(); } // for tests

private:
    QStringList changesOf(const EditEffect& effect) const;

    const Document& m_document;
    std::function<void()> m_changed;
    DesignPointer m_tried;
    QString m_words;
    QStringList m_figures, m_notes;
    bool m_isRefused = false;
    LatestTask<EditEffect> m_effects;
};

} // namespace railyard
