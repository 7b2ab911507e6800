/* peers.c - peers are processes: they are made, started, asked, and ended here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli/bench/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/library.h"
#include "cli/progress.h"

extern char **environ;

/* A row of the table below. */
struct bench_peer_kind {
    const char *name;
    const char *types; /* r: f64 and f32; b: bool */
    /* For the shell: makes the program NAME.TYPE; %1$s is the name, %2$s the type, %3$s the type in
     * C. */
    const char *make;
    const char *run; /* likewise */
    bool on_gpu;     /* takes part without being named if everything runs there */
};

#define WITH_CC                                                      \
    "${SPCC_CC:-${CC:-cc}} -O3 -march=native -fopenmp -D_GNU_SOURCE" \
    " -DVALUE=%3$s -DTYPE_%2$s -o %1$s.%2$s %1$s.c -lm -ldl"
#define WITH_CXX    "${CXX:-c++} -O3 -march=native -fopenmp -DVALUE=%3$s -o %1$s.%2$s %1$s.cpp"
#define WITH_PYTHON "cp scipy_peer.py %1$s.%2$s"
#define ITSELF      "exec ./%1$s.%2$s"
#define CUSPARSE(algorithm)                                                        \
    "${SPCC_CC:-${CC:-cc}} -O2 -D_GNU_SOURCE -DVALUE=%3$s -DALGORITHM=" #algorithm \
    " -o %1$s.%2$s cusparse.c -lm -ldl"
#define PYTHON "exec \"${SPCC_PEER_PATH:-python3}\" scipy_peer.py %2$s %1$s"

static const struct bench_peer_kind roofline = {"roofline", "r", WITH_CC, ITSELF, false};

static const struct bench_peer_kind kinds[] = {
    {"hand", "rb", WITH_CC, ITSELF, false},
    {"taco", "r", WITH_CC, ITSELF, false},
    {"eigen", "r", WITH_CXX " -I/usr/include/eigen3", ITSELF, false},
    {"graphblas", "rb", WITH_CC " -lgraphblas", ITSELF, false},
    {"mkl", "r", WITH_CC, ITSELF, false},
    {"openblas", "r", WITH_CC, ITSELF, false},
    {"scipy", "rb", WITH_PYTHON, PYTHON, false},
    {"fmm", "r", WITH_PYTHON, PYTHON, false},
    {"cusparse", "r", CUSPARSE(1), ITSELF, true},
    {"cusparse2", "r", CUSPARSE(2), ITSELF, true},
    {"cusparse3", "r", CUSPARSE(3), ITSELF, true},
};

/* ---- the list ---- */

static const struct bench_peer_kind *kind_named(const char *name)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return &kinds[k];
    return NULL;
}

static enum cli_status complain_of_peer(const char *name)
{
    struct suggestion near = suggest_for(name);
    library_complain("--peers: there is no peer '%s'", name);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        suggest_consider(&near, kinds[k].name, strlen(kinds[k].name));
    if (near.nearest)
        message_help("did you mean %.*s?", near.length, near.nearest);
    else
        message_help("peers are hand, taco, eigen, graphblas, mkl, openblas, scipy and cusparse; a "
                     "program of "
                     "your own has a / in its name");
    return CLI_BAD_USAGE;
}

/* Adds an item of the list: NAME, NAME=PATH, or a program with a / in its name. */
static enum cli_status add_peer(struct bench_peers *peers, char *item)
{
    struct bench_peer *peer = &peers->peer[peers->n];
    char *path = strchr(item, '=');
    if (path)
        *path++ = 0;
    bool is_program = !path && strchr(item, '/');
    const char *name = is_program ? strrchr(item, '/') + 1 : item;
    *peer = (struct bench_peer){.kind = is_program ? NULL : kind_named(name)};
    if (!is_program && !peer->kind)
        return complain_of_peer(name);
    if (peers->n == BENCH_PEERS) {
        library_complain("--peers: %d are the most", BENCH_PEERS);
        return CLI_BAD_USAGE;
    }
    snprintf(peer->name, sizeof peer->name, "%s", name);
    const char *given = is_program ? item : path;
    if (given && !(peer->path = realpath(given, NULL))) {
        library_complain("--peers: %s: %s", given, strerror(errno));
        return CLI_BAD_USAGE;
    }
    peers->n++;
    return CLI_DONE;
}

