#pragma once

#include "widgets/canvas/viewport/canvas_part.h"

namespace railyard {

enum class Align { Row, Column, SpreadAcross, SpreadDown }; // of hand-drawn elements

// Copies, groups, dissolves and aligns what is selected.
class Arranging : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    void copy();
    void paste();
    void duplicate();
    // As near as possible to this distance from the selection; nothing is covered.
    void insert(const Design& part, Point by);
    void group();
    void dissolveBlock(const std::string& path);
    void dissolve(); // the selected block, or the block that contains the selection
    void align(Align how);

private:
    std::vector<std::string> paths() const;
    void applyAndSelect(const Result<Edit>& edit);

    void insertAt(const Design& part, const QRectF& box, QPointF by); // box: of the copied elements, in world units
    QRectF boxOfSelection() const;

    DesignPointer m_copied;
    QRectF m_copiedBox;
};

} // namespace railyard
