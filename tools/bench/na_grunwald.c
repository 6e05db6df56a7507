/* Random games of Na Grunwald! in C: a yardstick for the speed of the compiled rules, and nothing else.

   It plays the base variant as docs/rules/na-grunwald.md and docs/rules/na-grunwald-events.md describe it, and cites
   the numbers of their rules. Every decision is uniform among its legal options (DEC-2). C11 for GCC and Clang.

       na_grunwald PLAYERS GAMES SEED    play, and print one line of JSON: seconds, sums and sums of squares
       na_grunwald --tables              print the numbers of the rules that are in this file

   Compiled with -DTRACE, it also prints every card drawn, every choice and every result. tests/docs/test_c_baseline.py
   plays these games again with the oracle, and compares the means and the numbers with those of the package. */

#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(*(array)))

#ifdef TRACE
#define NOTE(...) printf(__VA_ARGS__)
#else
#define NOTE(...) (void)0
#endif

/* ---- The numbers of the rules, from balance/games/na_grunwald/variants/base.toml and decks/base.toml */

enum { LEAST_SEATS = 2, SEATS = 4, PLACES = 3, NO_PLACE = SEATS };
enum { ROUNDS = 8, START_DUCATS = 3, START_PROVISIONS = 1, START_HELPERS = 2 };
enum { MOST_HELPERS = 5, OFFICER_STRENGTH = 2, FIRST_SKIRMISH = 4, HIRING_PLACES = 2, DUCATS_PER_POINT = 2 };

/* The fields, in the order in which they are resolved (PLC-4). */
enum { KRZYZACY, CROWN, PROVISIONS, DUCATS, MERCENARIES, HELPERS, FIELDS };

static const int8_t BONUS[SEATS - 1] = {2, 4, 6}; /* by player count, from 2 (KRZ-1) */

/* Which value each place takes, by player count (4.3): 1 is the highest, -1 the lowest, 0 none. */
static const int8_t AWARDS[FIELDS][SEATS - 1][PLACES] = {
    [CROWN] = {{1}, {1, 2}, {1, 2}},
    [PROVISIONS] = {{-1}, {1, 2}, {1, 2}},
    [DUCATS] = {{-2, -1}, {1, 2}, {1, 2, 3}},
    [MERCENARIES] = {{1}, {1, 2}, {1, 2}},
};

