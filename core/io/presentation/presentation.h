// Slides of native shapes as .pptx: text inside its shape, lines glued to the shapes that they join, tables and bar charts that can be
// edited. Positions and sizes are pixels of a page of 1920 × 1080; one is 6,350 EMU. Format: ECMA-376.
#pragma once

#include "core/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace railyard {

struct SlideBox {
    double x = 0, y = 0, width = 0, height = 0;
};

enum class SlideAlign { Left, Middle, Right };
struct SlideText {
    std::string words; // lines end in \n
    double size = 22;  // px
    bool isBold = false;
    std::string color = "1a1f26"; // RRGGBB
    SlideAlign align = SlideAlign::Middle;
};

struct SlideShape {
    enum class Kind { Rectangle, Rounded, Trapezoid, Hexagon, Polygon } kind = Kind::Rectangle;
    SlideBox box;
    std::string fill, line; // RRGGBB; empty: none
    double lineWidth = 1.5; // px
    SlideText text = {};
    std::vector<std::pair<double, double>> outline = {}; // of a polygon, as shares of width and height
    // Where lines can be glued to, as shares of width and height, after the four sides: top, left, bottom, right. A shape with any is drawn
    // as a polygon.
    std::vector<std::pair<double, double>> sites = {};
    std::string name = {};
};

// Glued to sites of shapes; moves with them.
struct SlideLine {
    std::size_t from = 0, to = 0; // of the shapes
    int fromSite = 0, toSite = 2; // 0 top, 1 left, 2 bottom, 3 right, from 4 on those of the shape
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::string color;
    double width = 3;
};

struct SlideTable {
    SlideBox box;
    std::vector<double> columns; // widths
    std::vector<std::vector<SlideText>> rows;
};

struct SlideChart { // bars
    SlideBox box;
    std::string title;
    std::vector<std::string> categories;
    struct Series {
        std::string name, color;
        std::vector<double> values;
    };
    std::vector<Series> series;
};

struct PresentationSlide {
    SlideText title; // in the placeholder of titles
    SlideBox titleBox;
    std::vector<SlideShape> shapes;
    std::vector<SlideLine> lines; // below the shapes
    std::vector<SlideTable> tables;
    std::vector<SlideChart> charts;
};

struct Presentation {
    std::string title, author;
    std::vector<PresentationSlide> slides;
};

// The same presentation gives the same bytes. Errors: those of writing.
Status writePresentation(const Presentation& presentation, const std::string& path);

} // namespace railyard
