import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { parsingHere } from '../../../e2e/support/parsing/parsing-here.ts'
import type { Input, Output } from '../../../shared/ipc/contract.ts'
import { fail, ok } from '../../../shared/result.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { Secret } from '../../kernel/secret.ts'
import { createInspectPasted } from './inspect-pasted.ts'

const nowS = 1_800_000_100
const secrets: Readonly<Record<string, string>> = { wh_1: `svc_whsec_${'a1'.repeat(32)}`, wh_2: `svc_whsec_${'b2'.repeat(32)}` }
const urls: Readonly<Record<string, string>> = { wh_1: 'https://bots.example/in', wh_2: 'https://ops.example/svc' }
const text = '{"id":"evt_1","type":"order.filled","created_at":1800000000,"data":{"order_id":12345678901234567890,"note":"größe ✓"}}'

interface Kept {
  readonly ids?: readonly string[]
  readonly locked?: readonly string[]
}
const handlersWith = ({ ids = ['wh_1', 'wh_2'], locked = [] }: Kept = {}) =>
  createInspectPasted({
    stored: {
      entries: () => ids.map((keyId) => ({ keyId, label: urls[keyId] ?? '', wallet: '0x1', storedAtMs: 1 })),
      secretOf: async (id) =>
        locked.includes(id) ? fail({ kind: 'keychain', code: 'locked', detail: null }) : ok(ids.includes(id) ? new Secret(secrets[id] ?? '') : null),
    },
    clock: { now: () => nowS * 1_000, monotonic: () => 0 },
    parsing: parsingHere,
  })
type Read = Extract<Output<'webhooks.inspect'>, { kind: 'read' }>
const inspect = async (pasted: string, over: Partial<Input<'webhooks.inspect'>> & Kept = {}) => {
  const { ids, locked, ...input } = over
  const kept = { ...(ids === undefined ? {} : { ids }), ...(locked === undefined ? {} : { locked }) }
  const answer = await handlersWith(kept)['webhooks.inspect']({ text: pasted, against: { kind: 'kept' }, index: 0, ...input })
  if (!answer.ok) throw new Error('never fails')
  // A window receives the answer as JSON, so convert it to JSON and back.
  return JSON.parse(JSON.stringify(answer.value)) as Output<'webhooks.inspect'>
}
const read = async (...given: Parameters<typeof inspect>): Promise<Read> => {
  const answer = await inspect(...given)
  if (answer.kind !== 'read') throw new Error(inputIssueText(answer.issue))
  return answer
}
const failed = ({ checks }: Read) => checks.flatMap(({ step, result }) => (result === 'failed' ? [step] : []))
const unknown = ({ checks }: Read) => checks.flatMap(({ step, result }) => (result === 'unknown' ? [step] : []))

const signature = (body: string, by: string, timestampS: number) =>
  `v1=${createHmac('sha256', secrets[by] ?? '')
    .update(`${timestampS}.${body}`)
    .digest('hex')}`
interface Sent {
  readonly body?: string
  readonly by?: string
  readonly atS?: number
  readonly change?: Readonly<Record<string, string | null>>
}
function headersOf({ body = text, by = 'wh_1', atS = nowS - 2, change = {} }: Sent = {}): [string, string][] {
  const all: Record<string, string | null> = {
    Host: 'bots.example',
    'User-Agent': 'Svc-DEX-Webhook/1.0',
    'X-Svc-Event': 'order.filled',
    'X-Svc-Event-ID': 'evt_1',
    'X-Svc-Timestamp': String(atS),
    'X-Svc-Signature': signature(body, by, atS),
    ...change,
  }
  return Object.entries(all).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]))
}
const pasted = (sent: Sent = {}) => ['POST /in HTTP/1.1', ...headersOf(sent).map(([name, value]) => `${name}: ${value}`), '', sent.body ?? text].join('\r\n')

