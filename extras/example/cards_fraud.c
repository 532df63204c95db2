/* cards_fraud.c - five kinds of synthetic fraud; see cards.h.
 *
 * Rows form groups of 16, and a group contains at most one event: one row, or a burst of a few. So whether
 * row i is a fraud depends on the seed and i alone. */
#include <math.h>

#include "example/cards.h"

#define GROUP 16
#define BURST_LEAST 4
#define BURST_KINDS 4 /* lengths 4 to 7 */

/* The weight of each kind of event, and its mean number of rows. */
enum { FRAUD_STOLEN, FRAUD_TESTING, FRAUD_ABOVE, FRAUD_IMPOSSIBLE, FRAUD_TAKEOVER, FRAUD_KINDS };
static const double often[FRAUD_KINDS] = {0.26, 0.08, 0.22, 0.22, 0.22};
static const double rows_per_event = 1 + 0.08 * (BURST_LEAST + (BURST_KINDS - 1) / 2.0 - 1);

/* A stolen card is used abroad at night, over the counter. Some people do travel, and some pay at night. */
static void stolen(ank_payment *payment, ank_rng *rng) {
  static const int shops[] = {SHOP_ELECTRONICS, SHOP_CLOTHING, SHOP_CASH};
  static const int lands[] = {LAND_GB, LAND_PT, LAND_MA, LAND_TR};
  payment->shop = shops[ank_rng_below(rng, 3)];
  payment->land = lands[ank_rng_below(rng, 4)];
  payment->hour = (double)(1 + ank_rng_below(rng, 4));
  payment->channel = CHANNEL_CHIP;
  payment->amount = ank_usual_amount(payment->shop, &payment->account) * exp(ank_card_between(rng, 1.2, 2.2));
  if (payment->shop == SHOP_CASH) payment->amount = 10 * ceil(payment->amount / 10);
  payment->distance = ank_distance_abroad(rng, payment->account.home, payment->land);
  payment->count += 2 + (double)ank_rng_below(rng, 5);
  payment->device_age = NAN;
}

/* Someone tests whether a card number works: tiny sums online, one after the other, from a new device. */
static void testing(ank_payment *payment, ank_rng *rng, double place) {
  static const int shops[] = {SHOP_SUBSCRIPTION, SHOP_ELECTRONICS, SHOP_CLOTHING};
  payment->shop = shops[ank_rng_below(rng, 3)];
  payment->channel = CHANNEL_ONLINE;
  payment->amount = ank_card_between(rng, 0.2, 1.5);
  payment->count += 4 + place;
  payment->device_age = ank_card_between(rng, 0, 3);
  payment->distance = ank_card_between(rng, 400, 2200);
}

/* An amount that is normal for a business card, in a shop and on a card where it is not. */
static void above(ank_payment *payment, ank_rng *rng) {
  static const int shops[] = {SHOP_GROCERY, SHOP_RESTAURANT, SHOP_PHARMACY, SHOP_CLOTHING, SHOP_FUEL};
  payment->shop = shops[ank_rng_below(rng, 5)];
  payment->channel = CHANNEL_CHIP;
  payment->device_age = NAN;
  payment->amount = ank_usual_amount(payment->shop, &payment->account) *
                    exp(fmax(0.5, ank_amount_spread(payment->shop)) * ank_card_between(rng, 5, 6.5));
}

/* The card is in its own country, yet more than a thousand kilometres from home: a copy. */
static void impossible(ank_payment *payment, ank_rng *rng) {
  if (payment->shop == SHOP_SUBSCRIPTION) payment->shop = SHOP_FUEL;
  payment->land = payment->account.home;
  payment->channel = CHANNEL_CHIP;
  payment->device_age = NAN;
  payment->distance = ank_card_between(rng, 1200, 3000);
  payment->count += 2 + (double)ank_rng_below(rng, 5);
}

/* Someone else logs in with a new device, late, and buys goods that are easy to resell. */
static void takeover(ank_payment *payment, ank_rng *rng) {
  static const int shops[] = {SHOP_ELECTRONICS, SHOP_TRAVEL, SHOP_CLOTHING};
  static const int lands[] = {LAND_GB, LAND_PT, LAND_DE};
  payment->shop = shops[ank_rng_below(rng, 3)];
  payment->land = lands[ank_rng_below(rng, 3)];
  payment->channel = CHANNEL_ONLINE;
  payment->amount = ank_usual_amount(payment->shop, &payment->account) * exp(ank_card_between(rng, 1.4, 2.4));
  payment->device_age = ank_card_between(rng, 0, 3);
  payment->distance = ank_card_between(rng, 400, 2200);
  payment->hour = fmod(22 + (double)ank_rng_below(rng, 7), 24);
}

void ank_payment_fraud(ank_payment *payment, uint64_t seed, uint64_t row, double share) {
  ank_rng event, rng;
  uint64_t place = row % GROUP;
  ank_card_rng(&event, seed, DRAW_EVENT, row / GROUP);
  if (ank_rng_uniform(&event) >= share * GROUP / rows_per_event) return;
  size_t kind = ank_card_pick(&event, often, FRAUD_KINDS);
  uint64_t length = kind == FRAUD_TESTING ? BURST_LEAST + ank_rng_below(&event, BURST_KINDS) : 1;
  uint64_t first = ank_rng_below(&event, GROUP + 1 - length);
  if (place < first || place >= first + length) return;
  payment->account = ank_account_draw(&event, seed);
  for (int i = 0; kind == FRAUD_ABOVE && payment->account.card > CARD_CLASSIC && i < 20; i++)
    payment->account = ank_account_draw(&event, seed);
  payment->land = payment->account.home;
  payment->fraud = 1;
  ank_card_rng(&rng, seed, DRAW_FRAUD, row);
  payment->distance = payment->account.radius * exp(0.8 * ank_rng_normal(&rng));
  switch (kind) {
  case FRAUD_STOLEN: stolen(payment, &rng); break;
  case FRAUD_TESTING: testing(payment, &rng, (double)(place - first)); break;
  case FRAUD_ABOVE: above(payment, &rng); break;
  case FRAUD_IMPOSSIBLE: impossible(payment, &rng); break;
  default: takeover(payment, &rng); break;
  }
}
