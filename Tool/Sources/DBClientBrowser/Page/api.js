// The calls of the server, with the token in a header that no other page can set.

const stored = "dbclient-token";

/** Takes the token out of the address, where it would stay in the history. */
export function takeToken() {
  const match = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (match) {
    sessionStorage.setItem(stored, match[1]);
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem(stored) !== null;
}

/** What the server refuses, with the parts of its message. */
export class Failure extends Error {
  constructor({ code, message, entity, field, hint }) {
    super(hint ? `${message} ${hint}` : message);
    Object.assign(this, { code, entity, field });
  }
}

async function send(name, body, signal) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${sessionStorage.getItem(stored) ?? ""}`,
      },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure({
      code: "unreachable",
      message: "dbclient must be running; it does not answer.",
      hint: "Start it again, and open the address that it prints.",
    });
  }
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({
    code: "http",
    message: `The server answered with ${response.status}.`,
  }));
  throw new Failure(failure);
}

/** Calls the server and returns its answer. */
export async function call(name, body = {}, signal = undefined) {
  return (await send(name, body, signal)).json();
}

/** Calls a function with each event of a stream, until the signal or the end of the stream. */
export async function stream(name, body, signal, onEvent) {
  const response = await send(name, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (event.startsWith("data: ")) onEvent(JSON.parse(event.slice(6)));
    }
  }
}
