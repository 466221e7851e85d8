# jemalloc keeps the hundreds of megabytes of large fabrics in huge pages: most figures of 262,144 GPUs take half the CPU time. It is linked if it is
# installed; otherwise the C library allocates. Sanitizers bring allocators of their own.
option(RAILYARD_JEMALLOC "Link the programs with jemalloc if it is installed" ON)
string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" flags)
add_library(railyard_allocator STATIC app/allocator.cpp)
target_link_libraries(railyard_allocator PRIVATE railyard_options)
if(RAILYARD_JEMALLOC AND NOT RAILYARD_ASAN AND NOT RAILYARD_FUZZ AND NOT "${CMAKE_CXX_FLAGS} ${${flags}}" MATCHES "-fsanitize")
    pkg_check_modules(JEMALLOC IMPORTED_TARGET jemalloc)
    if(JEMALLOC_FOUND)
        target_compile_definitions(railyard_allocator PRIVATE RAILYARD_JEMALLOC)
        target_link_libraries(railyard_allocator INTERFACE PkgConfig::JEMALLOC)
    endif()
endif()
