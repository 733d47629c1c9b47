// The page of an agent's phone: JsSIP with its defaults, and a detector of the received tones.
// It runs in a browser; browser-phone.ts drives `globalThis.phone`.
const FFT_SIZE = 8192;
/** Threshold of a tone above the noise floor, in dB. */
const TONE_DB = -55;
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
  analyser: null,
  audio: null,
  context: null,

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
      peerconnection.addEventListener('track', ({ streams: [stream], track }) => phone.listenTo(stream ?? new MediaStream([track])));
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

  listenTo(stream) {
    // Chromium passes a remote stream to WebAudio only while an element plays it.
    phone.audio = Object.assign(new Audio(), { srcObject: stream, muted: true });
    phone.audio.play().catch(() => undefined);
    phone.context ??= new AudioContext();
    phone.analyser = phone.context.createAnalyser();
    Object.assign(phone.analyser, { fftSize: FFT_SIZE, smoothingTimeConstant: 0 });
    phone.context.createMediaStreamSource(stream).connect(phone.analyser);
  },

  call(target, headers) {
    const extraHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    phone.ua.call(target, { extraHeaders, mediaConstraints: MEDIA });
  },

  answer: () => phone.session.answer({ mediaConstraints: MEDIA }),
  hangUp: () => phone.session.terminate(),

  /** Names of the tones that are received now. */
  hears(tones) {
    if (phone.analyser === null) return [];
    const levels = new Float32Array(phone.analyser.frequencyBinCount);
    phone.analyser.getFloatFrequencyData(levels);
    const width = phone.context.sampleRate / FFT_SIZE;
    return Object.entries(tones)
      .filter(([, hertz]) => Math.max(...levels.subarray(Math.round(hertz / width) - 1, Math.round(hertz / width) + 2)) > TONE_DB)
      .map(([name]) => name);
  },
};
globalThis.phone = phone;
