/* number_unit.c - units with a fixed ratio, which a column may mix; see cell_format.h.
 *
 *   900  1.5K  2.3M      512 kB  3 MB      90 s  2 min      12.50 DR  7.00 CR
 *
 * To add one: add it to `scales`, with its base. In a column of one unit, numbers keep their values (12 kg is
 * 12); this table is used only where units differ. */
#include <string.h>

#include "table/cell_format.h"

#define COUNT ""       /* plain numbers are counts, too */
#define LEDGER "debit" /* and debits, if only credits are marked */
#define KIBI 1024.0

static const ank_scale scales[] = {
    {"k", COUNT, 3, 1},      {"K", COUNT, 3, 1},       {"Tsd", COUNT, 3, 1},    {"Tsd.", COUNT, 3, 1},
    {"M", COUNT, 6, 1},      {"Mio", COUNT, 6, 1},     {"Mio.", COUNT, 6, 1},   {"mio", COUNT, 6, 1},
    {"mn", COUNT, 6, 1},     {"million", COUNT, 6, 1}, {"G", COUNT, 9, 1},      {"bn", COUNT, 9, 1},
    {"Bn", COUNT, 9, 1},     {"Mrd", COUNT, 9, 1},     {"Mrd.", COUNT, 9, 1},   {"billion", COUNT, 9, 1},
    {"T", COUNT, 12, 1},     {"DR", LEDGER, 0, 1},     {"Dr", LEDGER, 0, 1},    {"CR", LEDGER, 0, -1},
    {"Cr", LEDGER, 0, -1},   {"B", "B", 0, 1},         {"bytes", "B", 0, 1},    {"Bytes", "B", 0, 1},
    {"kB", "B", 3, 1},       {"KB", "B", 3, 1},        {"MB", "B", 6, 1},       {"GB", "B", 9, 1},
    {"TB", "B", 12, 1},      {"KiB", "B", 0, KIBI},    {"MiB", "B", 0, 0x1p20}, {"GiB", "B", 0, 0x1p30},
    {"TiB", "B", 0, 0x1p40}, {"ns", "s", -9, 1},       {"us", "s", -6, 1},      {"µs", "s", -6, 1},
    {"μs", "s", -6, 1},      {"ms", "s", -3, 1},       {"s", "s", 0, 1},        {"sec", "s", 0, 1},
    {"min", "s", 0, 60},     {"h", "s", 0, 3600},      {"d", "s", 0, 86400},    {"mg", "g", -3, 1},
    {"g", "g", 0, 1},        {"kg", "g", 3, 1},        {"mm", "m", -3, 1},      {"cm", "m", -2, 1},
    {"m", "m", 0, 1},        {"km", "m", 3, 1},        {"mV", "V", -3, 1},      {"V", "V", 0, 1},
    {"kV", "V", 3, 1},       {"W", "W", 0, 1},         {"kW", "W", 3, 1},       {"MW", "W", 6, 1},
    {"Wh", "Wh", 0, 1},      {"kWh", "Wh", 3, 1},      {"MWh", "Wh", 6, 1},     {"Hz", "Hz", 0, 1},
    {"kHz", "Hz", 3, 1},     {"MHz", "Hz", 6, 1},      {"GHz", "Hz", 9, 1},     {"ml", "l", -3, 1},
    {"mL", "l", -3, 1},      {"l", "l", 0, 1},         {"L", "l", 0, 1},
};

const ank_scale *ank_scale_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    if (strlen(scales[i].name) == length && memcmp(scales[i].name, name, length) == 0) return &scales[i];
  return NULL;
}

int ank_scale_of_plain(const ank_scale *scale) {
  return strcmp(scale->base, COUNT) == 0 || strcmp(scale->base, LEDGER) == 0;
}

int ank_scales_mix(const ank_scale *scale, int plain_too) {
  if (!plain_too) return 1;
  /* 5.00 and 7.00 DR: are the plain ones credits? */
  return ank_scale_of_plain(scale) && !(strcmp(scale->base, LEDGER) == 0 && scale->factor > 0);
}
