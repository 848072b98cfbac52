// Talks to our own JSON API with the session cookie; every change carries the page's CSRF token.
const csrf = document.querySelector('meta[name="csrf"]')?.content ?? '';

export class ApiError extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.hint = body?.error?.hint ?? '';
  }
}

async function answer(response) {
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
  return response.json();
}

export async function get(path, signal) {
  return answer(await fetch(path, { credentials: 'same-origin', headers: { Accept: 'application/json' }, signal }));
}

export async function post(path, data, signal, keepalive = false) {
  return answer(await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'X-CSRF': csrf },
    body: JSON.stringify(data),
    signal,
    keepalive: keepalive && data.text.length < 20000, // beyond what a page may send while it is left
  }));
}

export async function text(path) {
  const response = await fetch(path, { credentials: 'same-origin' });
  if (!response.ok) throw new ApiError(response.status, null);
  return response.text();
}
