// The dice of Kingdom Come: Deliverance by value iteration, in plain C that shares nothing with hog:
//   cc -O2 -o kcd scripts/kcd.c -lm && ./kcd 2000
// prints the win rate of the first of two players who both play to win. All points are counted in fifties.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DICE = 6, FACES = 6, STEP = 50 };
typedef struct { int points, left; } Option;          // dice kept: their points, and how many are rolled next
typedef struct { double chance; int from, to; } Menu; // a roll, and the options that it leaves

static Option options[DICE + 1][20000];
static Menu menus[DICE + 1][1000];
static int option_count[DICE + 1], menu_count[DICE + 1];
static double bust[DICE + 1];
static int goal;
static double *start;      // [score * goal + opponent]: the mover's win rate at the start of a turn
static double *in_turn;    // [pot * 7 + dice]: the mover's win rate within a turn
static const int RUNS[3][3] = {{1, 5, 10}, {2, 6, 15}, {1, 6, 30}};

// The most points of dice, counted by face; -1 unless every die scores.
static int points(const int count[FACES + 1]) {
    int best = 0, any = 0;
    for (int face = 1; face <= FACES; face++) {
        any += count[face];
        if (count[face] >= 3) best += (face == 1 ? 20 : 2 * face) << (count[face] - 3);
        else if (face == 1 || face == 5) best += (face == 1 ? 2 : 1) * count[face];
        else if (count[face]) { best = -1; break; }
    }
    for (int run = 0; run < 3; run++) {
        int rest[FACES + 1], has = 1, more;
        memcpy(rest, count, sizeof rest);
        for (int face = RUNS[run][0]; face <= RUNS[run][1]; face++) has &= rest[face]-- > 0;
        if (has && (more = points(rest)) >= 0 && more + RUNS[run][2] > best) best = more + RUNS[run][2];
    }
    return best;
}

static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

// Lists the options of one roll of `dice` dice, counted by face.
static void add_menu(int dice, const int shown[FACES + 1]) {
    double chance = factorial(dice) / pow(FACES, dice);
    for (int face = 1; face <= FACES; face++) chance /= factorial(shown[face]);
    int from = option_count[dice], kept[FACES + 1] = {0};
    for (;;) {
        int face = 1, left = dice, known = 0;
        while (face <= FACES && kept[face] == shown[face]) kept[face++] = 0;
        if (face > FACES) break;
        kept[face]++;
        for (face = 1; face <= FACES; face++) left -= kept[face];
        Option next = {points(kept), left ? left : DICE};
        for (int at = from; at < option_count[dice]; at++)
            known |= options[dice][at].points == next.points && options[dice][at].left == next.left;
        if (next.points > 0 && !known) options[dice][option_count[dice]++] = next;
    }
    if (from == option_count[dice]) bust[dice] += chance;
    else menus[dice][menu_count[dice]++] = (Menu){chance, from, option_count[dice]};
}

static void add_menus(int dice, int face, int left, int shown[FACES + 1]) {
    if (face == FACES) {
        shown[FACES] = left;
        add_menu(dice, shown);
        return;
    }
    for (shown[face] = 0; shown[face] <= left; shown[face]++) add_menus(dice, face + 1, left - shown[face], shown);
}

// The mover's win rate at the start of a turn, given that after a bust.
static double turn(int score, int opponent, double after_bust) {
    for (int pot = goal - score - 1; pot >= 0; pot--)
        for (int dice = 1; dice <= DICE; dice++) {
            double roll = bust[dice] * after_bust;
            for (Menu *menu = menus[dice]; menu < menus[dice] + menu_count[dice]; menu++) {
                double best = 0;
                for (int at = menu->from; at < menu->to; at++) {
                    int next = pot + options[dice][at].points;
                    double value = next >= goal - score ? 1 : in_turn[next * 7 + options[dice][at].left];
                    if (value > best) best = value;
                }
                roll += menu->chance * best;
            }
            double bank = pot ? 1 - start[opponent * goal + score + pot] : 0;
            in_turn[pot * 7 + dice] = bank > roll ? bank : roll;
        }
    return in_turn[DICE];
}

int main(int arguments, char **argument) {
    goal = arguments > 1 ? atoi(argument[1]) / STEP : 40;
    start = calloc((size_t)goal * goal, sizeof *start);
    in_turn = calloc((size_t)goal * 7, sizeof *in_turn);
    for (int dice = 1; dice <= DICE; dice++) add_menus(dice, 1, dice, (int[FACES + 1]){0});
    for (int sum = 2 * goal - 2; sum >= 0; sum--)
        for (int low = sum < goal ? 0 : sum - goal + 1; low <= sum - low; low++) {
            // Two players pass the turn to each other until one banks.
            int high = sum - low;
            double of_low = 0.5, of_high = 0.5, change;
            do {
                double next_low = turn(low, high, 1 - of_high);
                double next_high = low == high ? next_low : turn(high, low, 1 - next_low);
                change = fabs(next_low - of_low) + fabs(next_high - of_high);
                of_low = next_low;
                of_high = next_high;
            } while (change > 1e-14);
            start[low * goal + high] = of_low;
            start[high * goal + low] = of_high;
        }
    printf("%.12f\n", start[0]);
}
