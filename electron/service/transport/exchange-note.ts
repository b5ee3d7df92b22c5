import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { limits } from '../../../shared/api/limits.ts'
import { isPlainName, redactBody, redacted, redactText } from '../../../shared/api/redact.ts'
import { type Foreign, foreign, lengthOf, startOf } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { Exchange, KeptBody } from '../../../shared/ipc/reads/requests.ts'
import { headerText } from './request-headers.ts'
import type { WireOutcome } from './transport.ts'

export interface NotedExchange {
  readonly endpoint: Endpoint
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly credential: Readonly<Record<string, string>>
  readonly key: Exchange['key']
  readonly body: string | null
  readonly outcome: WireOutcome
}

/** How many characters of a body to keep. The limit for requests is the service's own maximum (Service 7), so every request is kept in full. */
const keptCharacters = { request: limits.requestBodyBytes, answer: 16_384 } as const
/** A body up to this size is parsed as JSON, so that secrets can also be found by their field name. */
export const heldCharacters = limits.requestBodyBytes
/**
 * The app also searches this many characters after the kept part of a longer body for secrets. This is longer than any secret, so the app finds a
 * secret that crosses the cut.
 */
const searchedBeyond = 4_096
const longestHeader = 512

/** The response headers that the request console shows. None of these headers contains a credential. */
const toldHeader = /^(content-type|date|retry-after|x-request-id|x-svc-.+|(x-)?ratelimit(-.+)?|server|via)$/

/** Prepares what the request console shows of one attempt. This is cheap, because secrets are removed only when the `Exchange` is requested. */
export function noteExchange({ endpoint, target, headers, credential, key, body, outcome }: NotedExchange): () => Exchange {
  const sent = body === null ? null : holdBody(foreign(body), Buffer.byteLength(body), keptCharacters.request, credential)
  const received = outcome.kind === 'answer' ? holdBody(outcome.text, outcome.bytes, keptCharacters.answer, credential) : null
  const shown = { ...headers }
  for (const name of Object.keys(credential)) shown[name] = redacted
  const answered = outcome.kind === 'answer' ? outcome.headers : {}
  return () => ({
    target: redactText(target),
    credential: endpoint.credential,
    key: key === null ? null : { id: key.id, label: key.label === null ? null : redactText(key.label) },
    request: { headers: Object.entries(shown).map(cleanHeader), body: sent === null ? null : keepBody(sent, keptCharacters.request, endpoint.secrets) },
    answer: received === null ? null : { headers: headersOf(answered).map(cleanHeader), body: keepBody(received, keptCharacters.answer, endpoint.secrets) },
  })
}

interface HeldBody {
  readonly text: string
  readonly bytes: number
  readonly beyond: number
}

/**
 * Copies the start of a long body, because a slice would keep the whole body in memory. Removes the credential at once, so that the app never stores
 * it.
 */
function holdBody(body: Foreign<string>, bytes: number, kept: number, credential: Readonly<Record<string, string>>): HeldBody {
  const length = lengthOf(body)
  if (length <= heldCharacters) return { text: withoutCredential(startOf(body, length), credential), bytes, beyond: 0 }
  const held = Buffer.from(startOf(body, kept + searchedBeyond)).toString()
  return { text: withoutCredential(held, credential), bytes, beyond: length - held.length }
}

function withoutCredential(text: string, credential: Readonly<Record<string, string>>): string {
  const values = Object.values(credential).map((value) => value.replace(/^Bearer /, ''))
  return values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, redacted) : left), text)
}

/**
 * Returns the body with secrets removed. If the body may contain a one-time secret and is not JSON, returns no body, because such a secret can only
 * be found by its field name.
 */
function keepBody({ text, bytes, beyond }: HeldBody, kept: number, secrets: readonly string[]): KeptBody {
  if (secrets.length > 0 && text.trim() !== '' && (beyond > 0 || !isJson(text))) return { text: null, bytes, cut: text.length + beyond }
  const clean = redactBody(text, secrets)
  return clean.length <= kept ? { text: clean, bytes, cut: beyond } : { text: clean.slice(0, kept).toWellFormed(), bytes, cut: clean.length - kept + beyond }
}

const isJson = (text: string): boolean => readJson(foreign(text)) !== undefined

const headersOf = (headers: IncomingHttpHeaders): [name: string, value: string][] =>
  Object.keys(headers)
    .filter((name) => toldHeader.test(name) && isPlainName(name))
    .map((name) => [name, headerText(headers[name]) ?? ''])

const cleanHeader = ([name, value]: readonly [name: string, value: string]) => ({ name, value: redactText(value).slice(0, longestHeader) })
