import {
  endSoftphoneRoute,
  getSoftphoneCallRoute,
  openSoftphoneRoute,
  softphoneControlRoute,
  softphoneMessageRoute,
  softphoneNoteRoute,
} from './softphone-sessions.ts';
import { control, say, updateNote } from './control.ts';
import type { SoftphoneSessionDeps } from './deps.ts';
import { endSoftphoneSession } from './end-session.ts';
import { getSoftphoneCall } from './get-call.ts';
import { openSession } from './open-session.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { presentSoftphoneDetail } from './present-softphone-sessions.ts';

/** OCS 4.14 except SIP settings; the event stream is in softphones/sse-softphone-sessions.ts. */
export function softphoneSessionHandlers(deps: SoftphoneSessionDeps): RouteHandler[] {
  return [
    handler(openSoftphoneRoute, ({ body, caller }) => openSession(deps, caller, body)),
    handler(softphoneMessageRoute, async ({ params, body, caller }) => ({
      messageId: await say(deps, caller, params.sessionId, body.text),
    })),
    handler(softphoneControlRoute, async ({ params, body, caller }) => ({
      type: body.type,
      softphoneCallId: await control(deps, caller, params.sessionId, body),
    })),
    handler(softphoneNoteRoute, async ({ params, body, caller }) => {
      await updateNote(deps, caller, params.sessionId, body.note);
      return { sessionId: params.sessionId, note: body.note };
    }),
    handler(endSoftphoneRoute, async ({ params, caller }) => ({
      sessionId: params.sessionId,
      ...(await endSoftphoneSession(deps, caller, params.sessionId)),
    })),
    handler(getSoftphoneCallRoute, async ({ params, caller }) =>
      presentSoftphoneDetail(await getSoftphoneCall(deps, caller, params.softphoneCallId)),
    ),
  ];
}
