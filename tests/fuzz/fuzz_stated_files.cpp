#include "core/base/zip_file.h"
#include "core/io/document/carried_design.h"
#include "core/io/verification/verification.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

// Files that carry a design and state figures: as they are, and as the parts of a presentation and a workbook.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const OtherDesign design =
        otherDesign(elaborate(std::make_shared<const Design>(*build({"superpod-h100", {{"servers", "8"}}}, "x", shippedCatalog()))));
    const std::string bytes = fuzz::textOf(data, size);
    for (const CarriedText which : {CarriedText::Design, CarriedText::Figures}) fuzz::isRead(carriedText(which, bytes, "fuzz"));
    const std::string relations = "<R><Relationship Id=\"r1\" Target=\"s.xml\"/></R>";
    const std::string book = "<workbook><sheet name=\"Summary\" r:id=\"r1\"/><sheet name=\"BOM\" r:id=\"r1\"/></workbook>";
    for (const auto& file : {Result<std::string>(bytes), zipOf({{"ppt/presentation.xml", ""}, {"ppt/slides/slide1.xml", bytes}}),
                             zipOf({{"xl/workbook.xml", book},
                                    {"xl/_rels/workbook.xml.rels", relations},
                                    {"xl/s.xml", bytes},
                                    {"xl/sharedStrings.xml", bytes}})}) {
        if (!file) continue;
        const auto found = verifyFigures(*file, "fuzz", {design.fabric, design.metrics});
        if (fuzz::isRead(found)) fuzz::require(found->figures > 0, "a file that is verified states figures");
    }
    return 0;
}
