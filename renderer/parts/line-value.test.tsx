import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ComparisonLine } from '../../shared/ipc/intents/comparison-lines.ts'
import { Value } from '../features/sign-in/sign-in-sheet.tsx'
import { ClockProvider, createWindowClock } from '../kit/time/time.tsx'
import { ComparisonLines } from '../signing/parts/comparison-lines.tsx'
import { PhonePicture } from '../signing/parts/phone-picture.tsx'
import { noComparison } from '../signing/parts/signing-message.ts'
import { AddressText, LineValue, ServiceChangeLines } from './line-value.tsx'

const address = '0x7A3f00000000000000000000000000000000beEF'
const hash = `0x${'ab12'.repeat(16)}`
const textIn = (html: string): string => html.replace(/<[^>]*>/g, '')

test('a comparison shows addresses and hashes in full, split only at their middle [FLOW-02]', () => {
  const line = { id: 'router', unit: null } as Parameters<typeof LineValue>[0]['line'] // The cast is safe: LineValue reads only these fields of a line with a value
  for (const value of [address, hash]) {
    const html = renderToStaticMarkup(<LineValue line={line} value={value} picture={false} />)
    expect(textIn(html)).toBe(value)
    expect(
      html
        .match(/<span>(0x[^<]+)<\/span><span>([^<]+)<\/span>/)
        ?.slice(1)
        .map((half) => half.length),
    ).toEqual([value.length / 2, value.length / 2])
  }
})

test('a text shows its addresses in full', () => {
  const text = `The contract is ${address}.`
  expect(textIn(renderToStaticMarkup(<AddressText text={text} picture={false} />))).toBe(text)
})

test('a service change shows both whole hashes, in halves that can be compared [GEN-09]', () => {
  const found = 'cd34'.repeat(16)
  const html = renderToStaticMarkup(<ServiceChangeLines drifts={[{ what: 'schema', expected: hash, found }]} />)
  expect(textIn(html)).toContain(hash)
  expect(html).toContain(`<span>${found.slice(0, 32)}</span><span>${found.slice(32)}</span>`)
})

test('the checks of a sign-in message show whole addresses, nonces and names [AUTH-06]', () => {
  for (const value of [address, hash, 'a-very-long-host-name.of-an-exchange.example:8443', 'A sentence of more than twenty-four characters'])
    expect(textIn(renderToStaticMarkup(<Value value={value} />))).toBe(value)
})

test('the picture of the phone shows whole addresses, as the phone does [FLOW-02]', () => {
  const html = renderToStaticMarkup(<PhonePicture checks={[{ label: 'Agent', value: address, unit: null, field: 'agent', code: true }]} thing="order" />)
  expect(textIn(html)).toContain(address)
})

test('a comparison shows how long its message is valid, and after the deadline that it has expired, with no time left', () => {
  const atMs = 1_800_000_000_000
  const line: ComparisonLine = {
    ...{ id: 'deadline', group: 'envelope', asked: { code: 'at_most_ms', ms: 300_000 }, signed: { code: 'until_time', atMs, leftMs: 299_000 } },
    ...{ unit: null, field: 'deadline', verdict: 'match', remark: null },
  }
  const textAt = (now: number) =>
    textIn(
      renderToStaticMarkup(
        <ClockProvider clock={createWindowClock({ now: () => now, monotonic: () => now })}>
          <ComparisonLines comparison={{ ...noComparison, verdict: 'pass', lines: [line] }} />
        </ClockProvider>,
      ),
    )
  expect(textAt(atMs - 1_000)).toMatch(/Valid until.*, for 4 min 59 s/)
  expect(textAt(atMs + 1)).toMatch(/Was valid until.*, expired/)
  expect(textAt(atMs + 1)).not.toContain('4 min 59 s')
})

test('a comparison that is blocked or over says what the service prepared, not what the wallet will sign [FLOW-02]', () => {
  const headOf = (verdict: 'pass' | 'block', over: boolean) =>
    textIn(renderToStaticMarkup(<ComparisonLines comparison={{ ...noComparison, verdict }} over={over} />))
  expect(headOf('pass', false)).toContain('Your wallet will sign')
  for (const head of [headOf('block', false), headOf('pass', true)]) {
    expect(head).toContain('The service prepared')
    expect(head).not.toContain('will sign')
  }
})
