#include "core/io/presentation/presentation.h"

#include "core/base/file.h"
#include "core/base/zip_file.h"
#include "core/io/presentation/presentation_parts.h"
#include "core/io/tables/workbook.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace railyard {
namespace {

constexpr double emuOfPixel = 6350; // 12,192,000 EMU are 1,920 px
constexpr std::int64_t pageWidth = 12192000, pageHeight = 6858000;

std::int64_t emu(double pixels) { return std::llround(pixels * emuOfPixel); }

struct Place { // in EMU, inside the page
    std::int64_t x = 0, y = 0, width = 0, height = 0;
};
Place placeOf(const SlideBox& box) {
    Place place{std::clamp(emu(box.x), std::int64_t{0}, pageWidth), std::clamp(emu(box.y), std::int64_t{0}, pageHeight), 0, 0};
    place.width = std::clamp(emu(box.width), std::int64_t{0}, pageWidth - place.x);
    place.height = std::clamp(emu(box.height), std::int64_t{0}, pageHeight - place.y);
    return place;
}
std::string transform(const Place& place, const std::string& flips = {}) {
    return fmt::format("<a:xfrm{}><a:off x=\"{}\" y=\"{}\"/><a:ext cx=\"{}\" cy=\"{}\"/></a:xfrm>", flips, place.x, place.y, place.width,
                       place.height);
}

std::string fillXml(const std::string& color) {
    return color.empty() ? std::string("<a:noFill/>") : fmt::format("<a:solidFill><a:srgbClr val=\"{}\"/></a:solidFill>", color);
}
std::string lineXml(const std::string& color, double width) {
    return color.empty() ? std::string("<a:ln><a:noFill/></a:ln>") : fmt::format("<a:ln w=\"{}\">{}</a:ln>", emu(width), fillXml(color));
}

std::string paragraphs(const SlideText& text) {
    static constexpr const char* alignments[] = {"l", "ctr", "r"};
    std::string all;
    for (std::size_t begin = 0; begin <= text.words.size();) {
        const std::size_t end = std::min(text.words.find('\n', begin), text.words.size());
        const std::string line = text.words.substr(begin, end - begin);
        const std::string style = fmt::format("lang=\"en-US\" sz=\"{}\" b=\"{}\"", std::llround(text.size * 50), text.isBold ? 1 : 0);
        all += fmt::format("<a:p><a:pPr algn=\"{}\"/>", alignments[static_cast<std::size_t>(text.align)]);
        if (!line.empty())
            all += fmt::format("<a:r><a:rPr {}>{}</a:rPr><a:t>{}</a:t></a:r>", style, fillXml(text.color), escapedXml(line));
        else
            all += fmt::format("<a:endParaRPr {}/>", style);
        all += "</a:p>";
        begin = end + 1;
    }
    return all;
}
std::string body(const SlideText& text, const char* tag, bool isWrapped) {
    return fmt::format(
        "<{0}><a:bodyPr wrap=\"{1}\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"ctr\" rtlCol=\"0\"/><a:lstStyle/>{2}</{0}>", tag,
        isWrapped ? "square" : "none", paragraphs(text));
}

std::string preset(const char* name, const std::string& adjustments = {}) {
    return fmt::format("<a:prstGeom prst=\"{}\"><a:avLst>{}</a:avLst></a:prstGeom>", name, adjustments);
}

// With the four sides as sites 0 to 3, then those of the shape.
std::string polygon(const SlideShape& shape, const Place& place) {
    const auto at = [&](const std::pair<double, double>& share) {
        return fmt::format("<a:pt x=\"{}\" y=\"{}\"/>", std::llround(share.first * static_cast<double>(place.width)),
                           std::llround(share.second * static_cast<double>(place.height)));
    };
    std::vector<std::pair<double, double>> outline = shape.outline, sites{{0.5, 0}, {0, 0.5}, {0.5, 1}, {1, 0.5}};
    if (outline.empty()) outline = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    sites.insert(sites.end(), shape.sites.begin(), shape.sites.end());
    std::string joined, path;
    for (const auto& [x, y] : sites)
        joined += fmt::format("<a:cxn ang=\"0\"><a:pos x=\"{}\" y=\"{}\"/></a:cxn>", std::llround(x * static_cast<double>(place.width)),
                              std::llround(y * static_cast<double>(place.height)));
    for (std::size_t i = 0; i < outline.size(); ++i) path += fmt::format("<a:{0}>{1}</a:{0}>", i == 0 ? "moveTo" : "lnTo", at(outline[i]));
    return fmt::format(
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst>{}</a:cxnLst><a:rect l=\"0\" t=\"0\" r=\"r\" b=\"b\"/><a:pathLst>"
        "<a:path w=\"{}\" h=\"{}\">{}<a:close/></a:path></a:pathLst></a:custGeom>",
        joined, place.width, place.height, path);
}

std::string geometry(const SlideShape& shape, const Place& place) {
    using Kind = SlideShape::Kind;
    if (!shape.sites.empty() || shape.kind == Kind::Polygon) return polygon(shape, place);
    switch (shape.kind) {
    case Kind::Rounded:
        return preset(
            "roundRect",
            fmt::format(
                "<a:gd name=\"adj\" fmla=\"val {}\"/>",
                place.height > 0 && place.width > 0
                    ? std::llround(std::min(0.5, 8 * emuOfPixel / static_cast<double>(std::min(place.width, place.height))) * 100000)
                    : 0));
    case Kind::Trapezoid:
        return preset("trapezoid",
                      fmt::format("<a:gd name=\"adj\" fmla=\"val {}\"/>",
                                  std::llround(20000.0 * static_cast<double>(place.width) /
                                               static_cast<double>(std::max<std::int64_t>(1, std::min(place.width, place.height))))));
    case Kind::Hexagon: return preset("flowChartPreparation");
    default: return preset("rect");
    }
}

// Of a package: its parts with their types, and what they refer to.
struct Package {
    ZipEntries parts;
    std::string types;