static const int8_t KNIGHT_CARDS[] = {1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6}; /* crown and mercenaries */
static const int8_t KRZYZACY_CARDS[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
static const int8_t PROVISION_CARDS[][PLACES] = {{3, 1}, {3, 2}, {4, 2}, {4, 3}, {5, 2}, {5, 3}, {6, 3}, {4}};
static const int8_t DUCAT_CARDS[][PLACES] = {
    {3, 2, 1}, {3, 2, 1}, {4, 2, 1}, {4, 3, 1}, {4, 3, 2}, {5, 3, 1}, {5, 3, 2}, {6, 4, 2},
};

enum { EVT_GAIN, EVT_PAY, EVT_PLUNDER, EVT_BUY, EVT_AUCTION, EVT_TASK, EVT_CONTEST, EVT_BONUS, EVT_TRUCE,
       EVT_OFFICER, EVT_SUPPLY };

static const char *const EFFECTS[] = {
    "gain", "pay", "plunder", "buy", "auction", "task", "contest", "bonus", "truce", "officer", "supply",
};

typedef struct {
    int provisions, ducats, helpers;
} Bundle;

typedef struct {
    const char *id;
    int effect, n, price;
    Bundle bundle, second;
} Event;

static const Event EVENTS[] = {
    {"samogitian_rising", EVT_BONUS, .n = -2},
    {"dobrzyn_land", EVT_PLUNDER, .n = 2},
    {"pomerania_seized", EVT_BONUS, .n = 2},
    {"autumn_truce", EVT_TRUCE, .n = 0},
    {"cracow_mint", EVT_GAIN, .bundle = {.ducats = 2}},
    {"war_tax", EVT_PAY, .bundle = {.ducats = 1}},
    {"great_hunt", EVT_AUCTION, .bundle = {.provisions = 4}},
    {"vistula_barges", EVT_BUY, .price = 2, .bundle = {.provisions = 2}},
    {"czerwinsk_bridge", EVT_TASK, .n = 3, .bundle = {.ducats = 3}},
    {"scouts", EVT_TASK, .n = 1, .bundle = {.provisions = 2}},
    {"tournament", EVT_CONTEST, .bundle = {.ducats = 4}, .second = {.ducats = 2}},
    {"volunteers", EVT_AUCTION, .bundle = {.helpers = 1}},
    {"royal_order", EVT_OFFICER, .n = 3},
    {"good_harvest", EVT_SUPPLY, .n = 1}, /* of provisions */
};

/* ---- The state of a game */

/* A player's cards lie in piles. A card is a number: its pile, and its strength in the lowest three bits. */
enum { HAND_CROWN, HAND_MERCENARY, CAMP_CROWN, CAMP_MERCENARY, CAPTIVES, PILES };
enum { CARDS = 8 * PILES, STRENGTH = 7, TO_CAMP = 8 * CAMP_CROWN, NO_CARD = -1 };
#define CARD(pile, strength) (8 * (pile) + (strength))
#define HAND UINT64_C(0xFFFF) /* bits of the hand in `kinds` */

typedef struct {
    int ducats, provisions, helpers;
    int free_helpers; /* not yet placed in this round */
    int officer;      /* 1 while not yet placed */
    uint64_t kinds;   /* bit c: the player has a card c */
    uint8_t cards[CARDS];
} Player;

/* A player's pawns and ducats on a field. */
typedef struct {
    uint8_t arrival; /* of the first pawn, among all placements of the round; 0: no pawn */
    uint8_t officer, helpers, ducats;
} Stand;

enum { CROWN_DECK, MERCENARY_DECK, KRZYZACY_DECK, PROVISION_DECK, DUCAT_DECK, EVENT_DECK, DECKS };

typedef struct {
    int size, left;
    int8_t cards[16]; /* strengths, or indices of a table */
} Deck;

typedef struct {
    uint64_t rng;
    int players, start; /* `start` has the starting-player token */
    int decisions, rounds;
    Player player[SEATS];
    Deck deck[DECKS];
    /* this round */
    bool peace; /* the field `krzyzacy` is closed */
    int bonus, officer_strength, supply;
    int8_t krzyzacy[2];           /* the stronger, and the weaker */
    int prize[FIELDS][SEATS + 1]; /* of each place; 0: none */
    Stand board[SEATS][FIELDS];
} Game;

/* ---- Chance, and choices */

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t next_word(Game *g)
{
    uint64_t z = g->rng += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Multiply and shift (Lemire 2019); for bounds below 1,000 the bias is under one part in 4 million. */
static int below(Game *g, int bound)
{
    return (int)((next_word(g) >> 32) * (uint64_t)bound >> 32);
}

/* A decision with one option counts too (DEC-1). */
static int choose(Game *g, int options)
{
    int pick = below(g, options);
    NOTE("choice %d %d\n", options, pick);
    g->decisions++;
    return pick;
}

/* Draw a card at random, which replaces shuffling a deck into its stacks (section 1). The next game may find the deck in
   any order. */
static int draw(Game *g, int number)
{
    Deck *deck = &g->deck[number];
    int at = below(g, deck->left--);
    int8_t card = deck->cards[at];
    deck->cards[at] = deck->cards[deck->left];
    deck->cards[deck->left] = card;
    NOTE("card %d\n", card);
    return card;
}

/* DEC-3: the seat with this number, from the starting player clockwise. */
static int seat_in_order(const Game *g, int number)
{
    int seat = g->start + number;
    return seat < g->players ? seat : seat - g->players;
}

static void add_card(Player *p, int card)
{
    p->cards[card]++;
    p->kinds |= UINT64_C(1) << card;
}

static void remove_card(Player *p, int card)
{
    p->cards[card]--;
    p->kinds &= ~((uint64_t)(p->cards[card] == 0) << card);
}

static int nth_bit(uint64_t bits, int n)
{
    while (n-- > 0)
        bits &= bits - 1;
    return __builtin_ctzll(bits);
}

/* Choose a knight of the hand, or NO_CARD: one option for each distinct knight. It leaves the hand. */
static int choose_knight(Game *g, Player *p, int least_strength)
{
    uint64_t strong = (0xFF << least_strength & 0xFF) * UINT64_C(0x0101);
    uint64_t kinds = p->kinds & HAND & strong;
    int pick = choose(g, 1 + __builtin_popcountll(kinds));
    if (pick == 0)
        return NO_CARD;
    int card = nth_bit(kinds, pick - 1);
    remove_card(p, card);
    return card;
}

static void gain(Player *p, const Bundle *bundle)
{
    p->provisions += bundle->provisions;
    p->ducats += bundle->ducats;
    p->helpers += bundle->helpers;
    if (p->helpers > MOST_HELPERS)
        p->helpers = MOST_HELPERS;
}

/* ---- Event phase (RND-1) */

/* KRZ-6, EVT-plunder: one item at a time, until the sum is reached or nothing is left. */
static void plunder(Game *g, int sum)
{
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        int owed = sum;
        while (owed > 0 && (p->provisions > 0 || p->kinds != 0)) {
            int with_provision = p->provisions > 0;
            int pick = choose(g, with_provision + __builtin_popcountll(p->kinds)) - with_provision;
            if (pick < 0) {
                p->provisions--;
                owed--;
            } else {
                int card = nth_bit(p->kinds, pick);
                remove_card(p, card);
                owed -= card & STRENGTH;
            }
        }
    }
}

static int rest(int owned, int price)
{
    return owned > price ? owned - price : 0;
}

/* EVT-pay */
static void pay(Player *p, const Bundle *bundle)
{
    p->provisions = rest(p->provisions, bundle->provisions);
    p->ducats = rest(p->ducats, bundle->ducats);
    p->helpers = rest(p->helpers, bundle->helpers);
}

/* EVT-buy */
static void offer(Game *g, const Event *event)
{
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        if (p->ducats >= event->price && choose(g, 2) == 1) {
            p->ducats -= event->price;
            gain(p, &event->bundle);
        }
    }
}

