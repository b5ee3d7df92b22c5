import { macOf } from '../../../electron/webhooks/verifier/delivery.ts'

/** One webhook delivery for testing verifiers, and whether a verifier must accept it. Header names are lower-case and unique. */
export interface DeliveryVector {
  readonly what: string
  /**
   * Whether a verifier must accept the delivery. `null`: it may accept or refuse, because JSON parsers have different depth limits, but it must not
   * crash.
   */
  readonly taken: boolean | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly secret: string
  readonly nowS: number
}

const secret = 'svc_whsec_0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef0123456789abcdef'
const text = '{"id":"evt_1","type":"order.filled","created_at":1800000000,"data":{"note":"größe ✓"}}'
const nowS = 1_800_000_002
/** The correct MAC of the delivery with the body `text`, computed by Python’s hmac, as in the test of `sign.ts`. */
const mac = '0c755975f36a9ed5f28f5d1e09d5fc7408e2691912719e988db3659c59a072a8'
/** The MAC for the same delivery with an empty key. If a receiver has no secret set, an attacker can compute this MAC. */
const unkeyedMac = 'ba1cb69fcc6649a48dc4920353d6ca52327e02109befa5412717ce0e4b20545a'

const right: DeliveryVector = {
  what: 'right',
  taken: true,
  headers: { 'x-svc-event': 'order.filled', 'x-svc-event-id': 'evt_1', 'x-svc-timestamp': String(nowS), 'x-svc-signature': `v1=${mac}` },
  body: Buffer.from(text),
  secret,
  nowS,
}

type Change = Partial<Omit<DeliveryVector, 'what' | 'taken'>>
const taken = (what: string, change: Change): DeliveryVector => ({ ...right, ...change, what })
const refused = (what: string, change: Change): DeliveryVector => ({ ...right, ...change, what, taken: false })
const withHeader = (name: string, value: string): Change => ({ headers: { ...right.headers, [name]: value } })
const without = (...names: readonly string[]) => ({ headers: Object.fromEntries(Object.entries(right.headers).filter(([name]) => !names.includes(name))) })

function signed(body: string | Uint8Array, { id = 'evt_1', timestamp = String(nowS) } = {}): Change {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signature = `v1=${macOf(secret, timestamp, bytes)}`
  return { headers: { 'x-svc-event': 'order.filled', 'x-svc-event-id': id, 'x-svc-timestamp': timestamp, 'x-svc-signature': signature }, body: bytes }
}

