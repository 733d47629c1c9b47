// Listens to every call of the console's phone, which this page does not know: whatever a peer connection receives.
globalThis.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...settings) {
    super(...settings);
    this.addEventListener('track', ({ streams: [stream], track }) => toneDetector.listenTo(stream ?? new MediaStream([track])));
  }
};
