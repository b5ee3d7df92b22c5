import { expect, test } from 'vitest'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { day, hour } from '../../../../shared/time.ts'
import { beginsAtMs, endText, expiryMarks, markText, openReplacement, replacementText } from './expiry-axis.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)

const replacement = (change: Partial<Replacement>): Replacement => ({
  id: 'r1',
  oldKey: { id: 'key_old', label: 'bot' },
  newKey: null,
  plan: { label: 'bot 2', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [], executor: null, agent: 'none' },
  now: { state: 'planned' },
  next: ['begin', 'abandon'],
  notBeforeMs: nowMs + 11 * day,
  due: false,
  createdAtMs: 1,
  updatedAtMs: 1,
  steps: [],
  ...change,
})

test('the expiry timeline describes how much time is left until an expiry, and how certain the expiry is', () => {
  expect(endText({ title: 'bot', atMs: nowMs + 11 * day, sure: 'exact' }, nowMs)).toBe('bot expires in 11 days')
  expect(endText({ title: 'bot', atMs: nowMs + 3 * hour, sure: 'at_latest' }, nowMs)).toBe('bot expires in 3 h at the latest')
  expect(endText({ title: 'bot', atMs: nowMs - 3 * day, sure: 'exact' }, nowMs)).toBe('bot expired 3 days ago')
  expect(endText({ title: 'bot', atMs: null, sure: 'unknown' }, nowMs)).toBe('bot has an unknown expiry')
})

test('a merged mark in the expiry timeline names its first keys, and counts the others', () => {
  const points = ['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ rowId: title, title, atMs: nowMs + 60 * day, sure: 'exact' as const }))
  const [one] = expiryMarks('key', points.slice(0, 1), nowMs)
  const [several] = expiryMarks('key', points, nowMs)
  expect(one && markText(one, 'key', nowMs)).toBe('a expires in 60 days')
  expect(several && markText(several, 'key', nowMs)).toBe('6 keys: a; b; c; d; and 2 more. First: a expires in 60 days')
})

test('the expiry timeline shows a planned replacement’s start day until that day, and afterwards the replacement’s progress', () => {
  const planned = replacement({})
  expect(beginsAtMs(planned)).toBe(planned.notBeforeMs)
  expect(replacementText(planned, nowMs)).toBe('From 2 Dec')
  expect(replacementText(replacement({ due: true }), nowMs)).toBe('Due')
  expect(replacementText(replacement({ now: { state: 'created' } }), nowMs)).toBe('In progress')
  expect(replacementText(replacement({ now: { state: 'stuck', at: 'planned', reason: 'no_room' } }), nowMs)).toBe('Stuck')
  expect(beginsAtMs(replacement({ now: { state: 'created' } }))).toBeNull()
})

test('the expiry timeline shows nothing about a replacement that is finished', () => {
  expect(openReplacement([replacement({ now: { state: 'done' } }), replacement({ id: 'r2' })], 'key_old')?.id).toBe('r2')
  expect(openReplacement([replacement({ now: { state: 'abandoned', newKey: 'none' } })], 'key_old')).toBeNull()
})
