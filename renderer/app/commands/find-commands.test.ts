import { expect, test } from 'vitest'
import type { Command } from '../../kit/layout/commands.tsx'
import { findCommands } from './palette.tsx'

const command = (label: string, group = 'Keys'): Command => ({ id: label, group, label, icon: 'key', run: () => undefined })
const all = [command('Rotate mm-btc-01'), command('Schedule a rotation'), command('New key'), command('Overview', 'Go to')]
const labels = (typed: string) => findCommands(all, typed).map((found) => found.command.label)

test('the command search ranks a label that starts with the search text above one that contains it elsewhere', () => {
  expect(labels('rot')).toEqual(['Rotate mm-btc-01', 'Schedule a rotation'])
})

test('the command search finds only commands that contain every search word, in any order', () => {
  expect(labels('btc rot')).toEqual(['Rotate mm-btc-01'])
  expect(labels('rot nothing')).toEqual([])
})

test('the command search also finds a command by the name of its command group', () => {
  expect(labels('go over')).toEqual(['Overview'])
})

test('the command search returns all commands in order when the search text is empty', () => {
  expect(labels('  ')).toEqual(all.map((one) => one.label))
})

test('the command search reports which part of a label matches the search words, so that the window can highlight it', () => {
  expect(findCommands(all, 'btc')[0]?.marks).toEqual([[10, 13]])
})

test('the command search finds a command by its extra search terms or id, and lists it below commands whose label matches', () => {
  const named = [{ ...command('Open key grid'), terms: 'key_9x41 credential' }, command('Credential report')]
  expect(findCommands(named, 'key_9x').map((found) => found.command.label)).toEqual(['Open key grid'])
  expect(findCommands(named, 'credential').map((found) => found.command.label)).toEqual(['Credential report', 'Open key grid'])
})

test('the command search lists a risky command, such as “Revoke”, among the first three only if the search text names that action', () => {
  const risky = { ...command('Revoke grid'), risk: 'Revoke' }
  const safe = ['Open grid', 'Copy grid', 'Trade grid'].map((label) => command(label))
  const found = (typed: string, from: readonly Command[]) => findCommands(from, typed).map((one) => one.command.label)
  expect(found('grid', [risky, ...safe])).toEqual(['Open grid', 'Copy grid', 'Trade grid', 'Revoke grid'])
  expect(found('grid', [risky, ...safe.slice(1)])).toEqual(['Copy grid', 'Trade grid'])
  expect(found('revoke', [risky, ...safe])).toEqual(['Revoke grid'])
  expect(found('rev grid', [risky, ...safe])).toEqual(['Revoke grid'])
})

test('the command search ignores accents and case, and marks the match in the original label', () => {
  expect(findCommands([command('Open key Zürich')], 'zurich')[0]?.marks).toEqual([[9, 15]])
})

test('the command search lists each command once, even if two parts of the app register it', () => {
  expect(findCommands([command('New key'), command('New key')], 'new')).toHaveLength(1)
})