/* EVT-auction */
static void auction(Game *g, const Event *event)
{
    Player *bidder = NULL;
    int highest = 0;
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        int raise = choose(g, 1 + rest(p->ducats, highest)); /* 0: pass */
        if (raise > 0) {
            highest += raise;
            bidder = p;
        }
    }
    if (bidder) {
        bidder->ducats -= highest;
        gain(bidder, &event->bundle);
    }
}

/* EVT-task */
static void task(Game *g, const Event *event)
{
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        int card = choose_knight(g, p, event->n);
        if (card != NO_CARD) {
            add_card(p, card + TO_CAMP);
            gain(p, &event->bundle);
        }
    }
}

/* EVT-contest: ties go to the player earlier in turn order. */
static void contest(Game *g, const Event *event)
{
    Player *first = NULL, *second = NULL;
    int strongest = 0, next = 0;
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        int card = choose_knight(g, p, 1);
        if (card == NO_CARD)
            continue;
        add_card(p, card + TO_CAMP);
        int strength = card & STRENGTH;
        if (strength > strongest) {
            second = first;
            next = strongest;
            first = p;
            strongest = strength;
        } else if (strength > next) {
            second = p;
            next = strength;
        }
    }
    if (first)
        gain(first, &event->bundle);
    if (second)
        gain(second, &event->second);
}

static void event_phase(Game *g)
{
    const Event *event = &EVENTS[draw(g, EVENT_DECK)];
    switch (event->effect) {
    case EVT_BONUS: g->bonus += event->n; break;
    case EVT_PLUNDER: plunder(g, event->n); break;
    case EVT_TRUCE: g->peace = true; break;
    case EVT_GAIN:
        for (int seat = 0; seat < g->players; seat++)
            gain(&g->player[seat], &event->bundle);
        break;
    case EVT_PAY:
        for (int seat = 0; seat < g->players; seat++)
            pay(&g->player[seat], &event->bundle);
        break;
    case EVT_AUCTION: auction(g, event); break;
    case EVT_BUY: offer(g, event); break;
    case EVT_TASK: task(g, event); break;
    case EVT_CONTEST: contest(g, event); break;
    case EVT_OFFICER: g->officer_strength = event->n; break;
    case EVT_SUPPLY: g->supply = event->n; break;
    }
}

/* ---- Reveal (RND-2) */

/* Section 4.3: `values` are those on the cards, highest first; `shown` is their number. */
static void set_prizes(Game *g, int field, const int8_t *values, int shown, int supply)
{
    for (int place = 0; place < PLACES; place++) {
        int award = AWARDS[field][g->players - LEAST_SEATS][place];
        int index = award > 0 ? award - 1 : shown + award;
        g->prize[field][place] = award != 0 && index < shown ? values[index] + supply : 0;
    }
}

