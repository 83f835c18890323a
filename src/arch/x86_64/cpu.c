/* SPDX-License-Identifier: MIT */
/*
 * Detection on x86_64. It runs in the load path, where each CPUID may trap to a hypervisor (7 us
 * measured) and nothing may be taken for granted: no relocation, no libc, no file.
 */
#include "cpuid_decode.h"

#include <stdbool.h>
#include <stdio.h>

/* More than this is not executed, whatever the machine answers; the rest then comes from tables. */
#define CPUID_BUDGET 14

struct hardware {
    struct fc_cpuid source; /* first: the callbacks cast back */
    unsigned left;
};

/*
 * glibc 2.33 and newer keep what they read at start-up (<sys/platform/x86.h>, declared here because
 * musl has no such header). Weak, and called through a pointer that the compiler cannot see
 * through: before relocation the GOT entry is 0 and so "absent", whereas a PLT entry would jump
 * into the void.
 */
struct glibc_leaf {
    unsigned cpuid[4]; /* eax, ebx, ecx, edx */
    unsigned active[4];
};
extern const struct glibc_leaf *__x86_get_cpuid_feature_leaf(unsigned index)
    __attribute__((weak, visibility("default")));

static const struct glibc_leaf *find_cached(uint32_t leaf) {
    const struct glibc_leaf *(*get)(unsigned) = __x86_get_cpuid_feature_leaf;
    __asm__("" : "+r"(get));
    if (get == 0)
        return 0;
    switch (leaf) {
    case 1:
        return get(0);
    case 7:
        return get(1);
    default:
        return 0;
    }
}

static struct fc_cpuid_leaf read_hardware(struct fc_cpuid *source, uint32_t leaf,
                                          uint32_t subleaf) {
    struct hardware *hardware = (struct hardware *)source;
    struct fc_cpuid_leaf is;
    is.eax = is.ebx = is.ecx = is.edx = 0;
    const struct glibc_leaf *cached = find_cached(leaf);
    if (cached != 0) {
        is.eax = cached->cpuid[0];
        is.ebx = cached->cpuid[1];
        is.ecx = cached->cpuid[2];
        is.edx = cached->cpuid[3];
    } else if (hardware->left > 0) {
        hardware->left--;
        __asm__ volatile("cpuid"
                         : "=a"(is.eax), "=b"(is.ebx), "=c"(is.ecx), "=d"(is.edx)
                         : "a"(leaf), "c"(subleaf));
    }
    return is;
}

static uint32_t read_xcr0(struct fc_cpuid *source) {
    uint32_t low, high;
    (void)source;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#if FC_WITH_CPU_FEATURES
#include <cpuinfo_x86.h>

#if FC_CPU_FEATURES_HAS_FSRM
#define CPU_FEATURES_CPUIDS 11 /* 0.9.0: leaf 80000021 as well */
#else
#define CPU_FEATURES_CPUIDS 10 /* 0.7.0: 0, 1, 2, 7.0, 7.1, 80000000 to 80000004 */
#endif

/* FSRM, where policy may ask for it: with AVX-512, and so with a state that the system saves. */
static bool has_fsrm(const X86Features *features, struct fc_cpuid *source) {
#if FC_CPU_FEATURES_HAS_FSRM
    (void)source;
    return features->fs_rep_mov;
#else
    return features->sse2 && features->erms && (source->read(source, 7, 0).edx >> 4 & 1) != 0;
#endif
}

static uint64_t translate(const X86Features *features, struct fc_cpuid *source) {
    uint64_t caps = 0;
    /* Signed bit fields: true is -1. */
#define TAKE(id, field) caps |= features->field ? (uint64_t)FC_CAP_##id : 0
    TAKE(SSSE3, ssse3);
    TAKE(AVX, avx);
    TAKE(AVX2, avx2);
    TAKE(BMI2, bmi2);
    TAKE(AVX512F, avx512f);
    TAKE(AVX512VL, avx512vl);
    TAKE(AVX512BW, avx512bw);
    TAKE(ERMS, erms);
    TAKE(RTM, rtm);
#undef TAKE
    if (has_fsrm(features, source))
        caps |= FC_CAP_FSRM;
    /*
     * Every x86_64 CPU has SSE2. Where it is not reported, OSXSAVE is clear, and the SSE family was
     * to come from /proc/cpuinfo (see cpu_features_nofiles.c).
     */
    if (!features->sse2 && (source->read(source, 1, 0).ecx >> 9 & 1) != 0)
        caps |= FC_CAP_SSSE3;
    return caps;
}

_Static_assert(sizeof(((X86Info *)0)->vendor) <= sizeof(((struct fc_cpu *)0)->vendor) &&
                   sizeof(((X86Info *)0)->brand_string) <= sizeof(((struct fc_cpu *)0)->brand),
               "cpu_features has longer strings");

static void copy_text(char *to, const char *from) {
    do
        *to++ = *from;
    while (*from++ != '\0');
}

/* False where cpu_features has nothing to say: about a vendor that it does not know. */
static bool ask_cpu_features(struct fc_cpu *cpu, struct hardware *hardware) {
    X86Info info = GetX86Info();
    hardware->left -= CPU_FEATURES_CPUIDS;
    copy_text(cpu->brand, info.brand_string);
    if (info.family == 0)
        return false;
    copy_text(cpu->vendor, info.vendor);
    cpu->family = (uint16_t)info.family;
    cpu->model = (uint16_t)info.model;
    cpu->stepping = (uint16_t)info.stepping;
    cpu->caps = translate(&info.features, &hardware->source);
    cpu->uarch = (uint16_t)fc_cpuid_uarch(cpu);
    fc_cpuid_caches(cpu, &hardware->source);
    fc_cpuid_clzero(cpu, &hardware->source);
    return true;
}
#else
static bool ask_cpu_features(struct fc_cpu *cpu, struct hardware *hardware) {
    (void)hardware;
    cpu->brand[0] = '\0';
    return false;
}
#endif

void fc_cpu_detect(struct fc_cpu *cpu) {
    struct hardware hardware;
    hardware.source.read = read_hardware;
    hardware.source.xcr0 = read_xcr0;
    hardware.left = CPUID_BUDGET;
    cpu->reader = FC_READER_CPU_FEATURES;
    if (!ask_cpu_features(cpu, &hardware)) {
        fc_cpuid_decode(cpu, &hardware.source);
        cpu->reader = FC_READER_OWN;
    }
}

void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size) {
    snprintf(text, size, "%s family 0x%x model 0x%x stepping %u", cpu->vendor, cpu->family,
             cpu->model, cpu->stepping);
}
