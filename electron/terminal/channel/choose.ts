import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { isLiveKey } from '../../../shared/live-key.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { AccessibleKey } from '../../keys/keys.ts'
import { readOwn } from '../../webhooks/lab/forwarder.ts'
import type { AccessibleWebhook } from '../../webhooks/subscriptions/webhook-parts.ts'
import { type Refusal, refusal } from './refusal.ts'

export interface KnownProfile {
  readonly id: string
  readonly name: string
  readonly kind: 'practice' | 'live'
}

/** Chooses a profile by id or name. Without an id or a name, chooses the profile that was opened last. */
export function chooseProfile(profiles: readonly KnownProfile[], wanted: string | null, activeId: string | null): Result<KnownProfile, Refusal> {
  const fits = wanted === null ? profiles.filter(({ id }) => id === activeId) : profiles.filter(({ id, name }) => id === wanted || name === wanted)
  const [found, ...more] = fits
  if (found !== undefined && more.length === 0) return ok(found)
  if (found !== undefined) return fail(refusal('usage', `Several profiles are named ${wanted}. Use one of these ids: ${fits.map(({ id }) => id).join(', ')}.`))
  if (wanted === null) return fail(refusal('missing', 'No profile is open in Svc Desk. Open one there, or name one with --profile.'))
  return fail(refusal('missing', `There is no profile ${wanted}. Use one of these: ${profiles.map(({ name }) => name).join(', ')}.`))
}

/**
 * Chooses a key by id or label, among those whose secret is on this computer. If several have the label, chooses the one that still works.
 */
export function chooseKey(keys: readonly AccessibleKey[], wanted: string, nowMs: number): Result<AccessibleKey, Refusal> {
  const byId = keys.find(({ keyId }) => keyId === wanted)
  const fits = byId === undefined ? keys.filter(({ label }) => label === wanted) : [byId]
  if (fits.length === 0) return fail(refusal('missing', `No key ${wanted} has its secret on this computer. \`svc-desk keys list\` shows which keys do.`))
  const working = fits.filter((key) => isLiveKey(key) && (key.expiresAtMs === null || key.expiresAtMs > nowMs))
  const [found, ...more] = working
  if (found !== undefined && more.length === 0) return ok(found)
  if (found !== undefined)
    return fail(refusal('usage', `Several keys are named ${wanted}. Use one of these ids: ${working.map(({ keyId }) => keyId).join(', ')}.`))
  return fail(refusal('missing', `The key ${wanted} is ${fits[0]?.status === 'revoked' ? 'revoked' : 'expired'}, so it no longer works. Use another key.`))
}

/**
 * Picks a webhook by id or URL, among those whose signing secret is on this computer. Without an id or URL, picks the only webhook, or the only one
 * that delivers to this computer.
 */
export function chooseWebhook(webhooks: readonly AccessibleWebhook[], wanted: string | null): Result<AccessibleWebhook, Refusal> {
  if (wanted === null) return onlyWebhook(webhooks)
  const fits = webhooks.filter(({ webhookId, url }) => webhookId === wanted || url === wanted)
  const [found, ...more] = fits
  if (found === undefined)
    return fail(refusal('missing', `No webhook ${wanted} has its signing secret on this computer. The Webhooks page in Svc Desk shows which do.`))
  return more.length === 0
    ? ok(found)
    : fail(refusal('usage', `Several webhooks point to ${wanted}. Use one of these ids: ${fits.map(({ webhookId }) => webhookId).join(', ')}.`))
}

function onlyWebhook(webhooks: readonly AccessibleWebhook[]): Result<AccessibleWebhook, Refusal> {
  const here = webhooks.filter(({ url }) => readOwn(url) !== null)
  const [only, ...more] = here.length === 1 ? here : webhooks
  if (only === undefined)
    return fail(refusal('missing', 'No webhook has its signing secret on this computer. Create one in Svc Desk, or name a variable with --secret-env.'))
  if (more.length === 0) return ok(only)
  return fail(
    refusal('usage', `There are several webhooks. Name one with --webhook: ${webhooks.map(({ url, webhookId }) => `${url} (${webhookId})`).join(', ')}.`),
  )
}

