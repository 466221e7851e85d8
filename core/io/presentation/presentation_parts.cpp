#include "core/io/presentation/presentation_parts.h"

#include "core/json/json_text.h"

#include <fmt/format.h>

namespace railyard {
namespace {

std::string emptyTree(const std::string& shapes) {
    return "<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>" + shapes +
           "</p:spTree></p:cSld>";
}

// The place of titles: slides have their own size and position.
std::string titlePlace() {
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Title\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"title\"/>"
           "</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"457200\" y=\"215900\"/><a:ext cx=\"11328400\" cy=\"736600\"/></a:xfrm>"
           "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang=\"en-US\"/>"
           "<a:t>Title</a:t></a:r></a:p></p:txBody></p:sp>";
}

std::string levels(const char* size) {
    std::string all;
    for (int level = 1; level <= 9; ++level)
        all += fmt::format(
            "<a:lvl{}pPr><a:defRPr sz=\"{}\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mn-lt\"/>"
            "<a:ea typeface=\"+mn-ea\"/><a:cs typeface=\"+mn-cs\"/></a:defRPr></a:lvl{}pPr>",
            level, size, level);
    return all;
}

} // namespace

std::string escapedXml(const std::string& text) {
    const std::string whole = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
    std::string escaped;
    for (const char c : whole) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else if (code >= 0x20 || c == '\t')
            escaped += c;
        else
            escaped += ' ';
    }
    return escaped;
}

std::string themePart() {
    std::string colors;
    for (const auto& [name, value] : {std::pair("dk1", "1a1f26"),
                                      {"lt1", "ffffff"},
                                      {"dk2", "4a5563"},
                                      {"lt2", "eef0f3"},
                                      {"accent1", "1b5ab6"},
                                      {"accent2", "f4520b"},
                                      {"accent3", "4a9c5d"},
                                      {"accent4", "9a6ff8"},
                                      {"accent5", "5a1a00"},
                                      {"accent6", "a9468a"},
                                      {"hlink", "1b5ab6"},
                                      {"folHlink", "4a5563"}})
        colors += fmt::format("<a:{0}><a:srgbClr val=\"{1}\"/></a:{0}>", name, value);
    const std::string font = "<a:latin typeface=\"Arial\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/>";
    const std::string fill = "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>", line = "<a:ln w=\"9525\">" + fill + "</a:ln>",
                      effect = "<a:effectStyle><a:effectLst/></a:effectStyle>";
    return std::string(xmlHead) +
           "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" name=\"Railyard\"><a:themeElements><a:clrScheme "
           "name=\"Railyard\">" +
           colors + "</a:clrScheme><a:fontScheme name=\"Railyard\"><a:majorFont>" + font + "</a:majorFont><a:minorFont>" + font +
           "</a:minorFont></a:fontScheme><a:fmtScheme name=\"Railyard\"><a:fillStyleLst>" + fill + fill + fill +
           "</a:fillStyleLst><a:lnStyleLst>" + line + line + line + "</a:lnStyleLst><a:effectStyleLst>" + effect + effect + effect +
           "</a:effectStyleLst><a:bgFillStyleLst>" + fill + fill + fill + "</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>";
}

std::string masterPart() {
    return fmt::format(
        "{}<p:sldMaster {}>{}<p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\" accent2=\"accent2\" "
        "accent3=\"accent3\" accent4=\"accent4\" accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" "
        "folHlink=\"folHlink\"/><p:sldLayoutIdLst><p:sldLayoutId id=\"2147483649\" r:id=\"rId1\"/></p:sldLayoutIdLst>"
        "<p:txStyles><p:titleStyle>{}</p:titleStyle><p:bodyStyle>{}</p:bodyStyle><p:otherStyle>{}</p:otherStyle></p:txStyles>"
        "</p:sldMaster>",
        xmlHead, drawingNames, emptyTree(titlePlace()), levels("2300"), levels("1400"), levels("1400"));
}

std::string layoutPart() {
    return fmt::format(
        "{}<p:sldLayout {} type=\"titleOnly\" preserve=\"1\">{}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>", xmlHead,
        drawingNames, emptyTree(titlePlace()));
}

std::string corePropertiesPart(const std::string& title, const std::string& author) {
    return fmt::format("{}<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
                       "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" "
                       "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>{}</dc:title><dc:creator>{}</dc:creator>"
                       "</cp:coreProperties>",
                       xmlHead, escapedXml(title), escapedXml(author));
}

std::string relationshipsPart(const std::string& relationships) {
    return std::string(xmlHead) + "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" + relationships +
           "</Relationships>";
}

} // namespace railyard
