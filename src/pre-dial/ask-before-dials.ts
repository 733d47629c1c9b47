import type { SealPart } from '#access/seal.ts';
import { backoffDelayMs } from '#kernel/backoff.ts';
import { MS_PER_DAY } from '#kernel/calendar.ts';
import { OutsideError } from '#platform/outside/outside-error.ts';
import type { OutsideHttp } from '#platform/outside/outside-http.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { signedHeaders } from '#webhooks/decisions/signature.ts';
import { verdictOf } from './decisions/read-answer.ts';
import { keepReasons, type PreDialContact, readableSecret, readPreDialContacts, type SealedHook } from './hook-store.ts';
import type { PreDial, PreDialCampaign, PreDialResult, PreDialVerdict } from './pre-dial.ts';
import { type Answers, type KnownHook, knownHooks, rememberedAnswers } from './remembered.ts';

/** A question has so long for everything, ms. Source: D15.7 */
const TIMEOUT_MS = 1_000;
const MAX_ANSWER_BYTES = 16 * 1024;
/** Pause after a round in which nobody answered. */
const AWAY_PLAN = { baseMs: 2_000, maxMs: 30_000 };
/** Hold on a contact whose request failed while the hook answered others of the same round, ms. */
const FAILED_MS = 30_000;
const NO_ANSWER = '拨前询问没有应答';
/** Pause of a campaign whose hook has an unreadable secret, ms; setting the hook anew ends it at once. */
const UNREADABLE_MS = 30_000;

interface AskApp extends RuntimeEventsPart, Pick<Platform, 'db' | 'clock' | 'random' | 'ids' | 'log'> {
  webhookSeal: SealPart['seal'];
  outside: Pick<OutsideHttp, 'post'>;
}

/** Asks the hooks of campaigns, remembers what they answered, and leaves alone those that do not answer. */
export function askBeforeDials(app: AskApp): PreDial {
  const hookOf = knownHooks(app.db);
  const answers = rememberedAnswers(app.clock);
  return {
    async ask(campaign, contactIds) {
      const known = await hookOf(campaign);
      return known.hook === null ? null : askHook({ ...app, answers }, { known, hook: known.hook, campaign }, contactIds);
    },
  };
}

interface PreDialRequest {
  known: KnownHook;
  hook: SealedHook;
  campaign: PreDialCampaign;
}

type RememberingApp = AskApp & { answers: Answers };

/** By contact; null: not known. */
type Verdicts = Map<number, PreDialVerdict | null>;

async function askHook(app: RememberingApp, request: PreDialRequest, contactIds: readonly number[]): Promise<PreDialResult> {
  const { known, hook } = request;
  const secret = readableSecret(app, hook);
  if (secret === null) return waitForSecret(app, request);
  const verdicts: Verdicts = new Map(contactIds.map(id => [id, app.answers.find(known, hook, id)]));
  const unknown = contactIds.filter(id => verdicts.get(id) === null);
  if (unknown.length > 0 && app.clock.monotonic() < known.awayUntil) return whileAway(app, request, verdicts);
  const answered = await askAll(app, { ...request, secret }, unknown);
  noteRound(app, known, answered);
  if (isSilent(answered)) return whileAway(app, request, verdicts);
  const received = keepAnswers(app, request, answered);
  await keepReasons(app.db, reasonsOf(received));
  return { kind: 'answered', verdicts: merged(verdicts, received) };
}

/**
 * Dials nobody, whatever `onFailure` says, and raises a runtime event once a day.
 *
 * Why:    `onFailure` is about a system that does not answer, which passes; this fault is ours, lasts until a person mends it, and nobody would
 *         notice a campaign that dials without asking
 * Source: D15.7
 */
async function waitForSecret({ events, clock }: AskApp, { hook, campaign: { id, name } }: PreDialRequest): Promise<PreDialResult> {
  await events.record({
    level: 'error',
    type: 'pre_dial.secret_unreadable',
    title: `活动「${name}」停止呼叫：拨前询问的密钥无法读取`,
    message: '保存它时的加密密钥（agents.secretKey）已更换或缺失：请恢复原来的密钥，或重新保存拨前询问，并把新的签名密钥交给对方系统',
    campaignId: id,
    dedupeKey: `pre_dial.secret_unreadable:${id}:${hook.updatedAt}:${Math.floor(clock.now() / MS_PER_DAY)}`,
  });
  return { kind: 'away', retryInMs: UNREADABLE_MS };
}

