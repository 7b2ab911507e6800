/* peers.h - those who compute the same as spcc: programs that are made when they are needed.
 *
 * A peer is a program of its own, so that it has its own threads and may crash by itself.  It is
 * written into a folder, compiled there, and asked by lines on its standard input; tensors and
 * results are files of that folder.  bench/README.md has the conversation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_BENCH_PEERS_H
#define SPCC_CLI_BENCH_PEERS_H

#include <sys/types.h>

#include "cli/bench/bench.h"

enum { BENCH_PEERS = 16 };

/* The sources, by embed.sh, up to one without a name. */
struct bench_text {
    const char *name, *text;
};
extern const struct bench_text bench_texts[];

struct bench_peer_kind;

/* One, for one type of values. */
struct bench_process {
    bool is_tried;
    pid_t id;
    FILE *to, *from; /* NULL: it is not there */
};

struct bench_peer {
    const struct bench_peer_kind *kind; /* NULL: the user's own program */
    char name[32], title[64];
    char *path;                       /* that the user gave; NULL: none */
    struct bench_process process[3];  /* f64, f32, bool */
    struct bench_process *takes_part; /* in the case at hand; NULL: it does not */
    bool is_wrong;
    struct bench_times times;
};

struct bench_peers {
    char folder[64];
    bool has_sources; /* in the folder */
    struct bench_peer roofline, peer[BENCH_PEERS];
    int n;
    bool has_tensors; /* of the case at hand, in the folder */
};

/* Those of a list, "eigen,mkl=/opt/libmkl_rt.so,./mine"; "": all that there are for a GPU or for
 * processors; NULL: none. */
enum cli_status bench_peers_open(struct bench_peers *peers, const char *list, bool on_gpu);
void bench_peers_close(struct bench_peers *peers);

/* Who of them is there, for the heading: makes and starts them. */
void bench_peers_introduce(struct bench_peers *peers, FILE *out);

/* Offer them, or the one of the name (NULL: all), a case on this many threads, to be run so often
 * at most; who takes part has takes_part set. */
enum cli_status bench_peers_offer(struct bench_peers *peers, const struct bench_case *c,
                                  int threads, int most, const char *name);
void bench_peers_done(struct bench_peers *peers);
/* The next case is another one. */
void bench_peers_forget(struct bench_peers *peers);

/* Asks (NULL: nothing), and reads the line that comes back; false, and the process is ended, if
 * none does. */
bool bench_peer_ask(struct bench_peer *peer, struct bench_process *process, char *answer,
                    size_t room, const char *question);

/* Runs for so long.  False: it has come to an end, and takes part no longer. */
bool bench_peer_turn(struct bench_peer *peer, double ms);

/* Is its result that of the case's? */
enum cli_status bench_peer_check(spcc_context *context, struct bench_peers *peers,
                                 struct bench_peer *peer, const struct bench_case *c);

/* Returns what the machine does in a millisecond, "triad", "gather" or "fma" on this many bytes; 0:
 * not known. */
double bench_peers_rate(struct bench_peers *peers, const char *what, spcc_type type, int threads,
                        int64_t bytes);

#endif