    void add(const std::string& name, std::string content, const std::string& type) {
        parts.emplace_back(name, std::move(content));
        if (!type.empty()) types += fmt::format("<Override PartName=\"/{}\" ContentType=\"{}\"/>", name, type);
    }
};
std::string relationship(int id, const char* kind, const std::string& target) {
    return fmt::format("<Relationship Id=\"rId{}\" Type=\"{}{}\" Target=\"{}\"/>", id, relationshipKinds, kind, target);
}

class SlideWriter {
public:
    SlideWriter(const PresentationSlide& slide, int firstChart) : m_slide(slide), m_firstChart(firstChart) {}

    std::string part() {
        std::string shapes = title();
        const int first = m_nextId; // of the shapes, which lines refer to
        m_nextId += static_cast<int>(m_slide.shapes.size());
        for (const SlideLine& line : m_slide.lines) shapes += lineOf(line, first);
        for (std::size_t s = 0; s < m_slide.shapes.size(); ++s) shapes += shapeOf(m_slide.shapes[s], first + static_cast<int>(s));
        for (const SlideTable& table : m_slide.tables) shapes += tableOf(table);
        for (std::size_t c = 0; c < m_slide.charts.size(); ++c) shapes += chartFrame(m_slide.charts[c], static_cast<int>(c));
        return fmt::format("{}<p:sld {}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
                           "<p:grpSpPr/>{}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>",
                           xmlHead, drawingNames, shapes);
    }
    std::string relationships() const {
        std::string all = relationship(1, "slideLayout", "../slideLayouts/slideLayout1.xml");
        for (std::size_t c = 0; c < m_slide.charts.size(); ++c)
            all += relationship(static_cast<int>(c) + 2, "chart", fmt::format("../charts/chart{}.xml", m_firstChart + static_cast<int>(c)));
        return relationshipsPart(all);
    }

private:
    std::string title() {
        return fmt::format(
            "<p:sp><p:nvSpPr><p:cNvPr id=\"{}\" name=\"Title\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph "
            "type=\"title\"/></p:nvPr></p:nvSpPr><p:spPr>{}</p:spPr>{}</p:sp>",
            m_nextId++, transform(placeOf(m_slide.titleBox)), body(m_slide.title, "p:txBody", true));
    }
    std::string shapeOf(const SlideShape& shape, int id) {
        const Place place = placeOf(shape.box);
        return fmt::format(
            "<p:sp><p:nvSpPr><p:cNvPr id=\"{}\" name=\"{}\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>{}{}{}{}</p:spPr>{}</p:sp>", id,
            escapedXml(shape.name.empty() ? fmt::format("Shape {}", id) : shape.name), transform(place), geometry(shape, place),
            fillXml(shape.fill), lineXml(shape.line, shape.lineWidth), body(shape.text, "p:txBody", false));
    }
    std::string lineOf(const SlideLine& line, int first) {
        const auto [x1, y1, x2, y2] = std::tuple(emu(line.x1), emu(line.y1), emu(line.x2), emu(line.y2));
        const Place place{std::min(x1, x2), std::min(y1, y2), std::abs(x2 - x1), std::abs(y2 - y1)};
        const std::string flips = std::string(x2 < x1 ? " flipH=\"1\"" : "") + (y2 < y1 ? " flipV=\"1\"" : "");
        const int id = m_nextId++;
        return fmt::format(
            "<p:cxnSp><p:nvCxnSpPr><p:cNvPr id=\"{0}\" name=\"Link {0}\"/><p:cNvCxnSpPr><a:stCxn id=\"{1}\" idx=\"{2}\"/><a:endCxn "
            "id=\"{3}\" idx=\"{4}\"/></p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr>{5}{6}{7}</p:spPr></p:cxnSp>",
            id, first + static_cast<int>(line.from), line.fromSite, first + static_cast<int>(line.to), line.toSite, transform(place, flips),
            preset("line"), lineXml(line.color, line.width));
    }
    std::string tableOf(const SlideTable& table) {
        const Place place = placeOf(table.box);
        std::string grid, rows;
        for (const double width : table.columns) grid += fmt::format("<a:gridCol w=\"{}\"/>", emu(width));
        const std::int64_t height = table.rows.empty() ? 0 : place.height / static_cast<std::int64_t>(table.rows.size());
        const std::string rule = "<a:lnB w=\"9525\"><a:solidFill><a:srgbClr val=\"c3cad3\"/></a:solidFill></a:lnB><a:noFill/>";
        for (const auto& row : table.rows) {
            rows += fmt::format("<a:tr h=\"{}\">", height);
            for (const SlideText& cell : row)
                rows +=
                    fmt::format("<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{}</a:txBody><a:tcPr anchor=\"ctr\" marL=\"45720\" marR=\"45720\" "
                                "marT=\"0\" marB=\"0\">{}</a:tcPr></a:tc>",
                                paragraphs(cell), rule);
            rows += "</a:tr>";
        }
        const int id = m_nextId++;
        return fmt::format(
            "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"{0}\" name=\"Table {0}\"/><p:cNvGraphicFramePr/><p:nvPr/>"
            "</p:nvGraphicFramePr><p:xfrm><a:off x=\"{1}\" y=\"{2}\"/><a:ext cx=\"{3}\" cy=\"{4}\"/></p:xfrm><a:graphic><a:graphicData "
            "uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr/><a:tblGrid>{5}</a:tblGrid>{6}</a:tbl>"
            "</a:graphicData></a:graphic></p:graphicFrame>",
            id, place.x, place.y, place.width, place.height, grid, rows);
    }
    std::string chartFrame(const SlideChart& chart, int index) {
        const Place place = placeOf(chart.box);
        const int id = m_nextId++;
        return fmt::format(
            "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"{0}\" name=\"Chart {0}\"/><p:cNvGraphicFramePr/><p:nvPr/>"
            "</p:nvGraphicFramePr><p:xfrm><a:off x=\"{1}\" y=\"{2}\"/><a:ext cx=\"{3}\" cy=\"{4}\"/></p:xfrm><a:graphic><a:graphicData "
            "uri=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><c:chart "
            "xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" r:id=\"rId{5}\"/></a:graphicData></a:graphic>"
            "</p:graphicFrame>",
            id, place.x, place.y, place.width, place.height, index + 2);
    }

