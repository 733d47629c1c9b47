// The page of an agent's phone: JsSIP with its defaults; tone-detector.js listens.
// It runs in a browser; browser-phone.ts drives `globalThis.phone`.
/** Speech filters would remove a tone. */
const MEDIA = { audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false }, video: false };

const phone = {
  ua: null,
  isRegistered: false,
  failures: [],
  session: null,
  /** State of the newest call: `ringing` `calling` `talking` `ended`. */
  state: 'idle',
  endCause: null,
  from: null,

  register({ url, uri, user, password, realm }) {
    const socket = new JsSIP.WebSocketInterface(url);
    const ua = new JsSIP.UA({ sockets: [socket], uri, authorization_user: user, password, realm });
    ua.on('registered', () => (phone.isRegistered = true));
    ua.on('unregistered', () => (phone.isRegistered = false));
    ua.on('registrationFailed', ({ cause, response }) => {
      phone.isRegistered = false;
      phone.failures.push({ cause, status: response?.status_code ?? null, retryAfter: response?.getHeader('Retry-After') ?? null });
    });
    ua.on('newRTCSession', ({ session }) => phone.take(session));
    phone.ua = ua;
    ua.start();
  },

  take(session) {
    phone.session = session;
    phone.endCause = null;
    phone.state = session.direction === 'incoming' ? 'ringing' : 'calling';
    phone.from = session.remote_identity.uri.user;
    session.on('confirmed', () => (phone.state = 'talking'));
    const ends = ({ cause, message }) => {
      if (phone.session === session)
        Object.assign(phone, { state: 'ended', endCause: message?.status_code ? `${cause} ${message.status_code}` : cause });
    };
    session.on('ended', ends);
    session.on('failed', ends);
    const listens = ({ peerconnection }) =>
      peerconnection.addEventListener('track', ({ streams: [stream], track }) => toneDetector.listenTo(stream ?? new MediaStream([track])));
    if (session.connection) listens({ peerconnection: session.connection });
    else session.on('peerconnection', listens);
  },

  hold(isHeld) {
    return new Promise((resolve, reject) => {
      const { session } = phone;
      const isAsked = isHeld ? session.hold({}, () => resolve()) : session.unhold({}, () => resolve());
      if (!isAsked) reject(new Error(`hold(${isHeld}) is not possible now`));
      session.once('ended', ({ cause }) => reject(new Error(`the call has ended: ${cause}`)));
    });
  },

  call(target, headers) {
    const extraHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    phone.ua.call(target, { extraHeaders, mediaConstraints: MEDIA });
  },

  /** `how`: `INFO`, or `RFC2833` for named events beside the sound. */
  press: (digits, how) => phone.session.sendDTMF(digits, { transportType: how }),
  answer: () => phone.session.answer({ mediaConstraints: MEDIA }),
  hangUp: () => phone.session.terminate(),
};
globalThis.phone = phone;
