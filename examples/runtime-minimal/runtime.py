"""A call-flow runtime for Callout with Python's standard library alone, down to the protocol of NATS.

It takes each answered call, "speaks" one sentence, hangs up and reports the result. What a real one adds is speech in `converse`.
Run: NATS_URL=nats://127.0.0.1:4222 python3 runtime.py
"""
import base64
import hashlib
import hmac
import json
import os
import queue
import re
import signal
import socket
import sys
import threading
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import unquote, urlsplit

NATS = urlsplit(os.environ.get("NATS_URL", "nats://127.0.0.1:4222"))
MAX_CALLS = int(os.environ.get("MAX_CALLS", "20"))
SENTENCE_S = int(os.environ.get("SENTENCE_MS", "4000")) / 1000
TOKEN = os.environ.get("CALLOUT_INTERNAL_TOKEN", "")
SENTENCE = "您好，这里是示例营业厅，祝您生活愉快，再见。"
# Another one for each process: what is addressed to a process that is gone must not reach its successor.
RUNTIME_ID = f"minimal-{uuid.uuid4().hex[:8]}"


class Nats:
    """One connection that comes back by itself. Handlers run in the reading thread: they must be quick and ask nothing."""

    def __init__(self):
        self.sock, self.lock, self.last_sid, self.handlers, self.waiting = None, threading.RLock(), 0, {}, {}
        self.ahead_ms = 0
        # Answers are heard under a prefix of this user's own: docker/nats.conf lets no runtime hear all of _INBOX.
        self.inbox = f"_INBOX_RUNTIME.{unquote(NATS.username)}.{uuid.uuid4().hex}" if NATS.username else f"_INBOX.{uuid.uuid4().hex}"
        self.subscribe(self.inbox + ".*", self._answered)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                self._connect()
                self._read()
            except (OSError, ValueError) as problem:
                print(f"NATS is away: {problem}", file=sys.stderr)
            self.sock = None
            time.sleep(0.5)

    def _connect(self):
        sock = socket.create_connection((NATS.hostname, NATS.port or 4222), timeout=5)
        sock.settimeout(150)  # the server pings every 2 minutes: longer silence is a dead connection
        self.file = sock.makefile("rb")
        self.file.readline()  # INFO
        hello = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "name": RUNTIME_ID, "lang": "python", "version": "1"}
        if NATS.username:
            hello |= {"user": unquote(NATS.username), "pass": unquote(NATS.password or "")}
        with self.lock:
            lines = [f"CONNECT {json.dumps(hello)}"] + [f"SUB {subject} {sid}" for sid, (subject, _) in self.handlers.items()]
            sock.sendall("".join(line + "\r\n" for line in lines).encode())
            self.sock = sock

    def _read(self):
        while line := self.file.readline():
            verb, *words = line.split()
            if verb == b"PING":
                self._send(b"PONG\r\n")
            elif verb in (b"MSG", b"HMSG"):  # MSG subject sid [reply] size; HMSG has the headers' size before the size
                sizes = 2 if verb == b"HMSG" else 1
                body = self.file.read(int(words[-1]) + 2)[:-2]
                headers, body = (body[: int(words[-2])], body[int(words[-2]) :]) if sizes == 2 else (b"", body)
                reply = words[2].decode() if len(words) == 3 + sizes else None
                _, handler = self.handlers.get(int(words[1]), (None, None))
                if handler:
                    handler(words[0].decode(), reply, body, headers)
            elif verb == b"-ERR":
                print("NATS:", line.decode().strip(), file=sys.stderr)
        raise OSError("closed")

    def _send(self, data):
        with self.lock:
            if self.sock is None:
                raise OSError("not connected")
            self.sock.sendall(data)

    def subscribe(self, subject, handler):
        with self.lock:
            self.last_sid += 1
            self.handlers[self.last_sid] = (subject, handler)
            if self.sock:  # else `_connect` does it
                self._send(f"SUB {subject} {self.last_sid}\r\n".encode())
            return self.last_sid

    def unsubscribe(self, sid):
        with self.lock:
            if self.handlers.pop(sid, None) and self.sock:
                self._send(f"UNSUB {sid}\r\n".encode())

    def publish(self, subject, body, reply="", message_id=None):
        data = json.dumps(body, ensure_ascii=False).encode()
        message_id = message_id or str(uuid.uuid4())
        headers = f"NATS/1.0\r\nNats-Msg-Id: {message_id}\r\n{self._proof(subject, message_id, data)}\r\n".encode()
        self._send(f"HPUB {subject} {reply} {len(headers)} {len(headers) + len(data)}\r\n".encode() + headers + data + b"\r\n")

    def _proof(self, subject, message_id, data):
        """Shows that we know the token, which itself never travels. The server tells its time with each hello and beat."""
        if not TOKEN:
            return ""
        sent_at = int(time.time() * 1000) + self.ahead_ms
        signed = f"{subject}\n{message_id}\n{sent_at}\n".encode() + data
        proof = hmac.new(hashlib.sha256(TOKEN.encode()).digest(), signed, hashlib.sha256).digest()
        return f"Callout-Time: {sent_at}\r\nCallout-Proof: {base64.urlsafe_b64encode(proof).decode().rstrip('=')}\r\n"

    def ask(self, subject, body, message_id=None, timeout=2.0):
        """One answer, or OSError. JetStream acknowledges a stored message in the same way."""
        reply, got = f"{self.inbox}.{uuid.uuid4().hex}", {"ready": threading.Event()}
        self.waiting[reply] = got
        try:
            self.publish(subject, body, reply, message_id)
            if not got["ready"].wait(timeout) or got["headers"].startswith(b"NATS/1.0 503"):  # 503: nobody listens there
                raise OSError(f"{subject}: no answer")
            return json.loads(got["body"])
        except ValueError as problem:
            raise OSError(f"{subject}: {problem}") from problem
        finally:
            del self.waiting[reply]

    def _answered(self, subject, _reply, body, headers):
        if got := self.waiting.get(subject):
            got.update(body=body, headers=headers)
            got["ready"].set()