    const PresentationSlide& m_slide;
    const int m_firstChart;
    int m_nextId = 2;
};

std::string columnName(std::size_t column) { return std::string(1, static_cast<char>('A' + static_cast<char>(column))); }

std::string chartPart(const SlideChart& chart) {
    std::string series;
    const std::size_t count = chart.categories.size();
    std::string categories;
    for (std::size_t i = 0; i < count; ++i)
        categories += fmt::format("<c:pt idx=\"{}\"><c:v>{}</c:v></c:pt>", i, escapedXml(chart.categories[i]));
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
        const SlideChart::Series& own = chart.series[s];
        std::string values;
        for (std::size_t i = 0; i < own.values.size(); ++i)
            values += fmt::format("<c:pt idx=\"{}\"><c:v>{}</c:v></c:pt>", i, own.values[i]);
        const std::string column = columnName(s + 1);
        series += fmt::format(
            "<c:ser><c:idx val=\"{0}\"/><c:order val=\"{0}\"/><c:tx><c:strRef><c:f>Sheet1!${1}$1</c:f><c:strCache><c:ptCount "
            "val=\"1\"/><c:pt "
            "idx=\"0\"><c:v>{2}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:spPr>{3}</c:spPr><c:invertIfNegative "
            "val=\"0\"/><c:cat><c:strRef>"
            "<c:f>Sheet1!$A$2:$A${4}</c:f><c:strCache><c:ptCount val=\"{5}\"/>{6}</c:strCache></c:strRef></c:cat><c:val><c:numRef>"
            "<c:f>Sheet1!${1}$2:${1}${4}</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount "
            "val=\"{5}\"/>{7}</c:numCache></c:numRef>"
            "</c:val></c:ser>",
            s, column, escapedXml(own.name), fillXml(own.color), count + 1, count, categories, values);
    }
    const std::string font =
        "<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz=\"1200\"/></a:pPr><a:endParaRPr lang=\"en-US\"/></a:p></c:txPr>";
    return fmt::format("{0}<c:chartSpace xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" "
                       "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
                       "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/"
                       "relationships\"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/>"
                       "<a:p><a:pPr><a:defRPr sz=\"1400\" b=\"1\"/></a:pPr><a:r><a:rPr lang=\"en-US\" sz=\"1400\" "
                       "b=\"1\"/><a:t>{1}</a:t></a:r></a:p></c:rich></c:tx>"
                       "<c:overlay val=\"0\"/></c:title><c:autoTitleDeleted val=\"0\"/><c:plotArea><c:layout/><c:barChart><c:barDir "
                       "val=\"col\"/><c:grouping "
                       "val=\"clustered\"/><c:varyColors val=\"0\"/>{2}<c:gapWidth val=\"80\"/><c:axId val=\"111\"/><c:axId "
                       "val=\"222\"/></c:barChart><c:catAx><c:axId "
                       "val=\"111\"/><c:scaling><c:orientation val=\"minMax\"/></c:scaling><c:delete val=\"0\"/><c:axPos "
                       "val=\"b\"/><c:numFmt formatCode=\"General\" "
                       "sourceLinked=\"0\"/><c:majorTickMark val=\"none\"/><c:minorTickMark val=\"none\"/><c:tickLblPos "
                       "val=\"nextTo\"/>{3}<c:crossAx val=\"222\"/>"
                       "<c:crosses val=\"autoZero\"/></c:catAx><c:valAx><c:axId val=\"222\"/><c:scaling><c:orientation "
                       "val=\"minMax\"/><c:min val=\"0\"/></c:scaling>"
                       "<c:delete val=\"0\"/><c:axPos val=\"l\"/><c:majorGridlines><c:spPr><a:ln w=\"6350\"><a:solidFill><a:srgbClr "
                       "val=\"d5dae1\"/></a:solidFill>"
                       "</a:ln></c:spPr></c:majorGridlines><c:numFmt formatCode=\"General\" sourceLinked=\"0\"/><c:majorTickMark "
                       "val=\"none\"/><c:minorTickMark "
                       "val=\"none\"/><c:tickLblPos val=\"nextTo\"/>{3}<c:crossAx val=\"111\"/><c:crosses "
                       "val=\"autoZero\"/></c:valAx></c:plotArea><c:legend>"
                       "<c:legendPos val=\"b\"/><c:overlay val=\"0\"/>{3}</c:legend><c:plotVisOnly val=\"1\"/></c:chart><c:externalData "
                       "r:id=\"rId1\"><c:autoUpdate "
                       "val=\"0\"/></c:externalData></c:chartSpace>",
                       xmlHead, escapedXml(chart.title), series, font);
}

