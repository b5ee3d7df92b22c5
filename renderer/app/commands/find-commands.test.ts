import { expect, test } from 'vitest'
import type { Command } from '../../kit/layout/commands.tsx'
import { findCommands } from './palette.tsx'

const command = (label: string, group = 'Keys'): Command => ({ id: label, group, label, icon: 'key', run: () => undefined })
const all = [command('Rotate mm-btc-01'), command('Schedule a rotation'), command('New key'), command('Overview', 'Go to')]
const labels = (typed: string) => findCommands(all, typed).map((found) => found.command.label)

test('ranks a command label that starts with the search text above one that contains it elsewhere', () => {
  expect(labels('rot')).toEqual(['Rotate mm-btc-01', 'Schedule a rotation'])
})

test('requires every search word, in any order', () => {
  expect(labels('btc rot')).toEqual(['Rotate mm-btc-01'])
  expect(labels('rot nothing')).toEqual([])
})

test('finds a command by the name of its group, too', () => {
  expect(labels('go over')).toEqual(['Overview'])
})

test('returns all commands in order when the search is empty', () => {
  expect(labels('  ')).toEqual(all.map((one) => one.label))
})

test('reports where the words match, for highlighting', () => {
  expect(findCommands(all, 'btc')[0]?.marks).toEqual([[10, 13]])
})