static enum cli_status add_peers(struct bench_peers *peers, const char *list, bool on_gpu)
{
    enum cli_status status = CLI_DONE;
    char *copy = strdup(list), *rest = copy;
    if (!copy)
        return library_no_memory();
    for (char *item; status == CLI_DONE && (item = strsep(&rest, ","));)
        if (item[0])
            status = add_peer(peers, item);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !copy[0] && status == CLI_DONE; k++) {
        if (kinds[k].on_gpu != on_gpu)
            continue;
        struct bench_peer *peer = &peers->peer[peers->n++];
        *peer = (struct bench_peer){.kind = &kinds[k]};
        snprintf(peer->name, sizeof peer->name, "%s", kinds[k].name);
    }
    free(copy);
    return status;
}

enum cli_status bench_peers_open(struct bench_peers *peers, const char *list, bool on_gpu)
{
    const char *scratch = getenv("TMPDIR");
    *peers = (struct bench_peers){.roofline = {.kind = &roofline, .name = "roofline"}};
    enum cli_status status = list ? add_peers(peers, list, on_gpu) : CLI_DONE;
    if (status != CLI_DONE)
        return status;
    int n = snprintf(peers->folder, sizeof peers->folder, "%s/spcc-bench-XXXXXX",
                     scratch && scratch[0] ? scratch : "/tmp");
    if (n < (int)sizeof peers->folder && mkdtemp(peers->folder))
        return CLI_DONE;
    library_complain("no folder for peers: %s: %s", peers->folder, strerror(errno));
    peers->folder[0] = 0;
    return CLI_BAD_MACHINE;
}

/* ---- processes ---- */

/* Starts the shell in the folder, with pipes to and from it if they are asked for.  No other peer
 * inherits these: a peer ends when its pipe is closed. */
static bool start_shell(const struct bench_peers *peers, const char *command, const char *path,
                        struct bench_process *process, bool has_pipes)
{
    static const char enter[] = "cd \"$1\" && if [ -n \"$2\" ]; then export SPCC_PEER_PATH=\"$2\"; "
                                "fi; eval \"$0\"";
    const char *arguments[] = {"sh", "-c", enter, command, peers->folder, path ? path : "", NULL};
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    if (has_pipes && (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0))
        return false;
    posix_spawn_file_actions_init(&actions);
    if (has_pipes) {
        posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    }
    bool started =
        posix_spawnp(&process->id, "sh", &actions, NULL, (char *const *)arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!has_pipes)
        return started;
    close(to[0]);
    close(from[1]);
    process->to = fdopen(to[1], "w");
    process->from = fdopen(from[0], "r");
    return started && process->to && process->from;
}

static void end_process(struct bench_process *process)
{
    int status;
    if (process->to)
        fclose(process->to);
    if (process->from)
        fclose(process->from);
    if (process->id > 0)
        while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
            continue;
    *process = (struct bench_process){.is_tried = true};
}

bool bench_peer_ask(struct bench_peer *peer, struct bench_process *process, char *answer,
                    size_t room, const char *question)
{
    if (question)
        fprintf(process->to, "%s\n", question);
    if ((!question || fflush(process->to) == 0) && fgets(answer, (int)room, process->from)) {
        answer[strcspn(answer, "\n")] = 0;
        return true;
    }
    end_process(process);
    peer->takes_part = NULL;
    return false;
}

static bool write_sources(struct bench_peers *peers)
{
    char path[128];
    for (const struct bench_text *t = bench_texts; t->name && !peers->has_sources; t++) {
        snprintf(path, sizeof path, "%s/%s", peers->folder, t->name);
        FILE *out = fopen(path, "w");
        bool is_whole = out && fputs(t->text, out) >= 0;
        if (!out || fclose(out) != 0 || !is_whole)
            return false;
    }
    peers->has_sources = true;
    return true;
}

