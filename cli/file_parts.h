/* file_parts.h - what the files that read statement files share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SPCC_CLI_FILE_PARTS_H
#define SPCC_CLI_FILE_PARTS_H

#include "cli/file.h"

/* Zeroed memory that is freed with the file; NULL after noting in it that there is none. */
void *file_keep(struct file *file, size_t n, size_t size);

/* Room for one more element after the n of an array that file_keep_more made; NULL, as above. */
void *file_keep_more(struct file *file, void *array, int n, size_t size);

/* Turns the lines of file->text into words, statements and what stands before each; false after a
 * complaint, or where file->no_memory says so. */
bool file_read_lines(struct file *file);

/* Returns where the blanks end that stand at byte k of the line, and the identifier. */
int file_skip_blanks(const struct file_text *line, int k);
int file_skip_name(const struct file_text *line, int k);

/* ---- file_foreign.c ---- */

/* Does the line assign to the tensor whose name ends at `end`? */
bool file_assigns(const struct file_text *line, int end);

/* Complain if the word from begin to end, which begins a line that does not assign, is one of
 * another language or misspelled; false then. */
bool file_check_word(struct file *file, const struct file_text *line, int begin, int end);

/* Help about a word of another language. */
void file_help_word(const struct file_text *line, int begin, int end);

/* Set in the requests what functions are called that no line of the file names. */
enum cli_status file_name_functions(struct file *file);

/* Give settings that name no tensor the one that they suit; complain where there is none, or
 * several.  Statements have been parsed. */
enum cli_status file_name_settings(struct file *file);

/* Returns the number of the tensor of this name, of the variable whose name the word of n bytes is;
 * -1: there is none. */
int file_find_tensor(const spcc_statement *statement, const char *name);
int file_find_variable(const spcc_statement *statement, const char *word, size_t n);

/* ---- file_same.c ---- */

/* Add a promise of one pattern to the statement's settings, of those tensors that it has. */
enum cli_status file_link_same(struct file *file, struct file_statement *statement,
                               const struct cli_setting *setting, struct cli_setting *settings);
/* Has some statement each tensor of it?  False after a complaint. */
bool file_check_same(const struct file *file, const struct cli_setting *setting);

/* ---- file.c ---- */

/* Writes out what stored(A) counts where only other statements say A's modes; false: no memory. */
bool file_expand_stored(struct file *file);

/* ---- file_words.c ---- */

/* Returns an empty text with room for n bytes; a byte more, and bytes of another text. */
struct file_text file_new_text(struct file *file, size_t n);
void file_add_byte(struct file_text *text, char c, int place);
void file_add_part(struct file_text *text, const struct file_text *from, int begin, int end);

/* A word of a command line: before, the name, a colon and the value, where there are these.  What
 * is not in the file, such as a dash, stands where the byte after it does. */
void file_add_word(struct file *file, const char *before, const struct file_text *name,
                   const struct file_text *value);

/* Reads the words that a line has added, by themselves: what is said twice, all of them tell; and
 * all words, with the command line.  False after a complaint. */
bool file_check_words(struct file *file, const struct file_text *line);
bool file_parse_words(struct file *file);

/* ---- places ---- */

/* Returns the number of the word that an option's value is in; -1: it is not from the file. */
int file_find_word(const struct file *file, const char *value);

/* Returns the place of an option's value in the file; false: it is not from there. */
bool file_find_value(const struct file *file, const char *value, struct file_text *found);

/* "FILE:LINE:COLUMN: " and the message on standard error, and the line with a caret under the bytes
 * from begin to end. Returns false. */
bool file_wrong(const struct file *file, int begin, int end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