test('the check of a pasted delivery accepts one signed with a stored secret, names its webhook, and shows the headers as received [HOOK-05, HOOK-06]', async () => {
  const right = await read(pasted({ by: 'wh_2' }))
  expect(right).toMatchObject({ verdict: 'right', form: 'headers', signer: { id: 'wh_2', url: 'https://ops.example/svc' }, tried: 2, untried: null })
  expect(right.checks.map(({ step, result }) => `${step} ${result}`)).toEqual([
    ...['headers passed', 'timestamp passed', 'age passed', 'signature form passed', 'signature passed'],
    ...['body passed', 'event id passed', 'event type passed'],
  ])
  expect(right.headers.map(({ name }) => name)).toEqual(['X-Svc-Event', 'X-Svc-Event-ID', 'X-Svc-Timestamp', 'X-Svc-Signature', 'User-Agent', 'Host'])
  expect(right).toMatchObject({ sentAtMs: (nowS - 2) * 1_000, ageMs: 2_000, event: { id: 'evt_1', type: 'order.filled', createdAtMs: 1_800_000_000_000 } })
  expect(right.event?.whole).toContain('"order_id": 12345678901234567890')
})

test('the check of a pasted delivery reads a curl command or a HAR file, and checks each delivery of a HAR file separately [HOOK-05, HOOK-06]', async () => {
  const curl = `curl https://bots.example/in ${headersOf()
    .map(([name, value]) => `-H '${name}: ${value}'`)
    .join(' ')} --data-raw '${text}'`
  expect(await read(curl)).toMatchObject({ verdict: 'right', form: 'curl', signer: { id: 'wh_1' } })
  const entry = (sent: Sent) => ({
    request: {
      method: 'POST',
      url: 'https://bots.example/in',
      headers: headersOf(sent).map(([name, value]) => ({ name, value })),
      postData: { text: sent.body ?? text },
    },
  })
  const har = JSON.stringify({ log: { entries: [entry({}), entry({ by: 'wh_2', change: { 'X-Svc-Signature': `v1=${'0'.repeat(64)}` } })] } })
  expect(await read(har)).toMatchObject({ verdict: 'right', form: 'har', index: 0, found: [{ event: 'order.filled' }, { event: 'order.filled' }] })
  const second = await read(har, { index: 1 })
  expect([second.verdict, second.index, failed(second)]).toEqual(['wrong', 1, ['signature']])
  expect((await read(har, { index: 99 })).index).toBe(1)
})

test('the check of a pasted delivery shows all steps, and reports a changed byte, wrong secret or altered header at the step that fails [HOOK-05, HOOK-06]', async () => {
  const changed = await read(pasted({ change: { 'X-Svc-Signature': signature(text, 'wh_1', nowS - 2) }, body: text.replace('evt_1', 'evt_2') }))
  expect([changed.verdict, failed(changed), changed.signer]).toEqual(['wrong', ['signature', 'event id'], null])
  const other = await read(pasted({ by: 'wh_2' }), { against: { kind: 'webhook', webhookId: 'wh_1' } })
  expect([other.verdict, failed(other), other.tried]).toEqual(['wrong', ['signature'], 1])
  const renamed = await read(pasted({ change: { 'X-Svc-Event-ID': 'evt_9' } }))
  expect([renamed.verdict, failed(renamed), renamed.signer?.id]).toEqual(['wrong', ['event id'], 'wh_1'])
  const without = await read(pasted({ change: { 'X-Svc-Signature': null } }))
  expect([without.verdict, failed(without), unknown(without)]).toEqual(['wrong', ['headers'], ['signature form', 'signature']])
})

test('the check of a pasted delivery reports a correctly signed delivery as too old, or as ahead of the clock [HOOK-06]', async () => {
  const old = await read(pasted({ atS: nowS - 10_800 }))
  expect([old.verdict, failed(old), old.ageMs, old.signer?.id]).toEqual(['old', ['age'], 10_800_000, 'wh_1'])
  const ahead = await read(pasted({ atS: nowS + 400 }))
  expect([ahead.verdict, ahead.ageMs]).toEqual(['old', -400_000])
  expect((await read(pasted({ atS: nowS - 300 }))).verdict).toBe('right')
  expect((await read(pasted({ atS: nowS - 10_800, change: { 'X-Svc-Event': 'order.cancelled' } }))).verdict).toBe('wrong')
})

