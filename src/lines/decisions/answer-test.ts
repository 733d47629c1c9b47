/** Odds of an answer of the numbers that are to be found, relative to the others: 12 % where the others have 20 %. */
const ODDS = 0.12 / 0.88 / (0.2 / 0.8);
/** Evidence that a healthy number reaches in at most 1 of 10,000 tests. */
export const ALARM_SCORE = Math.log(10_000);
/** Sums are scaled beyond it, so that no product overflows. */
const LARGE = 1e200;

/** The running test of a caller number: its evidence since a moment when nothing spoke against it. */
export interface AnswerTest {
  /** Logarithm of the likelihood ratio; an alarm from `ALARM_SCORE` on. */
  score: number;
  /** Hour of the first dial of the test, UTC ms; null: no evidence. */
  since: number | null;
  dials: number;
  answered: number;
  /** Answers that the other numbers' rates led to expect of these dials. */
  expected: number;
}

export const NO_EVIDENCE: AnswerTest = { score: 0, since: null, dials: 0, answered: 0, expected: 0 };

/** Dials of one campaign in one hour, of a number and of the others of its line. */
export interface AnsweredDials {
  /** Hour, UTC ms. */
  at: number;
  dials: number;
  answered: number;
  otherDials: number;
  otherAnswered: number;
}

/**
 * The test of a number after further dials: a CUSUM of exact likelihood ratios. It starts anew as soon as nothing speaks against the number.
 *
 * Why:    given how many of all dials of the campaign and hour were answered, it does not matter how willing its people are at that hour: only
 *         which numbers they answered. So a hard list or a bad hour is no evidence, and by Ville's inequality a test of a healthy number ends in
 *         an alarm with a probability of at most e^-ALARM_SCORE, however often it is looked at
 * Source: D4.9
 */
export function testAnswers(test: AnswerTest, dials: AnsweredDials): AnswerTest {
  const score = test.score + evidenceOf(dials);
  if (score <= 0) return NO_EVIDENCE;
  return {
    score,
    since: test.since ?? dials.at,
    dials: test.dials + dials.dials,
    answered: test.answered + dials.answered,
    expected: test.expected + expectedAnswers(dials),
  };
}

/** Answers of as many dials of the other numbers; the number's own where there are none. */
export function expectedAnswers({ dials, answered, otherDials, otherAnswered }: AnsweredDials): number {
  return otherDials === 0 ? answered : (dials * otherAnswered) / otherDials;
}

/** Logarithm of the likelihood of `answered` at `ODDS` to that at equal odds, both given the sum of all answers. */
function evidenceOf({ dials, answered, otherDials, otherAnswered }: AnsweredDials): number {
  const all = answered + otherAnswered;
  let weight = 1;
  let sum = 0;
  let tilted = 0;
  let tilt = 1;
  // Weights of the hypergeometric distribution, each from the one before it.
  for (let own = Math.max(0, all - otherDials); own <= Math.min(dials, all); own += 1) {
    sum += weight;
    tilted += weight * tilt;
    tilt *= ODDS;
    weight *= ((dials - own) * (all - own)) / ((own + 1) * (otherDials - all + own + 1));
    if (weight > LARGE) [weight, sum, tilted] = [weight / LARGE, sum / LARGE, tilted / LARGE];
  }
  // The tilt of the loop begins at the least possible number of answers.
  return (answered - Math.max(0, all - otherDials)) * Math.log(ODDS) - Math.log(tilted / sum);
}
