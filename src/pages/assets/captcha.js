// Forms that the browser does some work for before they are sent (proof of work), so that sending many of them is
// costly: it looks for a number whose SHA-256 digest, behind the text of the server, begins with so many zero bits.
// Without JavaScript the page says that it needs it. Written out here, since browsers digest by themselves only where the
// page came over https, and slowly.

// How many numbers are tried before the page may do something else.
const STRIDE = 20000;

const rootsOfPrimes = (count, exponent) => {
  const parts = [];
  for (let candidate = 2; parts.length < count; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) isPrime &&= candidate % divisor !== 0;
    if (isPrime) parts.push(((candidate ** exponent) % 1) * 2 ** 32);
  }
  return parts;
};
const START = Int32Array.from(rootsOfPrimes(8, 1 / 2), (part) => part | 0);
const ROUNDS = Int32Array.from(rootsOfPrimes(64, 1 / 3), (part) => part | 0);
const state = new Int32Array(8);
const words = new Int32Array(64);
const turn = (word, count) => (word >>> count) | (word << (32 - count));

// Mixes one block of sixteen words into the state (FIPS 180-4, section 6.2.2).
function mix() {
  for (let i = 16; i < 64; i += 1) {
    const x = words[i - 15];
    const y = words[i - 2];
    const near = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const far = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] + near + words[i - 7] + far) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

// How many zero bits the digest of a text of ASCII begins with, up to 32.
function zeroBits(text) {
  state.set(START);
  const blocks = ((text.length + 8) >> 6) + 1;
  for (let block = 0; block < blocks; block += 1) {
    words.fill(0);
    for (let i = 0; i < 64; i += 1) {
      const at = block * 64 + i;
      const byte = at < text.length ? text.charCodeAt(at) : at === text.length ? 0x80 : 0;
      words[i >> 2] |= byte << (24 - 8 * (i & 3));
    }
    if (block === blocks - 1) words[15] = text.length * 8;
    mix();
  }
  return Math.clz32(state[0]);
}

async function solve({ challenge, difficulty }) {
  const text = challenge.slice(challenge.lastIndexOf(".") + 1);
  for (let number = 0; ; number += 1) {
    if (zeroBits(text + number) >= difficulty) return `${challenge}.${number}`;
    if (number % STRIDE === STRIDE - 1) await new Promise((resume) => setTimeout(resume));
  }
}

async function answer(path) {
  const puzzle = await fetch(path, { method: "POST" });
  if (!puzzle.ok) throw new Error(String(puzzle.status));
  return solve(await puzzle.json());
}

for (const field of document.querySelectorAll("[data-captcha]")) {
  const working = document.getElementById("captcha-working");
  let isAnswered = false;
  field.form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    // A button that leads elsewhere needs no answer.
    if (isAnswered || button?.hasAttribute("formaction")) return;
    event.preventDefault();
    if (!working.hidden) return;
    working.hidden = false;
    // Without an answer the server says what to do.
    field.value = await answer(field.dataset.captcha).catch(() => "");
    isAnswered = true;
    working.hidden = true;
    field.form.requestSubmit(button);
  });
  // Whoever comes back to the page needs another one: each works once.
  window.addEventListener("pageshow", () => {
    field.value = "";
    isAnswered = false;
  });
}
