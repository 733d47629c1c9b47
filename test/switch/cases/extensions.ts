import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber } from '../people.ts';
import { expectEqual, type Report } from '../report.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { hangUpAll, settled, startCampaign, stopCampaign } from './campaign.ts';

const AREA = 'extensions';
const NUMBER = customerNumber({ tone: 1_700, ringSeconds: 1 });
const PLAIN_NUMBER = customerNumber({ tone: 1_720, ringSeconds: 1 });
const EXTENSION = '801#2';
/** Longest time from the answer until the last digit has arrived, ms. */
const DIGITS_LIMIT_MS = 12_000;

/** The extension behind a number is sent as keys once the number has answered, and only there. Source: D6.7 */
export async function checkExtensions(rig: SwitchRig, report: Report): Promise<void> {
  await report.check(AREA, `the far end receives the keys of ${EXTENSION} after its answer`, () => receivedBy(rig));
  await hangUpAll(rig);
}

async function receivedBy(rig: SwitchRig): Promise<string> {
  const withExtension = { phoneNumber: NUMBER, numbers: [{ phoneNumber: NUMBER, extension: EXTENSION }] };
  const campaignId = await startCampaign(rig, [withExtension, PLAIN_NUMBER]);
  const [leg, plain] = await Promise.all([rig.people.ringing(NUMBER), rig.people.ringing(PLAIN_NUMBER)]);
  await waitUntil('both to be answered', () => leg.answeredAt !== null && plain.answeredAt !== null, DIGITS_LIMIT_MS);
  expectEqual('keys at the answer', leg.digits, '');
  await waitUntil(
    `the keys of ${EXTENSION}`,
    () => {
      if (leg.digits.length < EXTENSION.length) throw new Error(`received ${leg.digits}`);
      return true;
    },
    DIGITS_LIMIT_MS,
  );
  expectEqual('keys', leg.digits, EXTENSION);
  expectEqual('keys at a number without an extension', plain.digits, '');
  await Promise.all([rig.people.hangUp(leg), rig.people.hangUp(plain)]);
  const attempts = await settled(rig, campaignId, 2);
  await stopCampaign(rig, campaignId);
  expectEqual(
    'numbers that were dialled',
    attempts
      .map(({ phoneNumber }) => phoneNumber)
      .sort()
      .join(),
    [NUMBER, PLAIN_NUMBER].sort().join(),
  );
  return `received ${leg.digits}`;
}
