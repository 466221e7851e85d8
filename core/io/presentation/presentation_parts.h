// The fixed parts of a presentation: theme, master, layout and properties.
#pragma once

#include <string>

namespace railyard {

std::string escapedXml(const std::string& text); // without characters that XML cannot hold
std::string themePart();
std::string masterPart();
std::string layoutPart();
std::string corePropertiesPart(const std::string& title, const std::string& author);
std::string relationshipsPart(const std::string& relationships); // the list, with its frame

inline constexpr const char* xmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
inline constexpr const char* drawingNames = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
                                            "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" "
                                            "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
inline constexpr const char* relationshipKinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

} // namespace railyard
