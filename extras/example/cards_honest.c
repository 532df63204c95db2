/* cards_honest.c - payments of honest customers; see cards.h. */
#include <math.h>
#include <stddef.h>

#include "example/cards.h"

#define ROWS_PER_DAY 400.0
#define ACCOUNTS 800
#define DAY 86400.0
#define DEVICE_LIFE 1400.0 /* days until a phone is replaced: ages do not drift over the table */

const char *const ank_card_names[CARD_KINDS] = {"student", "classic", "gold", "business"};
const char *const ank_shop_names[SHOP_KINDS] = {
    "grocery", "restaurant", "fuel", "clothing", "electronics", "travel", "pharmacy", "subscription", "cash"};
const char *const ank_channel_names[CHANNEL_KINDS] = {"chip", "contactless", "online"};
const char *const ank_land_names[LAND_COUNT] = {"FR", "DE", "IT", "ES", "BE", "GB", "PT", "MA", "TR"};

/* Shops: median and spread of the amount, share bought online, share at night, and frequency by card. */
static const struct {
  double amount, spread, online, night, often[CARD_KINDS];
} shops[SHOP_KINDS] = {
    [SHOP_GROCERY] = {32, 0.55, 0.06, 0.15, {0.30, 0.33, 0.24, 0.06}},
    [SHOP_RESTAURANT] = {24, 0.50, 0.08, 1.2, {0.24, 0.14, 0.18, 0.22}},
    [SHOP_FUEL] = {52, 0.30, 0, 0.8, {0.05, 0.10, 0.11, 0.14}},
    [SHOP_CLOTHING] = {48, 0.55, 0.40, 0.3, {0.10, 0.09, 0.10, 0.02}},
    [SHOP_ELECTRONICS] = {90, 0.55, 0.55, 0.5, {0.05, 0.05, 0.07, 0.10}},
    [SHOP_TRAVEL] = {130, 0.50, 0.75, 0.7, {0.03, 0.04, 0.10, 0.24}},
    [SHOP_PHARMACY] = {17, 0.50, 0.05, 0.3, {0.05, 0.09, 0.08, 0.02}},
    [SHOP_SUBSCRIPTION] = {11, 0.50, 1, 3, {0.12, 0.10, 0.08, 0.08}},
    [SHOP_CASH] = {60, 0.50, 0, 0.6, {0.06, 0.06, 0.04, 0.12}},
};

static const struct {
  double amount, abroad, pace, share;
} cards[CARD_KINDS] = {[CARD_STUDENT] = {0.6, 0.03, 1.2, 0.15},
                       [CARD_CLASSIC] = {1, 0.02, 1.5, 0.55},
                       [CARD_GOLD] = {1.4, 0.05, 2, 0.18},
                       [CARD_BUSINESS] = {1.8, 0.10, 3.5, 0.12}};

/* Countries: km from a home in Europe, and frequency of visits. */
static const struct {
  double distance, visited, home;
} lands[LAND_COUNT] = {
    [LAND_FR] = {600, 0.12, 0.60}, [LAND_DE] = {700, 0.15, 0.12}, [LAND_IT] = {800, 0.14, 0.10},
    [LAND_ES] = {900, 0.15, 0.10}, [LAND_BE] = {450, 0.10, 0.08}, [LAND_GB] = {700, 0.14, 0},
    [LAND_PT] = {1200, 0.10, 0},   [LAND_MA] = {1400, 0.08, 0},   [LAND_TR] = {1700, 0.06, 0},
};

/* Payments in each hour of a day. */
static const double hours[24] = {8,  5,  3,  2,  2,  4,  12, 30, 45, 50, 52, 58,
                                 75, 62, 50, 50, 56, 68, 80, 72, 55, 40, 26, 14};

/* ---- pieces ------------------------------------------------------------------------------------------ */

void ank_card_rng(ank_rng *rng, uint64_t seed, ank_card_draw what, uint64_t number) {
  ank_rng_open(rng, seed, ANK_STREAM_EXAMPLE, ((uint64_t)what << 56) + number);
}

double ank_card_between(ank_rng *rng, double low, double high) {
  return low + (high - low) * ank_rng_uniform(rng);
}

size_t ank_card_pick(ank_rng *rng, const double *weights, size_t count) {
  double total = 0, left;
  for (size_t i = 0; i < count; i++) total += weights[i];
  left = total * ank_rng_uniform(rng);
  for (size_t i = 0; i + 1 < count; i++)
    if ((left -= weights[i]) < 0) return i;
  return count - 1;
}

static double poisson(ank_rng *rng, double mean) {
  double count = 0;
  for (double left = exp(-mean), product = ank_rng_uniform(rng); product > left; count++)
    product *= ank_rng_uniform(rng);
  return count;
}

/* Return the time of day, in hours, before which the share `u` of a day's payments happens. */
static double time_of_day(double u) {
  double total = 0;
  size_t h = 0;
  for (size_t i = 0; i < 24; i++) total += hours[i];
  double left = u * total;
  while (h < 23 && left >= hours[h]) left -= hours[h++];
  return (double)h + fmin(left / hours[h], 0.9999);
}

