import { streamOffCode, streamRoute } from '../../../shared/api/expected-answer.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import type { KeptBody, RequestFilter } from '../../../shared/ipc/reads/requests.ts'

const outcomes: Readonly<Record<string, string>> = {
  ok: 'Answered',
  connect: 'No connection',
  tls: 'Not a safe connection',
  timeout: 'No answer in time',
  reset: 'Connection cut',
  too_large: 'Answer too large',
  closing: 'The app was closing',
  redirect: 'Pointed elsewhere',
  html: 'A web page instead',
  malformed: 'Not readable',
}

/** What became of a request: in words where this app says it, as the service said it where it did. */
export function outcomeWords({ endpoint, outcome }: Pick<RequestRecord, 'endpoint' | 'outcome'>): string {
  if (endpoint === streamRoute && outcome === streamOffCode) return 'The stream is off'
  if (Object.hasOwn(outcomes, outcome)) return outcomes[outcome] ?? outcome
  return /^http_\d+$/.test(outcome) ? 'Refused without a code' : outcome
}

export const statusWords: Readonly<Record<RequestFilter['status'], string>> = {
  any: 'Any answer',
  '2': '2xx, done',
  '3': '3xx, elsewhere',
  '4': '4xx, refused',
  '5': '5xx, service failed',
  none: 'No answer',
}

/** `1,204 bytes`. */
export const sizeText = (bytes: number): string => `${bytes.toLocaleString('en-US')} ${bytes === 1 ? 'byte' : 'bytes'}`

/** What is not there of a body; null: all of it is. */
export function missingText({ text, cut }: KeptBody): string | null {
  if (text === null) return 'Not kept: it could not be searched for secrets, and may hold one.'
  if (cut > 0) return `${cut.toLocaleString('en-US')} more ${cut === 1 ? 'character was' : 'characters were'} not kept.`
  return null
}