/* Notes the first line that the peer's compiler printed. */
static void note_trouble(const struct bench_peers *peers, struct bench_peer *peer)
{
    char path[128], line[256] = "";
    snprintf(path, sizeof path, "%s/%s.log", peers->folder, peer->name);
    FILE *log = fopen(path, "r");
    while (log && fgets(line, sizeof line, log) && !strstr(line, "error")
           && !strstr(line, "not found"))
        continue;
    if (log)
        fclose(log);
    const char *error = strstr(line, "error: ");
    line[strcspn(line, "\n")] = 0;
    snprintf(peer->title, sizeof peer->title, "%.60s",
             error     ? error + 7
             : line[0] ? line
                       : "cannot be made");
}

static bool make_program(struct bench_peers *peers, struct bench_peer *peer, const char *type,
                         const char *c_type)
{
    char command[512], logged[600];
    struct bench_process maker = {.id = 0};
    struct progress progress;
    int status = 1;
    if (!write_sources(peers))
        return false;
    snprintf(command, sizeof command, peer->kind->make, peer->name, type, c_type);
    snprintf(logged, sizeof logged, "%s >%s.log 2>&1", command, peer->name);
    progress_begin(&progress, "compiling the peer %s", peer->name);
    if (start_shell(peers, logged, peer->path, &maker, false))
        while (waitpid(maker.id, &status, 0) < 0 && errno == EINTR)
            continue;
    progress_end(&progress);
    if (status != 0)
        note_trouble(peers, peer);
    return status == 0;
}

/* Returns the process for a type, and tries once to make and start it.  NULL if there is none. */
static struct bench_process *process_for(struct bench_peers *peers, struct bench_peer *peer,
                                         spcc_type type)
{
    static const struct {
        spcc_type type;
        char letter;
        const char *c_name;
    } types[] = {{SPCC_F64, 'r', "double"}, {SPCC_F32, 'r', "float"}, {SPCC_BOOL, 'b', "bool"}};
    size_t t = 0, n_types = sizeof types / sizeof *types;
    while (t < n_types && types[t].type != type)
        t++;
    if (t == n_types || (peer->kind && !strchr(peer->kind->types, types[t].letter)))
        return NULL;
    struct bench_process *process = &peer->process[t];
    char command[512], line[256];
    const char *name = spcc_type_name(type), *c_name = types[t].c_name;
    if (process->is_tried)
        return process->to ? process : NULL;
    process->is_tried = true;
    if (peer->kind && !make_program(peers, peer, name, c_name))
        return NULL;
    if (peer->kind)
        snprintf(command, sizeof command, peer->kind->run, peer->name, name, c_name);
    else
        snprintf(command, sizeof command, "exec \"$2\" %s", name);
    snprintf(peer->title, sizeof peer->title, "did not start");
    if (!start_shell(peers, command, peer->path, process, true)
        || !bench_peer_ask(peer, process, line, sizeof line, NULL)) {
        end_process(process);
        return NULL;
    }
    const char *title = strchr(line, ' ');
    snprintf(peer->title, sizeof peer->title, "%.60s", title ? title + 1 : peer->name);
    if (strncmp(line, "peer", 4) != 0)
        end_process(process);
    return process->to ? process : NULL;
}

