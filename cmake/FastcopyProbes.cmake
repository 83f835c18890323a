# SPDX-License-Identifier: MIT
# What the compiler and linker are and can do.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

# ---- architecture: by the compiler's word, which also tells x32 and i386 from x86_64 -------------
check_c_source_compiles("
#if !defined(__x86_64__) || !defined(__LP64__)
#error not x86_64
#endif
int main(void) { return 0; }" FC_IS_X86_64)
check_c_source_compiles("
#if !defined(__aarch64__) || !defined(__LP64__) || defined(__AARCH64EB__)
#error not aarch64
#endif
int main(void) { return 0; }" FC_IS_AARCH64)
check_c_source_compiles("
#if !defined(__powerpc64__) || !defined(_CALL_ELF)
#error not ppc64 with ELFv1 (big-endian) or ELFv2
#endif
int main(void) { return 0; }" FC_IS_PPC64)
if(FC_IS_X86_64)
    set(FC_ARCH x86_64)
elseif(FC_IS_AARCH64)
    set(FC_ARCH aarch64)
elseif(FC_IS_PPC64)
    set(FC_ARCH ppc64)
else()
    set(FC_ARCH other)
endif()

# ---- GNU IFUNC: glibc binds it right (docs/ARCHITECTURE.md); musl has none -------------------------
check_c_source_compiles("
#include <features.h>
#ifndef __GLIBC__
#error not glibc
#endif
static void *resolve(void) { return 0; }
void *f(void) __attribute__((ifunc(\"resolve\")));
int main(void) { return 0; }" FC_GLIBC_IFUNC)
if(NOT FASTCOPY_DISPATCH MATCHES "^(auto|ifunc|pointer)$")
    message(FATAL_ERROR "FASTCOPY_DISPATCH is '${FASTCOPY_DISPATCH}'; it takes auto, ifunc or pointer")
endif()
set(FC_IFUNC OFF)
if(FASTCOPY_DISPATCH STREQUAL "ifunc" OR
   (FASTCOPY_DISPATCH STREQUAL "auto" AND FC_GLIBC_IFUNC AND NOT FC_ARCH STREQUAL "other"))
    set(FC_IFUNC ON)
endif()

# ---- compiler flags --------------------------------------------------------------------------------
function(fc_filter_flags out)
    set(kept)
    foreach(flag IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER "FC_HAVE${flag}" name)
        check_c_compiler_flag("-Werror ${flag}" ${name})
        if(${name})
            list(APPEND kept ${flag})
        endif()
    endforeach()
    set(${out} ${kept} PARENT_SCOPE)
endfunction()

fc_filter_flags(FC_WARNING_FLAGS -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wvla)
if(FASTCOPY_WERROR)
    list(APPEND FC_WARNING_FLAGS -Werror)
endif()

# Code that runs inside IFUNC resolvers, before relocation and before constructors: nothing may be
# slipped in that calls out (aarch64's outlined atomics do), and no loop or switch may become a call to
# a mem* function or a table of addresses, whatever flags the rest of the build has. Who faults in a copy
# wants a backtrace: with -ffreestanding clang makes no unwind tables unless asked.
fc_filter_flags(FC_LOAD_PATH_FLAGS
    -fasynchronous-unwind-tables
    -ffreestanding -fno-builtin -fno-tree-loop-distribute-patterns
    -fno-jump-tables -fno-tree-switch-conversion
    -mno-outline-atomics -fno-stack-protector -fno-sanitize=all -fno-instrument-functions
    -fno-profile-arcs -fno-test-coverage -fno-profile-instr-generate -fno-coverage-mapping
    -fno-lto -fno-semantic-interposition -fvisibility=hidden)
if(FC_ARCH STREQUAL "x86_64")
    fc_filter_flags(FC_CFI_FLAGS -fcf-protection=full)
    list(APPEND FC_LOAD_PATH_FLAGS ${FC_CFI_FLAGS})
elseif(FC_ARCH STREQUAL "aarch64")
    fc_filter_flags(FC_CFI_FLAGS -mbranch-protection=standard)
    list(APPEND FC_LOAD_PATH_FLAGS ${FC_CFI_FLAGS})
endif()

# Instrumentation that FC_LOAD_PATH_FLAGS cannot undo, for the directory that calls this: the compiler driver
# adds it last, knows no opposite of it, or links a runtime for it.
macro(fc_drop_instrumentation)
    foreach(variable CMAKE_C_FLAGS CMAKE_SHARED_LINKER_FLAGS CMAKE_MODULE_LINKER_FLAGS)
        string(REPLACE " " ";" kept "${${variable}}")
        list(FILTER kept EXCLUDE REGEX
            "^(--?coverage|-ftest-coverage|-fprofile-.*|-pg|-finstrument-functions|-fsanitize=.*)$")
        list(JOIN kept " " ${variable})
    endforeach()
endmacro()

# Warnings for every C file of a target.
function(fc_warnings target)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${FC_WARNING_FLAGS}>)
endfunction()

function(fc_load_path target)
    fc_warnings(${target})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${FC_LOAD_PATH_FLAGS}>)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
        INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# ---- linker flags ----------------------------------------------------------------------------------
set(FC_LIBRARY_LINK_FLAGS)
# -nostartfiles, ibt, shstk, force-bti: crti.o and the distribution's cpu_features lack the notes on landing pads
# that all of our own code carries.
foreach(flag -nostartfiles -Wl,-z,nodelete -Wl,-z,noexecstack -Wl,-z,text -Wl,-z,relro -Wl,-z,now
        -Wl,-z,defs -Wl,-z,ibt -Wl,-z,shstk -Wl,-z,force-bti -fno-sanitize=all -fno-lto)
    string(MAKE_C_IDENTIFIER "FC_LINK${flag}" name)
    if(flag MATCHES "ibt|shstk" AND NOT FC_ARCH STREQUAL "x86_64")
        continue()
    endif()
    if(flag MATCHES "force-bti" AND NOT FC_ARCH STREQUAL "aarch64")
        continue()
    endif()
    if(flag MATCHES "nostartfiles|defs")
        set(${name} ON)
    else()
        check_linker_flag(C ${flag} ${name})
    endif()
    if(${name})
        list(APPEND FC_LIBRARY_LINK_FLAGS ${flag})
    endif()
endforeach()

# The same notes for the object in the static library.
set(FC_PRELINK_FLAGS)
if(FC_LINK_Wl__z_ibt AND FC_LINK_Wl__z_shstk)
    set(FC_PRELINK_FLAGS -z ibt -z shstk)
endif()

function(fc_library_link_options target version_script)
    target_link_options(${target} PRIVATE ${FC_LIBRARY_LINK_FLAGS}
        -Wl,--version-script=${version_script})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${version_script})
endfunction()
