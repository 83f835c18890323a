# SPDX-License-Identifier: MIT
# jansson, as the target fc_jansson; without it --json says that it is missing.
#
# Not through pkg-config: that would find the build machine's library when cross compiling.
find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY jansson)
mark_as_advanced(JANSSON_INCLUDE_DIR JANSSON_LIBRARY)

if(JANSSON_INCLUDE_DIR AND JANSSON_LIBRARY AND NOT TARGET fc_jansson)
    add_library(fc_jansson INTERFACE)
    target_include_directories(fc_jansson SYSTEM INTERFACE ${JANSSON_INCLUDE_DIR})
    target_link_libraries(fc_jansson INTERFACE ${JANSSON_LIBRARY})
    target_compile_definitions(fc_jansson INTERFACE FC_WITH_JANSSON=1)
endif()
