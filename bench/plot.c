/* SPDX-License-Identifier: MIT */
/*
 * plot: pictures, drawn by gnuplot, which gets a script with the data inside on its standard input
 * and writes to its standard output. So no file name ever needs quoting.
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dispatch.h"
#include "info.h"
#include "memory.h"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

/* Runs gnuplot on a script, or for its version if there is none; true if it was content. */
static bool run_gnuplot(FILE *script, FILE *output, bool *missing) {
    fflush(stdout); /* or the child would write it a second time */
    pid_t child = fork();
    if (child == 0) {
        if (script != NULL) {
            dup2(fileno(script), 0);
            dup2(fileno(output), 1);
            execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        } else {
            dup2(open("/dev/null", O_WRONLY), 1);
            execlp("gnuplot", "gnuplot", "--version", (char *)NULL);
        }
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    *missing = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void fc_plot_check(const char *file) {
    if (!ends_with(file, ".svg") && !ends_with(file, ".png") && !ends_with(file, ".html"))
        fc_usage_error(&fc_command_bench, "--plot: %s ends with none of .svg, .png and .html",
                       file);
    bool missing;
    if (!run_gnuplot(NULL, NULL, &missing))
        fc_usage_error(&fc_command_bench, "--plot: gnuplot %s",
                       missing ? "is not installed" : "does not work");
    FILE *output = fopen(file, "a");
    if (output == NULL)
        fc_usage_error(&fc_command_bench, "--plot: %s: %s", file, strerror(errno));
    fclose(output);
}

/* ---- the script ----------------------------------------------------------------------------- */

/* A string of gnuplot's; in single quotes nothing is expanded. */
static void quote(FILE *script, const char *text) {
    fputc('\'', script);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', script);
        fputc(*text == '\n' ? ' ' : *text, script);
    }
    fputc('\'', script);
}

static void begin(FILE *script, const struct fc_experiment *experiment, bool png, unsigned width,
                  unsigned height, unsigned columns, unsigned rows) {
    const struct fc_cpu *cpu = &fc_dispatch_state()->cpu;
    char title[512];
    snprintf(title, sizeof title, "%s: %s, %s", experiment->title,
             cpu->brand[0] != '\0' ? cpu->brand : FC_ARCH_NAME, fc_uarch_name(cpu->uarch));
    fprintf(script,
            "set terminal %s size %u,%u noenhanced font 'sans,11' background rgb 'white'\n"
            "set multiplot layout %u,%u title ",
            png ? "pngcairo" : "svg", width, height, rows, columns);
    quote(script, title);
    fputs(" font ',14'\n", script);
}

/* Cells of one panel: they stand together. */
struct panel {
    const struct fc_cell *cells;
    size_t count;
    const char *name;
};

static const char *panel_name(const struct fc_experiment *experiment, const struct fc_cell *cell) {
    return cell->panel != NULL ? cell->panel : experiment->plot == FC_PLOT_LINES ? cell->group : "";
}

static struct panel *find_panels(const struct fc_experiment *experiment, size_t *count) {
    struct panel *panels = fc_allocate(experiment->count, sizeof *panels);
    *count = 0;
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        const char *name = panel_name(experiment, cell);
        if (*count == 0 || strcmp(panels[*count - 1].name, name) != 0)
            panels[(*count)++] = (struct panel){cell, 0, name};
        panels[*count - 1].count++;
    }
    return panels;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void mark_caches(FILE *script, uint64_t smallest, uint64_t largest) {
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        double size = (double)fc_dispatch_state()->policy.cache[level].size;
        if (size <= (double)smallest || size >= (double)largest)
            continue;
        fprintf(script,
                "set arrow from %.0f, graph 0 to %.0f, graph 1 nohead dashtype 2 lc rgb '#888888'\n"
                "set label '%s' at %.0f, graph 1 offset 0.3,-0.8 tc rgb '#666666'\n",
                size, size, fc_info_levels[level], size);
    }
}

/* Different to all eyes; the baseline is black. */
static const char *const colours[] = {"#009e73", "#56b4e9", "#e69f00", "#cc79a7",
                                      "#0072b2", "#d55e00", "#b8a800", "#8b4513",
                                      "#7f7f7f", "#6a3d9a", "#17becf", "#98df8a"};