void bench_peers_introduce(struct bench_peers *peers, FILE *out)
{
    for (int p = 0; p < peers->n; p++) {
        struct bench_peer *peer = &peers->peer[p];
        bool is_there = process_for(peers, peer, SPCC_F64) != NULL;
        fprintf(out, "%s %s: %s%s\n", p == 0 ? "peers" : "     ", peer->name,
                is_there ? "" : "not there: ", peer->title);
    }
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

void bench_peers_close(struct bench_peers *peers)
{
    for (int p = -1; p < peers->n; p++) {
        struct bench_peer *peer = p < 0 ? &peers->roofline : &peers->peer[p];
        for (size_t t = 0; t < sizeof peer->process / sizeof *peer->process; t++)
            end_process(&peer->process[t]);
        free(peer->path);
    }
    if (peers->folder[0])
        nftw(peers->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- a case ---- */

static bool write_array(const struct bench_peers *peers, const char *name, const void *at,
                        size_t bytes)
{
    char path[192];
    snprintf(path, sizeof path, "%s/%s", peers->folder, name);
    FILE *out = fopen(path, "wb");
    bool is_whole = out && fwrite(at, 1, bytes, out) == bytes;
    return out && fclose(out) == 0 && is_whole;
}

/* Writes numbers of 64 bits as the 32 bits that peers use. */
static bool write_narrow(const struct bench_peers *peers, const char *name, const int64_t *at,
                         int64_t n)
{
    int32_t *narrow = malloc((size_t)n * sizeof *narrow + 1);
    bool fits = narrow != NULL;
    for (int64_t i = 0; i < n && fits; i++) {
        narrow[i] = (int32_t)at[i];
        fits = narrow[i] == at[i];
        errno = fits ? errno : EOVERFLOW;
    }
    bool is_whole = fits && write_array(peers, name, narrow, (size_t)n * sizeof *narrow);
    free(narrow);
    return is_whole;
}

/* Writes an array of the tensor's level, and its line. */
static bool write_index(const struct bench_peers *peers, FILE *out, const struct bench_tensor *t,
                        int level, int k)
{
    char name[64];
    spcc_array array = spcc_tensor_array(t->is, level, k);
    const char *what = spcc_tensor_array_name(t->is, level, k);
    if (!what || !array.at)
        return true;
    spcc_type type = spcc_tensor_array_type(t->is, level, k);
    snprintf(name, sizeof name, "%s.%d.%s", t->name, level, what);
    bool is_wide = spcc_type_size(type) == 8;
    fprintf(out, "array %s %d %s %lld %s %s\n", t->name, level, what, (long long)array.length, name,
            is_wide ? "i32" : spcc_type_name(type));
    return is_wide
               ? write_narrow(peers, name, array.at, array.length)
               : write_array(peers, name, array.at, (size_t)array.length * spcc_type_size(type));
}

/* Writes a line for the tensor and for each of its arrays, which are files. */
static bool write_tensor(const struct bench_peers *peers, FILE *out, const struct bench_tensor *t)
{
    char name[64];
    bool is_whole = true;
    fprintf(out, "tensor %s %s %d", t->name, t->format[0] ? t->format : "dense", t->order);
    for (int m = 0; m < t->order; m++)
        fprintf(out, " %lld", (long long)t->dimension[m]);
    fputc('\n', out);
    for (int level = 0; !t->is_result && level < spcc_tensor_levels(t->is); level++)
        for (int k = 0; k < 3; k++)
            is_whole &= write_index(peers, out, t, level, k);
    if (t->is_result)
        return true;
    int64_t n = spcc_tensor_stored(t->is);
    snprintf(name, sizeof name, "%s.vals", t->name);
    fprintf(out, "values %s %lld %s\n", t->name, (long long)n, name);
    return is_whole
           && write_array(peers, name, spcc_tensor_values(t->is),
                          (size_t)n * spcc_type_size(spcc_tensor_type(t->is)));
}

static bool write_case(const struct bench_peers *peers, const struct bench_case *c)
{
    char path[128];
    snprintf(path, sizeof path, "%s/case", peers->folder);
    FILE *out = fopen(path, "w");
    bool is_whole = out != NULL;
    if (!out)
        return false;
    fprintf(out, "kernel %s\nstatement %s\nformats %.*s\ntype %s\n", c->kernel->name,
            c->kernel->statement, c->formats_length, c->formats, spcc_type_name(c->type));
    for (int t = 0; t < c->tensors; t++)
        is_whole &= write_tensor(peers, out, &c->tensor[t]);
    if (c->files)
        is_whole &= bench_files_describe(c, peers->folder, out);
    return fclose(out) == 0 && is_whole;
}

enum cli_status bench_peers_offer(struct bench_peers *peers, const struct bench_case *c,
                                  int threads, int most, const char *name)
{
    char question[160], answer[64];
    for (int p = 0; p < peers->n; p++) {
        struct bench_peer *peer = &peers->peer[p];
        bool is_asked = !name || strcmp(name, peer->name) == 0;
        struct bench_process *process = is_asked ? process_for(peers, peer, c->type) : NULL;
        peer->takes_part = NULL;
        peer->is_wrong = false;
        peer->times.n = 0;
        peer->times.most = most;
        if (!process)
            continue;
        if (!peers->has_tensors && !write_case(peers, c)) {
            library_complain("%s: %s", peers->folder, strerror(errno));
            return CLI_BAD_MACHINE;
        }
        peers->has_tensors = true;
        snprintf(question, sizeof question, "case %d %s", threads, peers->folder);
        if (!bench_peer_ask(peer, process, answer, sizeof answer, question))
            library_complain("the peer %s has ended", peer->name);
        else if (strcmp(answer, "yes") == 0)
            peer->takes_part = process;
        else
            bench_peer_ask(peer, process, answer, sizeof answer, "done");
    }
    return CLI_DONE;
}

void bench_peers_done(struct bench_peers *peers)
{
    char answer[64];
    for (int p = 0; p < peers->n; p++)
        if (peers->peer[p].takes_part)
            bench_peer_ask(&peers->peer[p], peers->peer[p].takes_part, answer, sizeof answer,
                           "done");
}

void bench_peers_forget(struct bench_peers *peers) { peers->has_tensors = false; }

/* Reads the numbers of a line "times 1.5 1.6". */
static void note_times(struct bench_times *times, const char *line)
{
    char *end;
    for (const char *s = line + strcspn(line, " "); *s && times->n < times->most; s = end) {
        double ms = strtod(s, &end);
        if (end == s)
            break;
        times->ms[times->n++] = ms;
    }
}

/* Returns the processor time of all its threads, or -1. */
static double processor_ms(pid_t id)
{
    clockid_t clock;
    struct timespec used;
    bool is_known = clock_getcpuclockid(id, &clock) == 0 && clock_gettime(clock, &used) == 0;
    return is_known ? 1e3 * (double)used.tv_sec + 1e-6 * (double)used.tv_nsec : -1;
}

/* The peer's threads may look for more work for some milliseconds, on the processors of the next
 * contestant.  Waits until they have stopped. */
static void let_it_rest(pid_t id)
{
    enum { MOST_MS = 300 };
    static const double still_ms = 0.1;
    const struct timespec a_millisecond = {.tv_nsec = 1000000};
    double before = processor_ms(id), now;
    for (int waited = 0; waited < MOST_MS; waited++, before = now) {
        nanosleep(&a_millisecond, NULL);
        now = processor_ms(id);
        if (now - before < still_ms)
            return;
    }
}

bool bench_peer_turn(struct bench_peer *peer, double ms)
{
    static char line[BENCH_SAMPLES * 16];
    char question[48];
    snprintf(question, sizeof question, "turn %.6f", ms);
    if (!bench_peer_ask(peer, peer->takes_part, line, sizeof line, question)) {
        library_complain("the peer %s has ended", peer->name);
        return false;
    }
    note_times(&peer->times, line);
    let_it_rest(peer->takes_part->id);
    return true;
}

/* ---- the machine ---- */

double bench_peers_rate(struct bench_peers *peers, const char *what, spcc_type type, int threads,
                        int64_t bytes)
{
    enum { TURNS = 3 };
    static const double turn_ms = 30;
    struct bench_peer *peer = &peers->roofline;
    struct bench_process *process = process_for(peers, peer, type);
    char path[128], line[160];
    long long amount = 0;
    if (!process)
        return 0;
    snprintf(path, sizeof path, "%s/case", peers->folder);
    FILE *out = fopen(path, "w");
    if (!out)
        return 0;
    fprintf(out, "statement %s\nformats none\ntensor n dense 1 %lld\n", what, (long long)bytes);
    fclose(out);
    peers->has_tensors = false;
    peer->takes_part = process;
    peer->times.n = 0;
    peer->times.most = BENCH_SAMPLES;
    snprintf(line, sizeof line, "case %d %s", threads, peers->folder);
    if (!bench_peer_ask(peer, process, line, sizeof line, line) || strcmp(line, "yes") != 0)
        return 0;
    for (int turn = 0; turn < TURNS && peer->takes_part; turn++)
        bench_peer_turn(peer, turn_ms);
    if (peer->takes_part && bench_peer_ask(peer, process, line, sizeof line, "result"))
        sscanf(line, "amount %lld", &amount);
    if (peer->takes_part)
        bench_peer_ask(peer, process, line, sizeof line, "done");
    double least = 0;
    for (int s = 0; s < peer->times.n; s++)
        least = s == 0 || peer->times.ms[s] < least ? peer->times.ms[s] : least;
    return least > 0 ? (double)amount / least : 0;
}