/** A contact that was deleted meanwhile has no verdict. */
function merged(remembered: Verdicts, received: ReadonlyMap<number, PreDialVerdict>): Map<number, PreDialVerdict> {
  const all = new Map(received);
  for (const [id, verdict] of remembered) if (verdict !== null) all.set(id, verdict);
  return all;
}

/** Whether every request of the round went unanswered; a round without requests is not silent. */
function isSilent(answered: Verdicts): boolean {
  return answered.size > 0 && [...answered.values()].every(verdict => verdict === null);
}

/** Counts silent rounds in a row. A round without requests leaves the count as it is: it tests nothing. */
function noteRound({ clock, random }: AskApp, known: KnownHook, answered: Verdicts): void {
  if (answered.size === 0) return;
  known.failures = isSilent(answered) ? known.failures + 1 : 0;
  known.awayUntil = known.failures === 0 ? -Infinity : clock.monotonic() + backoffDelayMs(AWAY_PLAN, known.failures - 1, random);
}

const ALLOWED: PreDialVerdict = { kind: 'allow' };

/** While the hook does not answer, `onFailure` of the campaign decides: dial nobody, or all contacts that are not held. */
function whileAway({ clock }: AskApp, { known, hook }: PreDialRequest, verdicts: Verdicts): PreDialResult {
  if (hook.onFailure === 'refuse') return { kind: 'away', retryInMs: Math.max(1, Math.ceil(known.awayUntil - clock.monotonic())) };
  return { kind: 'answered', verdicts: new Map([...verdicts].map(([id, verdict]) => [id, verdict ?? ALLOWED])) };
}

/** Caches the answers. A missing answer is not cached, so that the next round requests it again. */
function keepAnswers({ answers, clock }: RememberingApp, { known, hook }: PreDialRequest, answered: Verdicts): Map<number, PreDialVerdict> {
  const unanswered: PreDialVerdict =
    hook.onFailure === 'allow' ? ALLOWED : { kind: 'hold', until: clock.now() + FAILED_MS, reason: NO_ANSWER };
  for (const [id, verdict] of answered) if (verdict !== null) answers.keep(known, hook, id, verdict);
  return new Map([...answered].map(([id, verdict]) => [id, verdict ?? unanswered]));
}

function reasonsOf(verdicts: ReadonlyMap<number, PreDialVerdict>) {
  return [...verdicts].flatMap(([contactId, verdict]) => (verdict.kind === 'hold' ? [{ contactId, reason: verdict.reason }] : []));
}

/** Null: the contact's question was not answered. */
async function askAll(
  app: AskApp,
  { hook, campaign, secret }: PreDialRequest & { secret: string },
  contactIds: readonly number[],
): Promise<Verdicts> {
  if (contactIds.length === 0) return new Map();
  const contacts = await readPreDialContacts(app.db, contactIds);
  const asked = contacts.map(
    async contact => [contact.contactId, await askOne(app, { url: hook.url, secret, campaign }, contact)] as const,
  );
  return new Map(await Promise.all(asked));
}

interface Question {
  url: string;
  secret: string;
  campaign: PreDialCampaign;
}

async function askOne(app: AskApp, { url, secret, campaign }: Question, contact: PreDialContact): Promise<PreDialVerdict | null> {
  const at = app.clock.now();
  const body = JSON.stringify(questionOf(campaign, contact, at));
  const headers = signedHeaders({ messageId: app.ids(), at, body }, [secret]);
  try {
    const bounds = { timeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES, longer: 'refuse' } as const;
    const { status, text } = await app.outside.post({ url, headers, body, ...bounds });
    return status === 200 ? verdictOf(JSON.parse(text), at) : null;
  } catch (error) {
    const reason = error instanceof OutsideError ? error.fault : 'answer_invalid';
    app.log.debug({ campaignId: campaign.id, reason }, 'a pre-dial hook did not answer');
    return null;
  }
}

function questionOf(campaign: PreDialCampaign, contact: PreDialContact, at: number): object {
  const { id: campaignId, name: campaignName, businessCode } = campaign;
  return {
    type: 'pre_dial.asked',
    version: 1,
    timestamp: new Date(at).toISOString(),
    data: { campaignId, campaignName, businessCode, ...contact },
  };
}