static void draw_lines(FILE *script, const struct fc_experiment *experiment,
                       const struct panel *panel) {
    uint64_t smallest = UINT64_MAX, largest = 0;
    fputs("reset\n$data << EOD\n", script);
    for (size_t i = 0; i < panel->count; i++) {
        const struct fc_cell *cell = &panel->cells[i];
        if (cell->runs == 0 || cell->bytes == 0)
            continue;
        smallest = cell->bytes < smallest ? cell->bytes : smallest;
        largest = cell->bytes > largest ? cell->bytes : largest;
        fprintf(script, "%llu", (unsigned long long)cell->bytes);
        for (size_t k = 0; k < experiment->contenders.count; k++)
            fprintf(script, " %.5g", (double)cell->bytes / cell->results[k].times.median);
        fputc('\n', script);
    }
    fputs("EOD\nset title ", script);
    quote(script, panel->name);
    fputs("\nset logscale xy\nset autoscale yfix\nset grid\nset xlabel 'bytes per call'\nset "
          "ylabel 'GB/s'\n"
          "set key outside bottom center horizontal\nset xtics rotate by -45 (",
          script);
    for (size_t i = 0; i < panel->count; i++) {
        fputs(i > 0 ? ", " : "", script);
        quote(script, panel->cells[i].label);
        fprintf(script, " %llu", (unsigned long long)panel->cells[i].bytes);
    }
    fputs(")\n", script);
    mark_caches(script, smallest, largest);
    fputs("plot ", script);
    for (size_t k = 0; k < experiment->contenders.count; k++) {
        const struct fc_contender *contender = &experiment->contenders.list[k];
        if (k == 1) /* the baseline again */
            continue;
        fprintf(script, "%s$data using 1:%zu with linespoints pt 7 ps 0.5 lw %s lc rgb '%s' title ",
                k > 0 ? ", " : "", k + 2, k == 0 || contender->selected ? "3" : "1.3",
                k == 0 ? "black" : colours[(k - 2) % (sizeof colours / sizeof *colours)]);
        char title[sizeof contender->label + 1];
        snprintf(title, sizeof title, "%s%s", contender->label, contender->selected ? "*" : "");
        quote(script, title);
    }
    fputc('\n', script);
}

/* ---- heat maps ------------------------------------------------------------------------------ */

/* Different labels (or groups) of a panel's cells, in their order. */
struct axis {
    const char **names;
    size_t count;
};

static bool is_number(const char *name) {
    char *end;
    strtod(name, &end);
    return end != name && *end == '\0';
}

static int by_number(const void *a, const void *b) {
    double x = strtod(*(const char *const *)a, NULL), y = strtod(*(const char *const *)b, NULL);
    return (x > y) - (x < y);
}

/* Numbers rise, also where some rows lack some of them. */
static void sort_axis(struct axis *axis) {
    for (size_t i = 0; i < axis->count; i++)
        if (!is_number(axis->names[i]))
            return;
    qsort(axis->names, axis->count, sizeof *axis->names, by_number);
}

static size_t place_on(struct axis *axis, const char *name) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->names[i], name) != 0)
        i++;
    if (i == axis->count)
        axis->names[axis->count++] = name;
    return i;
}

static void print_axis(FILE *script, char which, const struct axis *axis, size_t skip) {
    fprintf(script, "set %ctics %s (", which, which == 'x' ? "rotate by -90" : "");
    for (size_t i = 0; i < axis->count; i++) {
        fputs(i > 0 ? ", " : "", script);
        quote(script, axis->names[i] + (strlen(axis->names[i]) > skip ? skip : 0));
        fprintf(script, " %zu", i);
    }
    fprintf(script, ") font ',%d'\nset %crange [-0.5:%zu.5]\n", axis->count > 30 ? 6 : 8, which,
            axis->count - 1);
}

/* By default what the first contender gains over the baseline; what is noise has no colour. */
static double heat(const struct fc_experiment *experiment, const struct fc_cell *cell) {
    if (experiment->plot_value != NULL)
        return log2(experiment->plot_value(experiment, cell));
    return cell->results[2].verdict == '=' ? 0 : log2(cell->results[2].ratio);
}