/** A correctly signed delivery whose body contains these raw JSON values; `null` omits a field. */
function signedWith(fields: Readonly<Record<string, string | null>>): Change {
  const all: Record<string, string | null> = { id: '"evt_1"', type: '"order.filled"', created_at: '1800000000', data: '{}', ...fields }
  return signed(`{${Object.entries(all).flatMap(([name, value]) => (value === null ? [] : `"${name}":${value}`))}}`)
}
/** A correctly signed delivery with these raw field values, but without the headers for the event’s id and type. */
const unnamed = (fields: Readonly<Record<string, string | null>>): Change => {
  const { headers = {}, ...rest } = signedWith(fields)
  return { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-svc-event'))) }
}

/** A correctly signed delivery with an empty field in the body and an empty header of the same name. */
function emptyHeader(name: string, fields: Readonly<Record<string, string>>): Change {
  const { headers, ...rest } = signedWith(fields)
  return { ...rest, headers: { ...headers, [name]: '' } }
}

const withId = (id: string) => signed(`{"id":"${id}","type":"order.filled","created_at":1,"data":{}}`, { id })
const nested = (levels: number) => signedWith({ data: `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}` })

/** Test deliveries for the app’s verifier and for each verifier that the app offers as code to copy. */
export const deliveryVectors: readonly DeliveryVector[] = [
  right,
  taken('300 s old', { nowS: nowS + 300 }),
  taken('300 s ahead', { nowS: nowS - 300 }),
  taken('large digits in the signature', withHeader('x-svc-signature', `v1=${mac.toUpperCase()}`)),
  refused('a changed byte', { body: Buffer.from(text.replace('1800000000', '1800000001')) }),
  refused('the same JSON, written anew', { body: Buffer.from(JSON.stringify(JSON.parse(text), null, 1)) }),
  refused('another secret', { secret: secret.replace('0f1e', '0f1f') }),
  refused('the secret without its beginning', { secret: secret.slice('svc_whsec_'.length) }),
  refused('no secret', { secret: '' }),
  refused('no secret, and signed with none', { ...withHeader('x-svc-signature', `v1=${unkeyedMac}`), secret: '' }),
  refused('301 s old', { nowS: nowS + 301 }),
  refused('301 s ahead', { nowS: nowS - 301 }),
  refused('another timestamp', withHeader('x-svc-timestamp', String(nowS + 1))),
  refused('a timestamp that is no number', signed(text, { timestamp: `${nowS}.0` })),
  refused('a timestamp of 13 digits', signed(text, { timestamp: `000${nowS}` })),
  refused('no signature', without('x-svc-signature')),
  refused('no timestamp', without('x-svc-timestamp')),
  refused('a signature without v1=', withHeader('x-svc-signature', mac)),
  refused('a signature with V1=', withHeader('x-svc-signature', `V1=${mac}`)),
  refused('a signature of another version', withHeader('x-svc-signature', `v2=${mac}`)),
  refused('half a signature', withHeader('x-svc-signature', `v1=${mac.slice(0, 32)}`)),
  refused('the id of another event', withHeader('x-svc-event-id', 'evt_2')),
  refused('the type of another event', withHeader('x-svc-event', 'order.cancelled')),
  refused('no id in the headers', without('x-svc-event-id')),
  refused('no type in the headers', without('x-svc-event')),
  // The signature is correct, but the body is not an event.
  refused('neither id nor type, in the headers or in the body', unnamed({ id: null, type: null })),
  refused('no id and no type but null', unnamed({ id: 'null', type: 'null' })),
  refused('an empty id', emptyHeader('x-svc-event-id', { id: '""' })),
  refused('an empty type', emptyHeader('x-svc-event', { type: '""' })),
  refused('ID for id', signedWith({ id: null, ID: '"evt_1"' })),
  refused('Type for type', signedWith({ type: null, Type: '"order.filled"' })),
  taken('ID besides id', signedWith({ ID: '"evt_2"' })),
  refused('an id that is a number', signed('{"id":7,"type":"order.filled","created_at":1,"data":{}}', { id: '7' })),
  taken('created_at as a decimal that is whole', signedWith({ created_at: '1800000000.0' })),
  taken('created_at with an exponent', signedWith({ created_at: '18e8' })),
  refused('no created_at', signedWith({ created_at: null })),
  refused('created_at null', signedWith({ created_at: 'null' })),
  refused('created_at as text', signedWith({ created_at: '"1800000000"' })),
  refused('created_at true', signedWith({ created_at: 'true' })),
  refused('created_at with half a second', signedWith({ created_at: '1800000000.5' })),
  taken('created_at at the end of the calendar', signedWith({ created_at: '253402300799' })),
  refused('created_at beyond the calendar', signedWith({ created_at: '253402300800' })),
  refused('created_at below zero', signedWith({ created_at: '-1' })),
  refused('created_at without end', signedWith({ created_at: '1e999' })),
  refused('no data', signedWith({ data: null })),
  refused('data null', signedWith({ data: 'null' })),
  refused('data as a list', signedWith({ data: '[]' })),
  refused('data as text', signedWith({ data: '"{}"' })),
  taken('a correction', signedWith({ revoked_event_id: '"evt_0"' })),
  taken('revoked_event_id null', signedWith({ revoked_event_id: 'null' })),
  refused('revoked_event_id as a number', signedWith({ revoked_event_id: '7' })),
  taken('an id of 96 characters', withId('e'.repeat(96))),
  refused('an id of 97 characters', withId('e'.repeat(97))),
  taken('fields that nobody knows', signedWith({ more: '[1,{"a":null}]' })),
  taken('space around the body', signed(` ${text}\r\n`)),
  refused('an empty body', signed('')),
  refused('a body that is not JSON', signed('not JSON')),
  refused('JSON with more behind it', signed(`${text}{}`)),
  refused('a list', signed(`[${text}]`)),
  refused('null', signed('null')),
  refused('NaN', signedWith({ data: '{"a":NaN}' })),
  refused('Infinity', signedWith({ data: '{"a":-Infinity}' })),
  refused('UTF-16', signed(Buffer.from(text, 'utf16le'))),
  refused('UTF-16 with its mark', signed(Buffer.from(`\ufeff${text}`, 'utf16le'))),
  refused('UTF-8 with a mark', signed(`\ufeff${text}`)),
  refused('bytes that are no UTF-8', signed(Buffer.from(text, 'latin1'))),
  taken('lists in lists, 100 deep', nested(100)),
  { ...taken('lists in lists, 100,000 deep', nested(100_000)), taken: null },
]
