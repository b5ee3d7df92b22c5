import { expect, test } from 'vitest'
import { createToasts } from './toast.tsx'

const notice = (title: string) => ({ tone: 'ok', title, text: 'Done.', action: null }) as const

test('replaces an earlier toast with the same words', () => {
  const toasts = createToasts()
  for (const title of ['Secret copied', 'Signed in', 'Secret copied']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['Signed in', 'Secret copied'])
})

test('keeps only the last four toasts', () => {
  const toasts = createToasts()
  for (const title of ['a', 'b', 'c', 'd', 'e']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['b', 'c', 'd', 'e'])
})
