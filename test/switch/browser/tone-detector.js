// Detects the tones that a page receives: a phone's own page and the console both load it before anything else.
const FFT_SIZE = 8192;
/** Threshold of a tone above the noise floor, in dB. */
const TONE_DB = -55;

globalThis.toneDetector = {
  analyser: null,
  audio: null,
  context: null,

  listenTo(stream) {
    // Chromium passes a remote stream to WebAudio only while an element plays it.
    this.audio = Object.assign(new Audio(), { srcObject: stream, muted: true });
    this.audio.play().catch(() => undefined);
    this.context ??= new AudioContext();
    this.analyser = this.context.createAnalyser();
    Object.assign(this.analyser, { fftSize: FFT_SIZE, smoothingTimeConstant: 0 });
    this.context.createMediaStreamSource(stream).connect(this.analyser);
  },

  /** Names of the tones that are received now. */
  hears(tones) {
    if (this.analyser === null) return [];
    const levels = new Float32Array(this.analyser.frequencyBinCount);
    this.analyser.getFloatFrequencyData(levels);
    const width = this.context.sampleRate / FFT_SIZE;
    return Object.entries(tones)
      .filter(([, hertz]) => Math.max(...levels.subarray(Math.round(hertz / width) - 1, Math.round(hertz / width) + 2)) > TONE_DB)
      .map(([name]) => name);
  },
};
