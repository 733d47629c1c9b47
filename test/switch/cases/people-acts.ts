import { waitUntil } from '#test/support/wait-until.ts';
import { customerNumber, type PhoneLeg } from '../people.ts';
import type { SwitchRig } from '../switch-rig.ts';
import { attemptsOf, freeAgent, startCampaign } from './campaign.ts';

/** A customer of a campaign who is talking with the bot. */
export interface LiveCall {
  requestId: string;
  customer: PhoneLeg;
}

export interface Conference {
  conferenceId: number;
  conferenceName: string;
}

export interface Session {
  sessionId: string;
  softphoneCallId: number;
  serviceNumber: string;
  sipExtraHeaders: Record<string, string>;
}

export async function liveCall(rig: SwitchRig, tone: number): Promise<LiveCall> {
  const number = customerNumber({ tone });
  const campaignId = await startCampaign(rig, [number], { maxConcurrency: 3 });
  const requestId = await waitUntil('the runtime to be told', async () => {
    const [attempt] = await attemptsOf(rig, campaignId);
    return attempt && rig.runtime.toldAt.has(attempt.requestId) ? attempt.requestId : null;
  });
  return { requestId, customer: await rig.people.ringing(number) };
}

/** Sends the request like the call-flow runtime. */
export async function routeTransfer({ rest, agents }: SwitchRig, { requestId }: LiveCall, extension: string): Promise<Conference> {
  return rest('POST', '/api/transfers/route', { requestId, customerUuid: requestId, agentId: agents.get(extension), reason: '检查' });
}

export async function openSession(rig: SwitchRig, extension: string, phoneNumber: string): Promise<Session> {
  const agentId = await freeAgent(rig, extension);
  return rig.rest('POST', '/api/softphone-sessions', { agentId, phoneNumber });
}