test('the check of a pasted delivery finds the signed body if only line breaks differ, and recognises reformatted JSON [HOOK-06]', async () => {
  const withHeaders = (sent: string, shown: string) => pasted({ body: shown, change: { 'X-Svc-Signature': signature(sent, 'wh_1', nowS - 2) } })
  for (const [sent, shown, reading] of [
    [text, `${text}\n`, 'without_break'],
    [text, `${text}\r\n`, 'without_break'],
    [`${text}\n`, text, 'with_break'],
    [`${text}\n`, `${text}\n`, 'pasted'],
    [text.replace(',', ',\r\n'), text.replace(',', ',\n'), 'crlf'],
    [text.replace(',', ',\n'), text.replace(',', ',\r\n'), 'lf'],
  ] as const) {
    const found = await read(withHeaders(sent, shown))
    expect([found.verdict, found.body.reading, found.body.bytes]).toEqual(['right', reading, Buffer.from(sent).length])
  }
  const pretty = await read(withHeaders(text, text.replaceAll(',"', ',\n  "')))
  expect([pretty.verdict, pretty.body.reformatted, pretty.signer]).toEqual(['wrong', true, null])
  expect((await read(withHeaders(text.replace('1800000000', '1800000001'), text))).body.reformatted).toBe(false)
})

test('without a usable secret, the check of a pasted delivery reports the signature as unknown and gives the reason [HOOK-06]', async () => {
  const because = async (over: Parameters<typeof inspect>[1]) => {
    const { verdict, untried, checks } = await read(pasted(), over)
    return [verdict, untried, checks.find(({ step }) => step === 'signature')?.result]
  }
  expect(await because({ against: { kind: 'nothing' } })).toEqual(['unknown', 'chosen', 'unknown'])
  expect(await because({ ids: [] })).toEqual(['unknown', 'none_kept', 'unknown'])
  expect(await because({ against: { kind: 'webhook', webhookId: 'wh_3' } })).toEqual(['unknown', 'not_here', 'unknown'])
  expect(await because({ locked: ['wh_1', 'wh_2'] })).toEqual(['unknown', 'keychain_locked', 'unknown'])
  // `wh_1` signed the delivery. The secret of `wh_1` proves the signature even if the secret of `wh_2` is unreadable. If the secret of `wh_1` is
  // unreadable, the app cannot judge the signature.
  expect(await because({ locked: ['wh_2'] })).toEqual(['right', null, 'passed'])
  expect(await because({ locked: ['wh_1'] })).toEqual(['unknown', 'keychain_locked', 'unknown'])
  expect((await read(pasted({ change: { 'X-Svc-Event': null } }), { ids: [] })).verdict).toBe('wrong')
})

test('the check of a pasted correction names the event that the correction takes back, and names none if the body contains none [HOOK-05, HOOK-07]', async () => {
  const body = '{"id":"evt_9","type":"transaction.pending","created_at":1800000050,"revoked_event_id":"evt_1","data":{}}'
  const change = { 'X-Svc-Event': 'transaction.pending', 'X-Svc-Event-ID': 'evt_9' }
  expect(await read(pasted({ body, change }))).toMatchObject({ verdict: 'right', event: { type: 'transaction.pending', revokedEventId: 'evt_1' } })
  expect(await read(pasted({ body: 'no JSON' }))).toMatchObject({ verdict: 'wrong', event: null, signer: { id: 'wh_1' } })
  const late = text.replace('"created_at":1800000000', `"created_at":${Number.MAX_SAFE_INTEGER}`)
  expect(await read(pasted({ body: late }))).toMatchObject({ verdict: 'wrong', event: null })
  expect(
    await read(pasted({ body: `{"id":"evt_1","type":"order.filled","created_at":1,"data":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}` })),
  ).toMatchObject({
    verdict: 'right',
  })
})

test('the check of a pasted delivery returns neither the secret nor the correct signature [HOOK-06, AUTH-09]', async () => {
  const answers = [
    await inspect(pasted()),
    await inspect(pasted({ change: { 'X-Svc-Signature': `v1=${'0'.repeat(64)}` } })),
    await inspect('nothing'),
    await inspect(pasted({ by: 'wh_2' }), { against: { kind: 'webhook', webhookId: 'wh_1' } }),
  ]
  for (const secret of Object.values(secrets)) expect(JSON.stringify(answers)).not.toContain(secret)
  expect(JSON.stringify(answers[1])).not.toContain(signature(text, 'wh_1', nowS - 2))
  expect(answers[2]).toEqual({ kind: 'unreadable', issue: ['pasteUnknown'] })
  expect(await handlersWith()['webhooks.kept']({})).toEqual({
    ok: true,
    value: [
      { id: 'wh_1', url: 'https://bots.example/in' },
      { id: 'wh_2', url: 'https://ops.example/svc' },
    ],
  })
})
