/* SPDX-License-Identifier: MIT */
/*
 * cpu_features without its files. Where the operating system has not set OSXSAVE, GetX86Info()
 * would read /proc/cpuinfo: a file opened in the load path of every program, and archive members
 * that call memmove and so, in our libraries, ourselves. Defining what they define keeps them out
 * of the link: every file "fails to open". cpu.c reads what is then missing.
 *
 * Declared as cpu_features' internal headers do (unchanged from 0.7.0 to 0.9.0). Only the types
 * that a call passes matter here; hidden, so that no program's own cpu_features ever sees these.
 */
#include <stdbool.h>
#include <stddef.h>

struct view {
    const char *text;
    size_t size;
};

struct line {
    struct view text;
    bool eof;
    bool full;
};

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int CpuFeatures_OpenFile(const char *name);
HIDDEN void CpuFeatures_CloseFile(int file);
HIDDEN void StackLineReader_Initialize(void *reader, int file);
HIDDEN struct line StackLineReader_NextLine(void *reader);
HIDDEN bool CpuFeatures_StringView_IsEquals(struct view a, struct view b);
HIDDEN bool CpuFeatures_StringView_HasWord(struct view line, const char *word, char separator);
HIDDEN bool CpuFeatures_StringView_GetAttributeKeyValue(struct view line, struct view *key,
                                                        struct view *value);

int CpuFeatures_OpenFile(const char *name) {
    (void)name;
    return -1;
}

/* What follows is never called: no file is ever open. */

void CpuFeatures_CloseFile(int file) {
    (void)file;
}

void StackLineReader_Initialize(void *reader, int file) {
    (void)reader;
    (void)file;
}

struct line StackLineReader_NextLine(void *reader) {
    struct line end;
    (void)reader;
    end.text.text = NULL;
    end.text.size = 0;
    end.eof = true;
    end.full = true;
    return end;
}

bool CpuFeatures_StringView_IsEquals(struct view a, struct view b) {
    (void)a;
    (void)b;
    return false;
}

bool CpuFeatures_StringView_HasWord(struct view line, const char *word, char separator) {
    (void)line;
    (void)word;
    (void)separator;
    return false;
}

bool CpuFeatures_StringView_GetAttributeKeyValue(struct view line, struct view *key,
                                                 struct view *value) {
    (void)line;
    (void)key;
    (void)value;
    return false;
}
