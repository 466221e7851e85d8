# One interface target carries the language level, the warnings and the sanitizers of every target of the project.
add_library(railyard_options INTERFACE)
target_compile_features(railyard_options INTERFACE cxx_std_20)
target_compile_options(railyard_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor -Werror
    # GCC 12 reports overlaps and uninitialised members inside std::string and std::variant that cannot happen (GCC bugs 105329, 105562).
    -Wno-restrict -Wno-maybe-uninitialized)
target_compile_definitions(railyard_options INTERFACE RAILYARD_VERSION="${PROJECT_VERSION}" RAILYARD_BUILD="$<CONFIG>")
target_include_directories(railyard_options INTERFACE "${CMAKE_SOURCE_DIR}")
if(RAILYARD_ASAN)
    # The tests themselves stay as in a release build, so that ccache has them already: half of the time of this build.
    target_compile_options(railyard_options INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:RAILYARD_TEST>>>:-O1;-g1;-UNDEBUG;-fsanitize=address;-fno-omit-frame-pointer>")
    target_link_options(railyard_options INTERFACE -fsanitize=address)
endif()
if(RAILYARD_FUZZ)
    target_compile_options(railyard_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
        -w) # the warnings that count are those of the compiler that builds the program
    target_link_options(railyard_options INTERFACE -fsanitize=address,undefined)
endif()
