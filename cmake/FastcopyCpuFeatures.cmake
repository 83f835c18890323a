# SPDX-License-Identifier: MIT
# cpu_features, as the target fc_cpu_features: found, or fetched if asked for, or else absent: then
# src/arch/*/cpu.c reads the CPU by itself, and `fastcopy info` says so.
#
# Only x86_64's load path uses it. On aarch64 and ppc64 it reads /proc/cpuinfo, so there it is fc_info_cpu_features, for
# `fastcopy info` and a test alone; other architectures build without.
add_library(fc_cpu_features INTERFACE)
add_library(fc_info_cpu_features INTERFACE)
set(FC_CPU_FEATURES_ARCHIVE)

if(FASTCOPY_USE_CPU_FEATURES AND FC_ARCH MATCHES "x86_64|aarch64|ppc64")
    find_package(CpuFeatures 0.7.0 QUIET CONFIG)
    if(NOT TARGET CpuFeatures::cpu_features AND FASTCOPY_FETCH_DEPS)
        include(FetchContent)
        set(BUILD_TESTING OFF)
        set(BUILD_EXECUTABLE OFF)
        set(ENABLE_INSTALL OFF)
        set(CMAKE_POSITION_INDEPENDENT_CODE ON)
        FetchContent_Declare(cpu_features
            GIT_REPOSITORY https://github.com/google/cpu_features.git
            GIT_TAG ba4bffa86cbb5456bdb34426ad22b9551278e2c0) # v0.9.0
        FetchContent_GetProperties(cpu_features)
        if(NOT cpu_features_POPULATED)
            FetchContent_Populate(cpu_features)
            add_subdirectory(${cpu_features_SOURCE_DIR} ${cpu_features_BINARY_DIR} EXCLUDE_FROM_ALL)
        endif()
        set_target_properties(cpu_features PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    endif()
endif()

if(TARGET CpuFeatures::cpu_features AND FC_ARCH MATCHES "aarch64|ppc64")
    target_link_libraries(fc_info_cpu_features INTERFACE CpuFeatures::cpu_features)
    target_compile_definitions(fc_info_cpu_features INTERFACE FC_INFO_CPU_FEATURES=1)
    message(STATUS "cpu_features: found, for fastcopy info")
elseif(TARGET CpuFeatures::cpu_features)
    target_link_libraries(fc_cpu_features INTERFACE CpuFeatures::cpu_features)
    target_compile_definitions(fc_cpu_features INTERFACE FC_WITH_CPU_FEATURES=1)
    set(FC_CPU_FEATURES_ARCHIVE $<TARGET_FILE:CpuFeatures::cpu_features>)
    # Newer releases know FSRM.
    get_target_property(include_dirs CpuFeatures::cpu_features INTERFACE_INCLUDE_DIRECTORIES)
    set(CMAKE_REQUIRED_INCLUDES ${include_dirs})
    check_c_source_compiles("
#include <cpuinfo_x86.h>
int main(void) { X86Features f = {0}; return f.fs_rep_mov; }" FC_CPU_FEATURES_HAS_FSRM)
    unset(CMAKE_REQUIRED_INCLUDES)
    if(FC_CPU_FEATURES_HAS_FSRM)
        target_compile_definitions(fc_cpu_features INTERFACE FC_CPU_FEATURES_HAS_FSRM=1)
    endif()
    message(STATUS "cpu_features: found")
else()
    message(STATUS "cpu_features: none, own reader")
endif()
