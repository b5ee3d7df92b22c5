import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { catalogue, plural } from '../../shared/text/catalogue.ts'
import { translateBy } from './translations.tsx'

const english = {
  order: 'Order',
  same: 'USDC',
  lost: '',
  rejected: (what: string) => `You rejected the ${what}`,
  hours: (count: number) => plural(count, { one: `${count} hour`, other: `${count} hours` }),
  asks: (who: ReactNode) => <>It asks for {who}.</>,
}
const signing = catalogue('signing', english)
const trade = catalogue('trade', english)
const german: typeof english = {
  order: 'Auftrag',
  same: 'USDC',
  lost: '',
  rejected: (what) => `Sie haben den ${what} abgelehnt`,
  hours: (count) => plural(count, { one: `${count} Stunde`, other: `${count} Stunden` }),
  asks: (who) => <>Verlangt wird {who}.</>,
}

const speak = (texts: Parameters<typeof translateBy>[0], locale = 'de') => {
  globalThis.spoken = { locale, translate: translateBy(texts) }
}
afterEach(() => {
  globalThis.spoken = undefined
})

test('the app shows each text in the active language, or in English if that language has no texts for the area', () => {
  expect([signing.order, trade.rejected('order')]).toEqual(['Order', 'You rejected the order'])
  speak({ trade: german })
  expect([trade.order, trade.hours(1), trade.rejected('Auftrag')]).toEqual(['Auftrag', '1 Stunde', 'Sie haben den Auftrag abgelehnt'])
  expect(signing.order).toBe('Order')
})

test('the app shows the English beside the translation in texts about signing, but shows only one text if both are identical', () => {
  speak({ signing: german, trade: german })
  expect(signing.order).toBe('Auftrag · Order')
  expect([signing.same, signing.lost]).toEqual(['USDC', ''])
  expect(signing.rejected('BTC')).toBe('Sie haben den BTC abgelehnt · You rejected the BTC')
  expect(trade.order).toBe('Auftrag')
})

test('the app shows the English beside the translation only for exit texts (cancel, close, revoke) in an area that also has other texts', () => {
  const keys = catalogue('keys', { revokeKey: 'Revoke key', revokeNamed: (name: string) => `Revoke ${name}?`, newKey: 'New key' })
  speak({
    keys: { revokeKey: 'Schlüssel widerrufen', revokeNamed: (name: string) => `${name} widerrufen?`, newKey: 'Neuer Schlüssel' },
  })
  expect(keys.revokeKey).toBe('Schlüssel widerrufen · Revoke key')
  expect(keys.revokeNamed('grid')).toBe('grid widerrufen? · Revoke grid?')
  expect(keys.newKey).toBe('Neuer Schlüssel')
})

test('the app shows a signing text that contains another signing text first completely translated, and then completely in English', () => {
  speak({ signing: german })
  expect(signing.rejected(signing.order)).toBe('Sie haben den Auftrag abgelehnt · You rejected the Order')
})

test('the app’s translated texts use the plural forms of their language', () => {
  speak({ signing: { ...english, hours: (count: number) => plural(count, { other: `${count}時間` }) } }, 'ja')
  expect(signing.hours(1)).toBe('1時間 · 1 hour')
})

test('the app marks English elements on a translated page with the language attribute “en”', () => {
  speak({ signing: german })
  expect(renderToStaticMarkup(signing.asks(<b>{signing.order}</b>))).toBe(
    'Verlangt wird <b>Auftrag · Order</b>. · <span lang="en">It asks for <b>Auftrag · Order</b>.</span>',
  )
  expect(renderToStaticMarkup(signing.asks(signing.order))).toBe('Verlangt wird Auftrag. · <span lang="en">It asks for Order.</span>')
})
