import { customerNumber } from '../people.ts';
import { expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { type AttemptRow, attemptsOf, settled, startCampaign } from './campaign.ts';

const AREA = 'outcomes';
const LIMIT_MS = 45_000;

interface Outcome {
  says: string;
  number: string;
  /** `callStatus/hangupCause/hangupBy`; hangupBy only where a call was answered. */
  wanted: string;
  botEndsAfterMs?: number;
}

/** A number per outcome, 10 Hz apart, with the expected outcome. Source: D7.2, test/fixtures/esl/README.md §3 */
const OUTCOMES: readonly Outcome[] = [
  refusal(486, 'busy/USER_BUSY'),
  refusal(404, 'invalid_number/UNALLOCATED_NUMBER'),
  refusal(480, 'power_off/NO_USER_RESPONSE'),
  refusal(603, 'rejected/CALL_REJECTED'),
  refusal(484, 'invalid_number/INVALID_NUMBER_FORMAT'),
  refusal(410, 'invalid_number/NUMBER_CHANGED'),
  refusal(408, 'no_answer/RECOVERY_ON_TIMER_EXPIRE'),
  refusal(488, 'failed/INCOMPATIBLE_DESTINATION'),
  refusal(500, 'network_busy/NORMAL_TEMPORARY_FAILURE'),
  refusal(503, 'network_busy/NORMAL_TEMPORARY_FAILURE'),
  { says: 'rings, then 486', number: customerNumber({ tone: 1_810, ringSeconds: 2, does: 486 }), wanted: 'busy/USER_BUSY' },
  { says: 'early media, then 486', number: customerNumber({ tone: 1_820, ringSeconds: 2, does: 199 }), wanted: 'busy/USER_BUSY' },
  { says: 'rings for ever', number: customerNumber({ tone: 1_830, does: 180 }), wanted: 'no_answer/NO_ANSWER' },
  { says: 'says nothing at all', number: customerNumber({ tone: 1_840, does: 100 }), wanted: 'no_answer/NO_ANSWER' },
  { says: 'answers, BYE after 1 s', number: customerNumber({ tone: 1_850, talkSeconds: 1 }), wanted: 'completed/NORMAL_CLEARING/customer' },
  {
    says: 'rings, answers, BYE after 4 s',
    number: customerNumber({ tone: 1_860, ringSeconds: 1, talkSeconds: 4 }),
    wanted: 'completed/NORMAL_CLEARING/customer',
  },
  {
    says: 'early media, answers, BYE after 3 s',
    number: customerNumber({ tone: 1_870, ringSeconds: 2, talkSeconds: 3, does: 183 }),
    wanted: 'completed/NORMAL_CLEARING/customer',
  },
  {
    says: 'answers, the bot ends after 2 s',
    number: customerNumber({ tone: 1_880, ringSeconds: 1 }),
    wanted: 'completed/NORMAL_CLEARING/bot',
    botEndsAfterMs: 2_000,
  },
];

function refusal(code: number, wanted: string): Outcome {
  return { says: String(code), number: customerNumber({ tone: 1_200 + (code % 100) + (code >= 500 ? 100 : 0), does: code }), wanted };
}

/** Outcome of a dial for each behaviour of a callee. */
export async function checkOutcomes(rig: SwitchRig, report: Report): Promise<void> {
  for (const { number, botEndsAfterMs } of OUTCOMES) if (botEndsAfterMs) rig.runtime.endsAfterMs.set(number, botEndsAfterMs);
  let attempts: AttemptRow[] = [];
  await report.check(AREA, `${OUTCOMES.length} callees dialled at once`, async () => {
    const campaignId = await startCampaign(
      rig,
      OUTCOMES.map(outcome => outcome.number),
    );
    attempts = await settled(rig, campaignId, OUTCOMES.length, LIMIT_MS).catch(async (error: unknown) => {
      attempts = await attemptsOf(rig, campaignId);
      throw error;
    });
    return `${attempts.length} attempts, ${rig.people.legs.length} calls at the callees`;
  });
  for (const { says, number, wanted } of OUTCOMES) {
    await report.check(AREA, says, async () => {
      const found = attempts.filter(attempt => attempt.phoneNumber === number);
      expectEqual('attempts', found.length, 1);
      const [attempt] = found;
      const told = [attempt?.callStatus, attempt?.hangupCause, ...(attempt?.answeredAt ? [attempt.hangupBy] : [])].join('/');
      expectEqual('callStatus/hangupCause/hangupBy', told, wanted);
      return told;
    });
  }
}