nats = Nats()
wake, is_draining = threading.Event(), threading.Event()
calls = {}  # by requestId; a call stays for a minute after its end, because commands and starts may be repeated


def refusal(code, msg):
    return {"ok": False, "code": code, "msg": msg}


def live():
    return sum(not call.done for call in list(calls.values()))


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def serve(subject, answer):
    def handler(subject, reply, body, _headers):
        try:
            parsed = json.loads(body)
        except ValueError:
            parsed = None
        try:
            told = answer(parsed if isinstance(parsed, dict) else {}, subject.rsplit(".", 1)[1]) or {"ok": True}
        except (KeyError, TypeError) as problem:
            told = refusal("INVALID", str(problem))
        if reply:
            nats.publish(reply, told)

    return nats.subscribe(subject, handler)


class Call:
    def __init__(self, order):
        self.order, self.id, self.epoch = order, order["requestId"], order.get("epoch")
        self.over, self.hangup, self.released, self.done, self.reports = threading.Event(), None, False, False, queue.SimpleQueue()
        self.commands = serve(f"callout.v1.command.{self.id}.*", self.obey)

    def here(self):
        return {"ok": True, "runtimeId": RUNTIME_ID} | self.hand_over()

    def hand_over(self):
        return {} if self.epoch is None else {"epoch": self.epoch}

    def obey(self, body, name):
        if name == "start":
            return take(body)
        if name == "hangup":
            self.hangup = self.hangup or (body.get("by", "customer"), body.get("cause", "NORMAL_CLEARING"))
            self.over.set()
        return self.here() if name in ("ping", "hangup") else refusal("UNKNOWN_COMMAND", name)

    def release(self):
        """The call is another runtime's now, or nobody's: nothing is said, reported or hung up any more."""
        self.released = True
        self.over.set()
        self.forget()

    def forget(self):
        if calls.get(self.id) is self:
            del calls[self.id]
        nats.unsubscribe(self.commands)

    def owned(self, body):
        return {"requestId": self.id, "attemptId": self.order["attemptId"], "runtimeId": RUNTIME_ID} | self.hand_over() | body

    def converse(self):
        """started → captions → end of the call → ended → result."""
        deliverer = threading.Thread(target=self.deliver, daemon=True)
        deliverer.start()
        answered_at = self.order.get("answeredAt") or now()
        self.reports.put(("started", {"kind": "started", "seq": 0, "at": now()}))
        segment = {"segmentId": f"{self.epoch or 0}-s1", "speaker": "bot", "text": SENTENCE, "final": True}
        try:
            nats.publish(self.order["captionSubject"], self.owned({"kind": "segment", "seq": 1, "at": now(), "segment": segment}))
        except OSError:
            pass  # a caption is worth nothing later: the transcript of the result counts
        self.over.wait(SENTENCE_S)
        if not self.released and not self.hangup:  # nobody has hung up yet, so we do
            try:
                nats.ask(f"callout.v1.actor.call.{self.id}.hangup", {})
            except OSError as problem:
                print("endCall:", problem, file=sys.stderr)  # the result ends the call as well
        by, cause = self.hangup or ("bot", "NORMAL_CLEARING")
        ended_at = now()
        self.reports.put(("ended", {"kind": "ended", "seq": 2, "at": ended_at, "hangupCause": cause}))
        before = [{"speaker": said["speaker"], "text": said["text"]} for said in self.order.get("captions") or []]  # a lost runtime's
        result = {"callStatus": "completed", "answeredAt": answered_at, "endedAt": ended_at, "hangupBy": by, "hangupCause": cause}
        self.reports.put(("result", result | {"transcript": before + [{"speaker": "bot", "text": SENTENCE}]}))
        self.reports.put(None)
        deliverer.join()
        self.done = True
        time.sleep(60)
        self.forget()

    def deliver(self):
        """Each report until the stream has it, always under the same message id: a repetition of what was stored is dropped there."""
        while (told := self.reports.get()) and not self.released:
            kind, body = told
            message, message_id = self.owned(body), f"{self.id}:{kind}:{self.epoch or 0}"
            while not self.released:
                try:
                    if "stream" in nats.ask(f"callout.v1.runtime.{kind}.{self.id}", message, message_id, timeout=3.0):
                        break
                except OSError:
                    pass
                time.sleep(0.5)  # NATS is away, or its answer was lost