static void turn_up_pair(Game *g, int deck, int8_t pair[2])
{
    int a = draw(g, deck), b = draw(g, deck);
    pair[0] = (int8_t)(a > b ? a : b);
    pair[1] = (int8_t)(a > b ? b : a);
}

static void reveal(Game *g)
{
    int8_t pair[2];
    turn_up_pair(g, CROWN_DECK, pair);
    set_prizes(g, CROWN, pair, 2, 0);
    const int8_t *values = PROVISION_CARDS[draw(g, PROVISION_DECK)];
    set_prizes(g, PROVISIONS, values, values[1] > 0 ? 2 : 1, g->supply);
    set_prizes(g, DUCATS, DUCAT_CARDS[draw(g, DUCAT_DECK)], PLACES, 0);
    turn_up_pair(g, MERCENARY_DECK, pair);
    set_prizes(g, MERCENARIES, pair, 2, 0);
    if (!g->peace)
        turn_up_pair(g, KRZYZACY_DECK, g->krzyzacy);
}

/* ---- Placement phase (PLC-1 to PLC-5) */

/* One turn; returns whether the player may have another one. */
static bool place_pawns(Game *g, int seat, int arrival)
{
    Player *p = &g->player[seat];
    Stand *board = g->board[seat];
    int stakes[FIELDS] = {1, 1, p->ducats + 1, 1, p->ducats, 1}; /* of each set of pawns (PLC-4) */
    int end[FIELDS]; /* number of options up to and including each field; option 0 passes */
    int options = 1;
    for (int field = 0; field < FIELDS; field++) {
        bool one_pawn = field == KRZYZACY || field == MERCENARIES;
        int helpers = one_pawn ? p->free_helpers > 0 : p->free_helpers;
        int sets = p->officer + (board[field].helpers > 0 ? 0 : helpers); /* PLC-2, PLC-3 */
        if ((one_pawn && board[field].arrival > 0) || (field == KRZYZACY && g->peace)
            || (field == HELPERS && p->helpers >= MOST_HELPERS))
            sets = 0;
        options += sets * stakes[field];
        end[field] = options;
    }
    int pick = choose(g, options);
    if (pick == 0)
        return false;
    int field = 0, before = 1;
    for (int past = 0; past < HELPERS; past++) {
        field += pick >= end[past];
        before = pick >= end[past] ? end[past] : before;
    }
    int set = (pick - before) / stakes[field];
    int ducats = (pick - before) % stakes[field] + (field == MERCENARIES);
    int helpers = set + 1 - p->officer, officer = helpers == 0;
    /* Sums instead of branches, which random choices make hard to predict. */
    Stand *own = &board[field];
    p->officer -= officer;
    p->free_helpers -= helpers;
    p->ducats -= ducats;
    own->officer += (uint8_t)officer;
    own->helpers += (uint8_t)helpers;
    own->ducats += (uint8_t)ducats;
    own->arrival = own->arrival > 0 ? own->arrival : (uint8_t)arrival;
    return p->officer + p->free_helpers > 0;
}

static void placement_phase(Game *g)
{
    for (int seat = 0; seat < g->players; seat++) {
        g->player[seat].officer = 1;
        g->player[seat].free_helpers = g->player[seat].helpers;
    }
    memset(g->board, 0, sizeof g->board);
    unsigned placing = (1u << g->players) - 1; /* bit s: seat s has turns left */
    int arrival = 0;
    for (int seat = g->start; placing != 0; seat = seat + 1 < g->players ? seat + 1 : 0)
        if (placing >> seat & 1 && !place_pawns(g, seat, ++arrival))
            placing &= ~(1u << seat);
}

/* ---- Resolution phase */

/* RES-2: write the place of each seat on a field, from 0; NO_PLACE without pawns. */
static void rank_seats(const Game *g, int field, const int *strength, int *place)
{
    int key[SEATS];
    for (int seat = 0; seat < SEATS; seat++) {
        int arrival = g->board[seat][field].arrival;
        key[seat] = arrival == 0 ? 0 : 256 * strength[seat] + 256 - arrival;
    }
    for (int seat = 0; seat < SEATS; seat++) {
        int ahead = 0;
        for (int other = 0; other < SEATS; other++)
            ahead += key[other] > key[seat];
        place[seat] = key[seat] == 0 ? NO_PLACE : ahead;
    }
}

