import { expect, test } from 'vitest'
import { identiconCells } from '../icons/identicon.tsx'
import { shorten } from '../number.tsx'
import { place } from './menu.tsx'

const page = { width: 1024, height: 680 }
const menu = { width: 200, height: 120 }
const anchor = (left: number, top: number) => ({ left, right: left + 32, top, bottom: top + 32 })

test('the app places a menu or other floating element below the element that opens it, or above if there is no room', () => {
  expect(place(anchor(100, 100), menu, page, 'start')).toEqual({ left: 100, top: 136 })
  expect(place(anchor(100, 620), menu, page, 'start')).toEqual({ left: 100, top: 496 })
})

test('the app keeps a menu or other floating element inside the window', () => {
  expect(place(anchor(1000, 100), menu, page, 'start').left).toBe(816)
  expect(place(anchor(0, 100), menu, page, 'end').left).toBe(8)
  expect(place(anchor(100, 100), { width: 200, height: 700 }, page, 'start').top).toBe(8)
})

test('the app shortens a long text, such as a wallet address, to its start and end, and leaves a short text unchanged', () => {
  expect(shorten('0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E')).toBe('0x7A3f…c91E')
  expect(shorten('0x12345678')).toBe('0x12345678')
})

test('the app draws the same icon for a wallet address in any letter case, and different icons for similar wallet addresses', () => {
  const address = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'
  expect(identiconCells(address)).toEqual(identiconCells(address.toLowerCase()))
  expect(identiconCells(address)).not.toEqual(identiconCells(address.replace(/E$/, 'F')))
  const { cells } = identiconCells(address)
  for (let row = 0; row < 5; row += 1) expect(cells[row * 5]).toBe(cells[row * 5 + 4])
})