ank_account ank_account_draw(ank_rng *rng, uint64_t seed) {
  double shares[CARD_KINDS], homes[LAND_COUNT], u = ank_rng_uniform(rng);
  /* some customers pay more often than others */
  ank_account account = {.number = (unsigned)(ACCOUNTS * u * sqrt(u))};
  ank_rng own;
  for (size_t i = 0; i < CARD_KINDS; i++) shares[i] = cards[i].share;
  for (size_t i = 0; i < LAND_COUNT; i++) homes[i] = lands[i].home;
  ank_card_rng(&own, seed, DRAW_ACCOUNT, account.number);
  account.card = (int)ank_card_pick(&own, shares, CARD_KINDS);
  account.home = (int)ank_card_pick(&own, homes, LAND_COUNT);
  account.level = exp(0.2 * ank_rng_normal(&own));
  account.radius = 4 * exp(0.5 * ank_rng_normal(&own));
  account.pace = cards[account.card].pace * ank_rng_gamma(&own, 8) / 8;
  account.device = ank_card_between(&own, 0, DEVICE_LIFE);
  account.pays_by_phone = ank_rng_uniform(&own) < 0.45;
  return account;
}

double ank_usual_amount(int shop, const ank_account *account) {
  return shops[shop].amount * cards[account->card].amount * account->level;
}

double ank_amount_spread(int shop) { return shops[shop].spread; }

double ank_distance_abroad(ank_rng *rng, int home, int land) {
  double far = lands[land].distance > lands[home].distance ? lands[land].distance : lands[home].distance;
  return far * exp(0.1 * ank_rng_normal(rng));
}

/* ---- the row ----------------------------------------------------------------------------------------- */

static int choose_shop(ank_rng *rng, const ank_account *account, double hour, int abroad) {
  double weights[SHOP_KINDS];
  int night = hour < 6 || hour >= 22, meal = (hour >= 12 && hour < 14) || (hour >= 19 && hour < 22);
  for (size_t i = 0; i < SHOP_KINDS; i++)
    weights[i] = shops[i].often[account->card] * (night ? shops[i].night : 1);
  if (meal) weights[SHOP_RESTAURANT] *= 2.5;
  if (abroad) {
    weights[SHOP_RESTAURANT] *= 3;
    weights[SHOP_CASH] *= 2;
    weights[SHOP_TRAVEL] *= 2;
    weights[SHOP_SUBSCRIPTION] = 0;
  }
  return (int)ank_card_pick(rng, weights, SHOP_KINDS);
}

static int choose_land(ank_rng *rng, int home, int only_near) {
  double weights[LAND_COUNT];
  for (int i = 0; i < LAND_COUNT; i++)
    weights[i] = i == home || (only_near && lands[i].distance > 1000) ? 0 : lands[i].visited;
  return (int)ank_card_pick(rng, weights, LAND_COUNT);
}

static double choose_amount(ank_rng *rng, int shop, const ank_account *account) {
  double log_factor = shops[shop].spread * ank_rng_normal(rng);
  if (ank_rng_uniform(rng) < 0.04) log_factor += 0.5 * fabs(ank_rng_normal(rng)); /* a heavier tail */
  double amount = ank_usual_amount(shop, account) * exp(log_factor);
  return shop == SHOP_CASH ? fmax(10, 10 * round(amount / 10)) : amount;
}

/* Choose online or over the counter: small sums are contactless, any sum by phone. */
static int choose_channel(ank_rng *rng, const ank_payment *payment, int abroad) {
  double counter = ank_rng_uniform(rng), way = ank_rng_uniform(rng);
  if (!abroad && counter < shops[payment->shop].online) return CHANNEL_ONLINE;
  if (payment->shop == SHOP_CASH) return CHANNEL_CHIP;
  double contactless = payment->amount <= 50 ? 0.8 : payment->account.pays_by_phone ? 0.4 : 0;
  return way < contactless ? CHANNEL_CONTACTLESS : CHANNEL_CHIP;
}

void ank_payment_honest(ank_payment *payment, uint64_t seed, uint64_t row) {
  ank_rng rng;
  ank_card_rng(&rng, seed, DRAW_ROW, row);
  double day = ((double)row + ank_rng_uniform(&rng)) / ROWS_PER_DAY, clock = time_of_day(day - floor(day));
  *payment = (ank_payment){.seconds = floor(day) * DAY + clock * 3600, .hour = floor(clock)};
  payment->account = ank_account_draw(&rng, seed);
  const ank_account *account = &payment->account;
  int abroad = ank_rng_uniform(&rng) < cards[account->card].abroad;
  payment->land = abroad ? choose_land(&rng, account->home, 0) : account->home;
  payment->shop = choose_shop(&rng, account, payment->hour, abroad);
  payment->amount = choose_amount(&rng, payment->shop, account);
  payment->channel = choose_channel(&rng, payment, abroad);
  payment->distance = abroad ? ank_distance_abroad(&rng, account->home, payment->land)
                             : account->radius * exp(0.8 * ank_rng_normal(&rng));
  payment->count = 1 + poisson(&rng, account->pace);
  double changed = ank_rng_uniform(&rng), young = ank_card_between(&rng, 0, 15),
         by_phone = ank_rng_uniform(&rng);
  double age = changed < 0.02 ? young : fmod(account->device + day, DEVICE_LIFE);
  int online = payment->channel == CHANNEL_ONLINE;
  payment->device_age =
      online || (payment->channel == CHANNEL_CONTACTLESS && account->pays_by_phone && by_phone < 0.8) ? age
                                                                                                      : NAN;
  /* online, the shop's country counts, not the customer's */
  if (online && ank_rng_uniform(&rng) < 0.18) payment->land = choose_land(&rng, account->home, 1);
}
