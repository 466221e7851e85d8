# Writes the catalogue files into one C++ source, so that the program needs no data folder at run time.
# Called as: cmake -DOUT=... -DFILES=a.json;b.json -P embed_catalog.cmake
set(text "// Generated from resources/catalog.\n#include \"core/catalog/shipped.h\"\n\nnamespace railyard {\n\n")
string(APPEND text "std::vector<std::pair<std::string, std::string>> shippedCatalogTexts() {\n    return {\n")
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" body)
    string(APPEND text "        {\"${name}\", R\"CATALOGUE(${body})CATALOGUE\"},\n")
endforeach()
string(APPEND text "    };\n}\n\n} // namespace railyard\n")
file(WRITE "${OUT}" "${text}")
