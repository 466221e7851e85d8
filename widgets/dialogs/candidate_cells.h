// How the cells of the table of candidates are painted: the layout with its name in bold, and what a candidate is best at as tags.
#pragma once

#include "widgets/theme/tokens.h"

#include <QStyledItemDelegate>

namespace railyard {

constexpr int candidateTagsRole = Qt::UserRole; // of a reason: how many of its first lines are tags

// A chosen row keeps the colours of its words.
class CandidateDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    // All of a cell but its words; what these would be painted with.
    QStyleOptionViewItem paintedWithoutText(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
};

// The name of a layout in bold above its settings.
class LayoutDelegate : public CandidateDelegate {
public:
    using CandidateDelegate::CandidateDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Tags next to each other as the width allows, and the other lines below them.
class ReasonDelegate : public CandidateDelegate {
public:
    ReasonDelegate(const Tokens& tokens, QObject* parent) : CandidateDelegate(parent), m_tokens(tokens) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Tokens& m_tokens;
};

} // namespace railyard