def take(order, _name="start"):
    """A call is offered. The answer must come within 1 s, the same one when the offer comes again."""
    ids, subject = str(order.get("requestId")), order.get("captionSubject")
    if not re.fullmatch(r"[0-9a-fA-F-]{36}", ids) or not isinstance(order.get("attemptId"), int) or not isinstance(subject, str):
        return refusal("INVALID", "requestId, attemptId or captionSubject is missing")
    known = calls.get(ids)
    if known and (order.get("epoch") or 0) > (known.epoch or 0):
        # Offered again under a newer epoch: reports of the older one would be refused from now on, and that it speaks is not known by the new one.
        known.epoch = order["epoch"]
        known.reports.put(("started", {"kind": "started", "seq": 0, "at": now()}))
    if known:
        return known.here()
    if is_draining.is_set() or live() >= MAX_CALLS:
        return refusal("BUSY", "no place is free")
    call = calls[ids] = Call(order)
    threading.Thread(target=call.converse, daemon=True).start()
    return call.here()


def release(command, _name):
    call = calls.get(command.get("requestId"))
    if call and command.get("epoch", 0) >= (call.epoch or 0):
        call.release()


def rejected(rejection, _name):
    print("rejected:", rejection, file=sys.stderr)
    call = calls.get(rejection.get("requestId"))
    if call and rejection.get("code") == "STALE_EPOCH":
        call.release()


def say(word):
    member = {"runtimeId": RUNTIME_ID, "name": "runtime-minimal-python", "version": "1.0.0", "contract": 1, "maxCalls": MAX_CALLS}
    member |= {"active": live(), "isDraining": is_draining.is_set(), "resumes": True, "nodeTypes": ["start", "send", "end"]}
    try:
        answer = nats.ask(f"callout.v1.runtime-pool.{word}", member)
    except OSError:
        return False
    if "serverTime" in answer:
        nats.ahead_ms = answer["serverTime"] - int(time.time() * 1000)
    if not answer["ok"] and answer["code"] not in ("UNAVAILABLE", "STALE_PROOF"):
        sys.exit(f"the server does not take this runtime: {answer['code']} {answer['msg']}")
    return answer["ok"]


# Hear what is addressed to this runtime first, then say hello, then beat: who says nothing for 15 s is gone.
for name, handler in {"start": take, "release": release, "rejected": rejected}.items():
    serve(f"callout.v1.runtime-pool.{RUNTIME_ID}.{name}", handler)
# A server that has just come, or come back, wants to know who is there.
serve("callout.v1.runtime-pool.roll-call", lambda _body, _name: wake.set())
signal.signal(signal.SIGTERM, lambda *_: (is_draining.set(), wake.set()))
print(f"{RUNTIME_ID} takes calls from {NATS.hostname}:{NATS.port}", flush=True)
known = False
while not is_draining.is_set():
    known = say("beat" if known else "hello")
    wake.wait(5 if known else 1)
    wake.clear()
say("beat")
while live():
    time.sleep(0.1)
say("bye")