/* RES-1 */
static void rank_field(const Game *g, int field, int *place)
{
    int strength[SEATS];
    for (int seat = 0; seat < SEATS; seat++) {
        const Stand *stand = &g->board[seat][field];
        int pawns = stand->officer * g->officer_strength + stand->helpers;
        strength[seat] = stand->ducats + (field == MERCENARIES ? 0 : pawns);
    }
    rank_seats(g, field, strength, place);
}

/* KRZ-1 to KRZ-9 */
static void skirmish(Game *g)
{
    int card[SEATS], strength[SEATS] = {0}, captive[SEATS] = {0}, place[SEATS], sum = 0;
    int order[SEATS + 1] = {-1, -1};
    for (int i = 0; i < g->players; i++) { /* KRZ-2 */
        int seat = seat_in_order(g, i);
        card[seat] = NO_CARD;
        if (g->board[seat][KRZYZACY].arrival > 0)
            card[seat] = choose_knight(g, &g->player[seat], 1);
        strength[seat] = card[seat] == NO_CARD ? 0 : card[seat] & STRENGTH; /* 0: the peasant */
        sum += strength[seat];
    }
    rank_seats(g, KRZYZACY, strength, place);
    for (int seat = 0; seat < SEATS; seat++)
        order[place[seat]] = seat;
    int stronger = g->krzyzacy[0], weaker = g->krzyzacy[1];
    bool weaker_left = true;
    if (order[0] >= 0) { /* KRZ-3 */
        if (strength[order[0]] > stronger) {
            captive[order[0]] = stronger;
        } else if (strength[order[0]] > weaker) {
            captive[order[0]] = weaker;
            weaker_left = false;
        }
    }
    if (order[1] >= 0 && weaker_left && strength[order[1]] > weaker) /* KRZ-4 */
        captive[order[1]] = weaker;
    int against = stronger + weaker + g->bonus; /* KRZ-1; never below 0 with these bonuses */
    if (against > sum) /* KRZ-5; the cards on the table can't be given up (KRZ-7) */
        plunder(g, against - sum);
    for (int seat = 0; seat < g->players; seat++) { /* KRZ-9 */
        if (card[seat] != NO_CARD)
            add_card(&g->player[seat], card[seat] + TO_CAMP);
        if (captive[seat] > 0)
            add_card(&g->player[seat], CARD(CAPTIVES, captive[seat]));
    }
}

/* RES-3, RES-4, CRN-1, PRV-1, DUC-1, MRC-1 */
static void award(Game *g, int field)
{
    int place[SEATS];
    rank_field(g, field, place);
    for (int seat = 0; seat < g->players; seat++) {
        Player *p = &g->player[seat];
        int prize = g->prize[field][place[seat]];
        if (prize == 0)
            p->ducats += g->board[seat][field].ducats;
        else if (field == PROVISIONS)
            p->provisions += prize;
        else if (field == DUCATS)
            p->ducats += prize;
        else
            add_card(p, CARD(field == CROWN ? HAND_CROWN : HAND_MERCENARY, prize));
    }
}

/* HLP-1, HLP-2 */
static void hire(Game *g)
{
    int place[SEATS];
    rank_field(g, HELPERS, place);
    for (int seat = 0; seat < g->players; seat++) {
        Player *p = &g->player[seat];
        if (place[seat] == 0) {
            p->helpers++;
        } else if (place[seat] < HIRING_PLACES && p->ducats >= p->helpers && choose(g, 2) == 1) {
            p->ducats -= p->helpers;
            p->helpers++;
        }
    }
}

/* ---- The end of the game */

/* END-1: each distinct knight is an option; hand and camp are the same here. */
static void feed(Game *g)
{
    for (int i = 0; i < g->players; i++) {
        Player *p = &g->player[seat_in_order(g, i)];
        int knights = 0;
        for (int card = 0; card < CARD(CAPTIVES, 0); card++)
            knights += p->cards[card];
        for (; knights > p->provisions; knights--) {
            uint64_t kinds = (p->kinds | p->kinds >> TO_CAMP) & HAND;
            int card = nth_bit(kinds, choose(g, __builtin_popcountll(kinds)));
            remove_card(p, p->cards[card] > 0 ? card : card + TO_CAMP);
        }
    }
}