/** Edit distance of two words: how many letters must be inserted, removed or replaced to turn one into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length] ?? 0
}

const mostWrong = 2

/**
 * Suggests which word the user probably meant, as a question to append to a sentence. Chooses the most similar word, or one that starts with
 * the typed text. Empty if no word is similar.
 */
export function meant(typed: string, words: readonly string[], shown: (word: string) => string = (word) => word): string {
  const ranked = words
    .map((word) => ({ word, wrong: typed.startsWith(`${word}-`) ? 1 : distance(typed.toLowerCase(), word) }))
    .filter(({ word, wrong }) => wrong <= mostWrong && wrong < word.length / 2)
    .sort((a, b) => a.wrong - b.wrong)
  const [best] = ranked
  return best === undefined ? '' : ` Did you mean ${shown(best.word)}?`
}

/** What the user typed. no_terminal: the process has no terminal on which to ask. stopped: the user pressed Ctrl-C or Ctrl-D. */
export type Typed = { readonly typed: string } | 'no_terminal' | 'stopped'

/** The line as typed so far. `over` is `end` after Enter, and `stop` after Ctrl-C or Ctrl-D. */
interface TypedLine {
  readonly text: string
  readonly over: 'end' | 'stop' | null
}

const [stop, endOfInput, backspace, clearLine, erase] = ['\u0003', '\u0004', '\b', '\u0015', '\u007f']
/** Matches one typed key: a single character, or an escape sequence such as that of an arrow key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what such keys send begins with one
const keys = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?|./gsu

/** Applies typed keys to the line. In raw mode, the terminal neither shows nor edits what the user types. */
export function typeInto(line: TypedLine, input: string): TypedLine {
  let { text } = line
  for (const key of input.match(keys) ?? []) {
    if (key === '\r' || key === '\n') return { text, over: 'end' }
    if (key === stop || key === endOfInput) return { text: '', over: 'stop' }
    if (key === erase || key === backspace) text = [...text].slice(0, -1).join('')
    else if (key === clearLine) text = ''
    else if (key >= ' ') text += key
  }
  return { text, over: null }
}

/**
 * Asks on the terminal and hides what the user types. Does not use standard input and output, which belong to the command that will be
 * started.
 * Windows has no separate terminal device, so there it cannot ask.
 */
export const askPassphrase = (question: string): Promise<Typed> => askOnTerminal(question, 'hidden')

/**
 * Like `askPassphrase`, but for a word that is not secret: shows what the user types. The terminal edits the line, and Ctrl-C ends the
 * program.
 */
export const askWord = (question: string): Promise<Typed> => askOnTerminal(question, 'shown')

function askOnTerminal(question: string, typing: 'hidden' | 'shown'): Promise<Typed> {
  const terminal = openTerminal()
  if (terminal === null) return Promise.resolve('no_terminal')
  const { input, out } = terminal
  // Switch to raw mode before printing the question, so that even keys typed early stay hidden.
  if (typing === 'hidden') input.setRawMode(true)
  input.setEncoding('utf8')
  writeSync(out, question)
  return new Promise((resolve) => {
    let line: TypedLine = { text: '', over: null }
    const end = (typed: Typed) => {
      if (typing === 'hidden') {
        input.setRawMode(false)
        writeSync(out, '\n')
      }
      input.destroy()
      closeSync(out)
      resolve(typed)
    }
    input.on('data', (keys) => {
      line = typeInto(line, String(keys))
      if (line.over !== null) end(line.over === 'end' ? { typed: line.text } : 'stopped')
    })
    input.on('error', () => undefined)
    input.once('end', () => end('stopped'))
  })
}

function openTerminal(): { readonly input: ReadStream; readonly out: number } | null {
  try {
    return { input: new ReadStream(openSync('/dev/tty', 'r')), out: openSync('/dev/tty', 'w') }
  } catch {
    return null
  }
}
