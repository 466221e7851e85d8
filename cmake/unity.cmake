# Unity builds (all presets but dev and fuzz) parse the libraries' headers once per folder: a third of the time. So no two files of a folder
# give one name to two things, not even in namespaces of their own. The presets dev and fuzz compile every file by itself and so notice an
# include that is missing.

# railyard_unity(target sources...): one translation unit for each folder
function(railyard_unity target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    foreach(source ${ARGN})
        cmake_path(GET source PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER "${folder}" group)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
    endforeach()
endfunction()
