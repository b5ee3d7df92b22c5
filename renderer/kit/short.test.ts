import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Amount, addressPattern, shortId } from './number.tsx'
import styles from './text.module.css'

const address = '0x1dC7a9A3bD0E6f0e5A1f6E2b9C3d4E5f6A7B671D'

test('the app does not take the first 20 bytes of a 32-byte id for a wallet address', () => {
  expect(addressPattern.test(address)).toBe(true)
  expect(`from ${address}.`.split(addressPattern)).toEqual(['from ', address, '.'])
  expect(addressPattern.test(`${address}${'0'.repeat(24)}`)).toBe(false)
})

test('the app shortens an id only if it is too long for a table, and then keeps its start and its end', () => {
  expect(shortId('key_7KQ2M9')).toBe('key_7KQ2M9')
  expect(shortId('14413239681622645578895428')).toBe('1441323968…5578895428')
  expect(shortId(`0x${'0'.repeat(42)}1a20982127b3c4d5e6f708`)).toBe('0x00000000…c4d5e6f708')
})

test.each([
  ['-0.004', '0.00', undefined],
  ['0.004', '0.00', undefined],
  ['0', '0.00', undefined],
  ['-0.006', '−0.01', styles.down],
  ['1.5', '+1.50', styles.up],
])('the app colours the amount %s like the sign that it shows, %s', (value, shown, tone) => {
  expect(renderToStaticMarkup(createElement(Amount, { value, decimals: 2, signed: true }))).toBe(
    renderToStaticMarkup(createElement('span', { className: tone }, shown)),
  )
})