/* Give the largest key's count to each player who has that key; a key is 256 times a count, plus a tie-break. */
static void award_title(const Game *g, const int *key, int *score)
{
    int best = 256;
    for (int seat = 0; seat < g->players; seat++)
        best = key[seat] > best ? key[seat] : best;
    for (int seat = 0; seat < g->players; seat++)
        score[seat] += key[seat] == best ? best / 256 : 0;
}

/* END-2 to END-6: write points and shares of the victory. */
static void score_game(const Game *g, int *score, double *share)
{
    int commander[2][SEATS], quartermaster[SEATS], key[SEATS], cards[SEATS];
    for (int seat = 0; seat < g->players; seat++) {
        const Player *p = &g->player[seat];
        int counts[3] = {0}, sums[3] = {0}; /* crown, mercenaries, captives */
        for (int strength = 1; strength <= STRENGTH; strength++) {
            for (int pile = HAND_CROWN; pile < PILES; pile++) {
                int kind = pile == CAPTIVES ? 2 : pile % 2, number = p->cards[CARD(pile, strength)];
                counts[kind] += number;
                sums[kind] += number * strength;
            }
        }
        score[seat] = sums[0] + sums[1] + sums[2] + p->ducats / DUCATS_PER_POINT; /* END-2, END-5 */
        cards[seat] = counts[0] + counts[1] + counts[2];
        commander[0][seat] = 256 * counts[0] + sums[0];
        commander[1][seat] = 256 * counts[1] + sums[1];
        quartermaster[seat] = 256 * (p->provisions - counts[0] - counts[1]);
    }
    award_title(g, commander[0], score); /* END-3 */
    award_title(g, commander[1], score);
    award_title(g, quartermaster, score); /* END-4 */
    int best = 0, winners = 0;
    for (int seat = 0; seat < g->players; seat++) { /* END-6 */
        key[seat] = 256 * score[seat] + cards[seat];
        best = key[seat] > best ? key[seat] : best;
    }
    for (int seat = 0; seat < g->players; seat++)
        winners += key[seat] == best;
    for (int seat = 0; seat < g->players; seat++)
        share[seat] = key[seat] == best ? 1.0 / winners : 0.0;
}

/* ---- Playing */

/* Fill a deck with these cards; with the numbers from 0 if `cards` is NULL. */
static void fill_deck(Deck *deck, const int8_t *cards, int size)
{
    deck->size = size;
    for (int i = 0; i < size; i++)
        deck->cards[i] = cards ? cards[i] : (int8_t)i;
}

/* Write what all games share. */
static void open_box(Game *g, int players, uint64_t seed)
{
    memset(g, 0, sizeof *g);
    g->rng = seed;
    g->players = players;
    fill_deck(&g->deck[CROWN_DECK], KNIGHT_CARDS, LENGTH(KNIGHT_CARDS));
    fill_deck(&g->deck[MERCENARY_DECK], KNIGHT_CARDS, LENGTH(KNIGHT_CARDS));
    fill_deck(&g->deck[KRZYZACY_DECK], KRZYZACY_CARDS, LENGTH(KRZYZACY_CARDS));
    fill_deck(&g->deck[PROVISION_DECK], NULL, LENGTH(PROVISION_CARDS));
    fill_deck(&g->deck[DUCAT_DECK], NULL, LENGTH(DUCAT_CARDS));
    fill_deck(&g->deck[EVENT_DECK], NULL, LENGTH(EVENTS));
}

/* SET-1 to SET-3 */
static void set_up(Game *g)
{
    for (int deck = 0; deck < DECKS; deck++)
        g->deck[deck].left = g->deck[deck].size;
    g->start = g->decisions = 0;
    for (int seat = 0; seat < g->players; seat++)
        g->player[seat] =
            (Player){.ducats = START_DUCATS, .provisions = START_PROVISIONS, .helpers = START_HELPERS};
}