static void draw_heat(FILE *script, const struct fc_experiment *experiment,
                      const struct panel *panel) {
    struct axis columns = {fc_allocate(panel->count, sizeof *columns.names), 0},
                rows = {fc_allocate(panel->count, sizeof *rows.names), 0};
    size_t skip = panel->name[0] != '\0' ? strlen(panel->name) + 1 : 0;
    for (size_t i = 0; i < panel->count; i++) {
        place_on(&columns, panel->cells[i].label);
        place_on(&rows, panel->cells[i].group);
    }
    sort_axis(&columns);
    sort_axis(&rows);
    fputs("reset\n$data << EOD\n", script);
    for (size_t i = 0; i < panel->count; i++) {
        const struct fc_cell *cell = &panel->cells[i];
        size_t x = place_on(&columns, cell->label), y = place_on(&rows, cell->group);
        double value = cell->runs > 0 ? heat(experiment, cell) : NAN;
        if (!isnan(value))
            fprintf(script, "%zu %zu %.4f\n", x, y, value);
    }
    fputs("EOD\nset title ", script);
    quote(script, panel->name);
    fputs("\nset palette defined (-2 '#67001f', -1 '#d6604d', -0.15 '#f7f7f7', 0.15 '#f7f7f7', "
          "1 '#4393c3', 2 '#053061')\n"
          "set cbrange [-2:2]\nset cbtics ('1/4' -2, '1/2' -1, '0.7' -0.515, '1' 0, '1.4' 0.485, "
          "'2' 1, '4' 2)\nset cblabel ",
          script);
    quote(script, experiment->plot_text);
    fputs(" offset 1.5,0\nunset key\nset tics scale 0\nset xlabel ", script);
    quote(script, experiment->label_name);
    fputs("\nset ylabel ", script);
    quote(script, experiment->group_name);
    fputc('\n', script);
    print_axis(script, 'x', &columns, 0);
    print_axis(script, 'y', &rows, skip);
    /* Boxes, not an image: an image must be a full matrix, and svg viewers blur it. */
    fputs("set style fill solid noborder\n"
          "plot $data using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxy fc palette\n",
          script);
    free(columns.names);
    free(rows.names);
}

/* ---- files ---------------------------------------------------------------------------------- */

static FILE *temporary(void) {
    FILE *file = tmpfile();
    if (file == NULL) {
        perror("fastcopy bench: --plot");
        exit(FC_EXIT_FAILED);
    }
    return file;
}

/* The picture inside a page, without the XML declaration before it. */
static void write_html(FILE *page, FILE *svg, const char *title) {
    fprintf(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
        "<title>fastcopy bench %s</title>\n<style>svg { max-width: 100%%; height: auto }</style>\n",
        title);
    char line[4096];
    bool inside = false;
    rewind(svg);
    while (fgets(line, sizeof line, svg) != NULL) {
        inside = inside || strncmp(line, "<svg", 4) == 0;
        if (inside)
            fputs(line, page);
    }
    fputs("</html>\n", page);
}

void fc_plot(const struct fc_experiment *experiment, const char *file) {
    size_t count;
    struct panel *panels = find_panels(experiment, &count);
    bool lines = experiment->plot == FC_PLOT_LINES, html = ends_with(file, ".html"), missing;
    unsigned columns = count < (lines ? 2 : 4) ? (unsigned)count
                       : lines                 ? 2
                                               : 4,
             rows = ((unsigned)count + columns - 1) / columns;
    FILE *script = temporary(), *picture = html ? temporary() : fopen(file, "w");
    begin(script, experiment, ends_with(file, ".png"),
          columns == 1 ? 1100 : columns * (lines ? 620 : 520), rows * (lines ? 560 : 620), columns,
          rows);
    for (size_t i = 0; i < count; i++)
        (lines ? draw_lines : draw_heat)(script, experiment, &panels[i]);
    fputs("unset multiplot\n", script);
    rewind(script);
    bool drawn = picture != NULL && run_gnuplot(script, picture, &missing);
    if (drawn && html) {
        FILE *page = fopen(file, "w");
        drawn = page != NULL;
        if (page != NULL) {
            write_html(page, picture, experiment->mode);
            drawn = fclose(page) == 0;
        }
    }
    if (picture != NULL)
        fclose(picture);
    fclose(script);
    free(panels);
    if (!drawn) {
        fprintf(stderr, "fastcopy bench: --plot: %s could not be drawn\n", file);
        exit(FC_EXIT_FAILED);
    }
}