// What "Edit data" opens.
Result<std::string> chartWorkbook(const SlideChart& chart) {
    Table table;
    table.name = "Sheet1";
    table.columns.push_back({.name = "", .width = 20});
    for (const SlideChart::Series& series : chart.series) table.columns.push_back({.name = series.name, .width = 14});
    for (std::size_t i = 0; i < chart.categories.size(); ++i) {
        table.rows.push_back({Cell(chart.categories[i])});
        for (const SlideChart::Series& series : chart.series) table.rows.back().push_back(Cell(series.values[i]));
    }
    std::error_code failed;
    std::string path =
        std::filesystem::temp_directory_path(failed).string() + fmt::format("/railyard-chart-{}-{}.xlsx", getpid(), fmt::ptr(&chart));
    if (const Status written = writeWorkbook({table}, path); !written) return written.errors();
    std::ifstream stream(path, std::ios::binary); // none of the files of a command, which core/base/file.h guards
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::filesystem::remove(path, failed);
    return bytes;
}

} // namespace

Status writePresentation(const Presentation& presentation, const std::string& path) {
    Package package;
    constexpr const char* office = "application/vnd.openxmlformats-officedocument.";
    const auto type = [&](const char* name) { return fmt::format("{}presentationml.{}+xml", office, name); };
    std::string slideIds, own = relationship(1, "slideMaster", "slideMasters/slideMaster1.xml");
    int chart = 1;
    for (std::size_t s = 0; s < presentation.slides.size(); ++s) {
        const PresentationSlide& slide = presentation.slides[s];
        SlideWriter writer(slide, chart);
        const std::string name = fmt::format("slide{}.xml", s + 1);
        package.add("ppt/slides/" + name, writer.part(), type("slide"));
        package.add("ppt/slides/_rels/" + name + ".rels", writer.relationships(), {});
        for (const SlideChart& each : slide.charts) {
            auto workbook = chartWorkbook(each);
            if (!workbook) return workbook.errors();
            package.add(fmt::format("ppt/charts/chart{}.xml", chart), chartPart(each), std::string(office) + "drawingml.chart+xml");
            package.add(fmt::format("ppt/charts/_rels/chart{}.xml.rels", chart),
                        relationshipsPart(relationship(1, "package", fmt::format("../embeddings/chart{}.xlsx", chart))), {});
            package.add(fmt::format("ppt/embeddings/chart{}.xlsx", chart), std::move(*workbook), {});
            ++chart;
        }
        const int id = static_cast<int>(s) + 3;
        own += relationship(id, "slide", "slides/" + name);
        slideIds += fmt::format("<p:sldId id=\"{}\" r:id=\"rId{}\"/>", 256 + s, id);
    }
    own += relationship(2, "theme", "theme/theme1.xml");
    const std::string text =
        "<p:defaultTextStyle><a:defPPr><a:defRPr lang=\"en-US\"/></a:defPPr><a:lvl1pPr><a:defRPr sz=\"1400\"><a:latin "
        "typeface=\"+mn-lt\"/><a:ea typeface=\"+mn-ea\"/><a:cs typeface=\"+mn-cs\"/></a:defRPr></a:lvl1pPr></p:defaultTextStyle>";
    package.add(
        "ppt/presentation.xml",
        fmt::format(
            "{}<p:presentation {}><p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" r:id=\"rId1\"/></p:sldMasterIdLst><p:sldIdLst>{}"
            "</p:sldIdLst><p:sldSz cx=\"{}\" cy=\"{}\"/><p:notesSz cx=\"{}\" cy=\"{}\"/>{}</p:presentation>",
            xmlHead, drawingNames, slideIds, pageWidth, pageHeight, pageHeight, pageWidth, text),
        type("presentation.main"));
    package.add("ppt/_rels/presentation.xml.rels", relationshipsPart(own), {});
    package.add("ppt/slideMasters/slideMaster1.xml", masterPart(), type("slideMaster"));
    package.add("ppt/slideMasters/_rels/slideMaster1.xml.rels",
                relationshipsPart(relationship(1, "slideLayout", "../slideLayouts/slideLayout1.xml") +
                                  relationship(2, "theme", "../theme/theme1.xml")),
                {});
    package.add("ppt/slideLayouts/slideLayout1.xml", layoutPart(), type("slideLayout"));
    package.add("ppt/slideLayouts/_rels/slideLayout1.xml.rels",
                relationshipsPart(relationship(1, "slideMaster", "../slideMasters/slideMaster1.xml")), {});
    package.add("ppt/theme/theme1.xml", themePart(), std::string(office) + "theme+xml");
    package.add("docProps/core.xml", corePropertiesPart(presentation.title, presentation.author),
                "application/vnd.openxmlformats-package.core-properties+xml");
    ZipEntries entries{
        {"[Content_Types].xml", fmt::format("{}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default "
                                            "Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                                            "<Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"xlsx\" "
                                            "ContentType=\"{}spreadsheetml.sheet\"/>{}</Types>",
                                            xmlHead, office, package.types)},
        {"_rels/.rels",
         relationshipsPart(relationship(1, "officeDocument", "ppt/presentation.xml") +
                           "<Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/"
                           "core-properties\" Target=\"docProps/core.xml\"/>")}};
    entries.insert(entries.end(), std::make_move_iterator(package.parts.begin()), std::make_move_iterator(package.parts.end()));
    const auto bytes = zipOf(entries);
    return bytes ? writeFile(path, *bytes) : Status(bytes.errors());
}

} // namespace railyard