static void play_game(Game *g)
{
    set_up(g);
    for (g->rounds = 1; g->rounds <= ROUNDS; g->rounds++) {
        g->bonus = BONUS[g->players - LEAST_SEATS];
        g->officer_strength = OFFICER_STRENGTH;
        g->supply = 0;
        g->peace = g->rounds < FIRST_SKIRMISH;
        if (g->rounds > 1)
            event_phase(g);
        reveal(g);
        placement_phase(g);
        if (!g->peace)
            skirmish(g);
        award(g, CROWN);
        award(g, PROVISIONS);
        award(g, DUCATS);
        award(g, MERCENARIES);
        hire(g);
        g->start = seat_in_order(g, 1);
    }
    g->rounds--;
    feed(g);
}

/* ---- Output */

typedef struct {
    double sum, squares;
} Sums;

static void add(Sums *sums, double value)
{
    sums->sum += value;
    sums->squares += value * value;
}

static void print_sums(const char *name, const Sums *sums, int count)
{
    printf(", \"%s\": [", name);
    for (int i = 0; i < count; i++)
        printf("%s[%.17g, %.17g]", i > 0 ? ", " : "", sums[i].sum, sums[i].squares);
    printf("]");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void play(int players, long games, uint64_t seed)
{
    Game game;
    Sums decisions = {0}, rounds = {0}, scores[SEATS] = {{0}}, shares[SEATS] = {{0}};
    open_box(&game, players, seed);
    double began = now();
    for (long i = 0; i < games; i++) {
        int score[SEATS];
        double share[SEATS];
        play_game(&game);
        score_game(&game, score, share);
        add(&decisions, game.decisions);
        add(&rounds, game.rounds);
        for (int seat = 0; seat < players; seat++) {
            add(&scores[seat], score[seat]);
            add(&shares[seat], share[seat]);
            NOTE("result %d %.17g\n", score[seat], share[seat]);
        }
    }
    printf("{\"games\": %ld, \"seconds\": %.9f", games, now() - began);
    print_sums("decisions", &decisions, 1);
    print_sums("rounds", &rounds, 1);
    print_sums("score", scores, players);
    print_sums("win_share", shares, players);
    printf("}\n");
}

static void print_list(const char *name, const int8_t *numbers, size_t count)
{
    printf("\"%s\": [%d", name, numbers[0]);
    for (size_t i = 1; i < count; i++)
        printf(", %d", numbers[i]);
    printf("], ");
}

static void print_tables(void)
{
    const int8_t start[] = {START_DUCATS, START_PROVISIONS, START_HELPERS};
    const int8_t limits[] = {ROUNDS, FIRST_SKIRMISH, MOST_HELPERS, OFFICER_STRENGTH, HIRING_PLACES, DUCATS_PER_POINT};
    printf("{");
    print_list("start", start, sizeof start);
    print_list("limits", limits, sizeof limits);
    print_list("bonus", BONUS, sizeof BONUS);
    print_list("awards", AWARDS[CROWN][0], sizeof AWARDS[0] * (MERCENARIES - CROWN + 1));
    print_list("knights", KNIGHT_CARDS, sizeof KNIGHT_CARDS);
    print_list("krzyzacy", KRZYZACY_CARDS, sizeof KRZYZACY_CARDS);
    print_list("provisions", PROVISION_CARDS[0], sizeof PROVISION_CARDS);
    print_list("ducats", DUCAT_CARDS[0], sizeof DUCAT_CARDS);
    printf("\"events\": [");
    for (const Event *event = EVENTS; event < EVENTS + LENGTH(EVENTS); event++) {
        const Bundle *one = &event->bundle, *two = &event->second;
        printf("%s[\"%s\", \"%s\", %d, %d, ", event > EVENTS ? ", " : "", event->id, EFFECTS[event->effect],
               event->n, event->price);
        printf("[%d, %d, %d], [%d, %d, %d]]", one->provisions, one->ducats, one->helpers, two->provisions,
               two->ducats, two->helpers);
    }
    printf("]}\n");
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "--tables") == 0) {
        print_tables();
        return 0;
    }
    long players = count == 4 ? strtol(words[1], NULL, 10) : 0;
    long games = count == 4 ? strtol(words[2], NULL, 10) : 0;
    if (players < LEAST_SEATS || players > SEATS || games < 1) {
        fprintf(stderr, "usage: na_grunwald PLAYERS GAMES SEED, or na_grunwald --tables; 2 to 4 players\n");
        return 2;
    }
    play((int)players, games, strtoull(words[3], NULL, 10));
    return 0;
}
