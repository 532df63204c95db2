/* bands.h - pointwise intervals and a simultaneous band for the mass-volume curve. */
#ifndef ANK_CRITERION_BANDS_H
#define ANK_CRITERION_BANDS_H

#include "anorank/criterion.h"
#include "criterion/pooled.h"

/* Set low, high, band_low and band_high of the curve that ank_curve computed from `pooled`. Takes O(count *
 * bootstrap) time for any number of rows. */
anorank_status ank_bands(anorank_curve_point *curve, size_t count, const ank_pooled *pooled,
                         const anorank_settings *settings, anorank_error *err);

/* Return ANORANK_ERROR_USAGE unless band_from is below band_to. */
anorank_status ank_bands_check(const anorank_settings *settings, anorank_error *err);

#endif
