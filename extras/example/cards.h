/* cards.h - one card payment, the usual values for it, and how a fraud changes it.
 *
 * No data come from a bank: the shares and amounts are plausible figures. They are chosen so that columns
 * depend on each other as in reality (amount on category, card and account; channel on category and hour;
 * distance on country), and so that each fraud is strange as a combination, not by one column. */
#ifndef ANK_EXAMPLE_CARDS_H
#define ANK_EXAMPLE_CARDS_H

#include "core/rng.h"
#include "table/table.h"

enum { CARD_STUDENT, CARD_CLASSIC, CARD_GOLD, CARD_BUSINESS, CARD_KINDS };
enum {
  SHOP_GROCERY,
  SHOP_RESTAURANT,
  SHOP_FUEL,
  SHOP_CLOTHING,
  SHOP_ELECTRONICS,
  SHOP_TRAVEL,
  SHOP_PHARMACY,
  SHOP_SUBSCRIPTION,
  SHOP_CASH,
  SHOP_KINDS
};
enum { CHANNEL_CHIP, CHANNEL_CONTACTLESS, CHANNEL_ONLINE, CHANNEL_KINDS };
enum { LAND_FR, LAND_DE, LAND_IT, LAND_ES, LAND_BE, LAND_GB, LAND_PT, LAND_MA, LAND_TR, LAND_COUNT };

/* The customer: the same for all payments of an account. */
typedef struct ank_account {
  unsigned number;
  int card, home; /* CARD_..., LAND_... */
  double level;   /* factor on amounts */
  double radius;  /* km; half of the payments at home are nearer */
  double pace;    /* other payments in 24 hours */
  double device;  /* age of the phone in days when the table begins */
  int pays_by_phone;
} ank_account;

typedef struct ank_payment {
  ank_account account;
  double seconds; /* since the table begins */
  double amount, hour, distance, count;
  double device_age; /* NaN: no device is involved */
  int shop, land, channel;
  int fraud;
} ank_payment;

extern const char *const ank_card_names[CARD_KINDS];
extern const char *const ank_shop_names[SHOP_KINDS];
extern const char *const ank_channel_names[CHANNEL_KINDS];
extern const char *const ank_land_names[LAND_COUNT];

/* Make settings->rows rows from settings->first_row on. */
anorank_status ank_cards_make(anorank_table **out, const anorank_settings *settings, anorank_error *err);

/* Make row i as an honest customer would. */
void ank_payment_honest(ank_payment *payment, uint64_t seed, uint64_t row);

/* If row i is to be a fraud, turn it into one. `share` is the expected share of such rows. */
void ank_payment_fraud(ank_payment *payment, uint64_t seed, uint64_t row, double share);

/* ---- shared parts ---- */

/* Open the random numbers of the row, the account or the fraud with this number. */
typedef enum ank_card_draw { DRAW_ROW, DRAW_ACCOUNT, DRAW_EVENT, DRAW_FRAUD, DRAW_GAPS } ank_card_draw;
void ank_card_rng(ank_rng *rng, uint64_t seed, ank_card_draw what, uint64_t number);

ank_account ank_account_draw(ank_rng *rng, uint64_t seed);      /* draws a random account */
double ank_usual_amount(int shop, const ank_account *account);  /* median */
double ank_amount_spread(int shop);                             /* standard deviation of the logarithm */
double ank_distance_abroad(ank_rng *rng, int home, int land);   /* km */
double ank_card_between(ank_rng *rng, double low, double high); /* uniform */
size_t ank_card_pick(ank_rng *rng, const double *weights, size_t count); /* draws an index with these
                                                                          * weights */

#endif
