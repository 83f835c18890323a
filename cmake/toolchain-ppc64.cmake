# SPDX-License-Identifier: MIT
set(machine ppc64)
set(triplet powerpc64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
