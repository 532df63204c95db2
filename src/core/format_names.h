/* format_names.h - the file formats of tables by name.
 *
 * To add one: write src/table/format_NAME.c with an ank_format called ank_format_NAME (table/format.h), and
 * add its name here. The setting `format`, --output-format, help, completion, detection by content and by
 * file name, and the contract tests follow. The first is the fallback of `auto`. */
#ifndef ANK_CORE_FORMAT_NAMES_H
#define ANK_CORE_FORMAT_NAMES_H

#define ANK_FORMATS(DO) DO(csv) DO(tsv) DO(npy) DO(npz) DO(jsonl) DO(xlsx)

/* The values of settings->format: ANK_FORMAT_auto, ANK_FORMAT_csv, ... */
#define ANK_FORMAT_VALUE(name) , ANK_FORMAT_##name
enum { ANK_FORMAT_auto = 0 ANK_FORMATS(ANK_FORMAT_VALUE), ANK_FORMAT_END };

/* "auto|csv|...": the choices of the setting, in the order of the values. */
#define ANK_FORMAT_CHOICE(name) "|" #name
#define ANK_FORMAT_CHOICES "auto" ANK_FORMATS(ANK_FORMAT_CHOICE)

#endif
