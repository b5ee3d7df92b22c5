import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddressText, LineValue } from './line-value.tsx'

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

test('a text shortens its addresses unless the user must compare them', () => {
  const text = `The contract is ${address}.`
  expect(textIn(renderToStaticMarkup(<AddressText text={text} picture={false} />))).toBe('The contract is 0x7A3f…beEF.')
  expect(textIn(renderToStaticMarkup(<AddressText text={text} picture={false} whole />))).toBe(text)
})
